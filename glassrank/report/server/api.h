#pragma once
// The answers to typed requests about one model: scores, explanations, pairs, counterfactuals.
// Knows nothing of networks.
//
//   const Api api({.model = model, .name = "trees", .data = data, .background = train}, params,
//   {}); api.score(request, documents, context);
//
// The scorer's plan is made once, an explainer's engine when it is first asked for; then all of it
// is shared by any number of threads. Requests run on the context they bring, whose `stop` ends
// them.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/explain/audit/query_auditor.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/explanation_view.h"
#include "glassrank/models/model.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/server/request_body.h"
#include "glassrank/report/server/requests.h"

namespace glassrank {

struct ApiTask {
  Model model;
  std::string name;
  std::string format;
  std::string size;    // in words
  Dataset data;        // no rows: queries cannot be named
  Dataset background;  // no rows: only scores are given
};

struct ApiParams {
  std::string explainer;  // of documents and pairs
  std::string list_explainer = "greedy-cover-eps";
  int k = 5;
  std::size_t most_documents = 10'000;
};

class Api {
 public:
  Api(ApiTask task, ApiParams params, const Context& context);
  ~Api();
  Api(const Api&) = delete;
  Api& operator=(const Api&) = delete;

  // All throw Error{kUsage} or Error{kInput} for a request that cannot be answered.
  using Documents = std::optional<RequestDocuments>;
  ScoreAnswer score(const ScoreRequest& request, const Documents& documents,
                    const Context& context) const;
  ExplanationView explain(const ExplainRequest& request, const Documents& documents,
                          const Context& context) const;
  ExplanationView pair(const PairRequest& request, const Documents& documents,
                       const Context& context) const;
  Counterfactual counterfactual(const CounterfactualRequest& request, const Documents& documents,
                                const Context& context) const;
  ModelAnswer model() const;

  const RequestReader& reader() const { return reader_; }

 private:
  struct Asked;
  struct Prepared;
  Asked asked(const std::string& query, const Documents& documents) const;
  ExplainedQuery view(const Asked& asked, const Context& context) const;
  ExplanationView explain_target(const std::string& explainer, bool audit, const Asked& asked,
                                 const ExplainedQuery& query, const Target& target,
                                 const Context& context) const;
  const Explainer& explainer(const std::string& name) const;
  const Auditor& auditor() const;
  void check_background() const;

  ApiTask task_;
  ApiParams params_;
  Context context_;  // that engines are made with
  std::unique_ptr<const Scorer> scorer_;
  Subject subject_;
  ExplanationNames names_;    // of features
  CategoryNames categories_;  // of the model
  RequestReader reader_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::map<std::string, std::unique_ptr<Prepared>> prepared_;
  mutable std::unique_ptr<const Auditor> auditor_;
};

}  // namespace glassrank
