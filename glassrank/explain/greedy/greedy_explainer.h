#pragma once
// The GREEDY family as explainers (greedy_search.h): the few features that keep an order.
//
// They explain rankings; of a document they keep the order of the pairs it takes part in, of a pair
// its own. `value` of the explanation is how far the features keep the order, 1 where all of it;
// there are no attributions, but every feature has its gain: by how much the order is kept better
// once it is known, too, after those before it. A query without an order (one document, equal
// scores) gets no features and says why.
//
// Only features that the ranker can use are candidates.
// Cost on a forest: one round of flip events per start and feature, about 0.7 ms each for 120
// documents on 1000 trees of 64 leaves.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/audit/validity.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/greedy/document_pairs.h"
#include "glassrank/explain/greedy/greedy_search.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class GreedyMode { kPaper, kReleased };
template <>
struct EnumNames<GreedyMode> {
  static std::span<const std::pair<std::string_view, GreedyMode>> table();
};

struct GreedyParams {
  int k = 5;
  Tunable<int> starts = Tunable<int>::by_default(3);
  Tunable<int> max_pairs = Tunable<int>::by_default(20000);
  Tunable<PairWeights> pair_weights =
      Tunable<PairWeights>::by_default(PairWeights::kRankDifference);
  Typical typical = Typical::kMean;
  Tunable<Tau> tau = Tunable<Tau>::by_default(Tau::kA);
  GreedyMode mode = GreedyMode::kPaper;

  void visit(ParamVisitor& visitor);
  // With the values of the mode where the user gave none: released means 5 starts, 50 pairs, no
  // weights and the authors' tau.
  GreedyParams resolved() const;
};

class GreedyExplainer final : public Explainer {
 public:
  GreedyExplainer(GreedyVariant variant, GreedyParams params = {})
      : variant_(variant), params_(params) {}

  std::string name() const override;
  ExplainerTraits traits() const override;
  std::unique_ptr<Explainer> clone() const override;
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  GreedyVariant variant_;
  GreedyParams params_;
  std::optional<Subject> subject_;
  std::vector<float> typical_;
  std::vector<std::uint32_t> candidates_;
};

// What feature sets all explain the same way: rankings, pairs, documents, without attributions.
ExplainerTraits set_explainer_traits(bool is_sampled);
// Throws Error{kUsage} when k is more than the ranker has features.
void check_set_size(std::string_view explainer, int k, const Subject& subject);

}  // namespace glassrank
