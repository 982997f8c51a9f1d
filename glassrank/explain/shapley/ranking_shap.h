#pragma once
// ranking-shap: what each feature adds to a ranking, a document's rank or the order of a pair, not
// to a score.
//
// The game: a coalition knows its features of the documents; the others take the same reference
// values in all of them. v(S) = mean over reference rows of a value function of the scores that
// result (list_values.h). Shapley values share v(all) - v(none) out (shapley.h): exactly where the
// coalitions are few, sampled with standard errors otherwise.
//
// One engine for what the literature has under several names:
//   RankingSHAP (Heuss et al. 2025)    ranking_value = tau, background_rows = 100 or so
//   RankSHAP (Chowdhury et al. 2024)   ranking_value = ndcg
//   ShaRP (Pliatsika et al. 2025)      document_value = rank or top-k, others = kept
// By default one reference row, the mean of the background data, stands in for what is not known:
// then GREEDY, validity and ranking-shap ask the same question. With others = kept only the
// document that is explained is masked (of a pair, the first); rankings are masked whole.
// Cost: samples x reference rows x documents scores.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/explain/background.h"
#include "glassrank/explain/explainer.h"
#include "glassrank/explain/shapley/list_values.h"
#include "glassrank/explain/shapley/shapley.h"

namespace glassrank {

enum class RankingValue { kTau, kNdcg };
enum class DocumentValue { kRank, kTopK };
enum class GainsOf { kOrder, kGrades };
enum class OtherDocuments { kMasked, kKept };
template <>
struct EnumNames<RankingValue> {
  static std::span<const std::pair<std::string_view, RankingValue>> table();
};
template <>
struct EnumNames<DocumentValue> {
  static std::span<const std::pair<std::string_view, DocumentValue>> table();
};
template <>
struct EnumNames<GainsOf> {
  static std::span<const std::pair<std::string_view, GainsOf>> table();
};
template <>
struct EnumNames<OtherDocuments> {
  static std::span<const std::pair<std::string_view, OtherDocuments>> table();
};

struct RankingShapParams {
  RankingValue ranking_value = RankingValue::kTau;
  DocumentValue document_value = DocumentValue::kRank;
  GainsOf gains = GainsOf::kOrder;
  int cutoff = 10;
  OtherDocuments others = OtherDocuments::kMasked;
  Typical mask = Typical::kMean;
  std::uint64_t background_rows = 0;  // 0: the one row that `mask` says
  ShapleyParams shapley;
  int k = 5;

  void visit(ParamVisitor& visitor);
};

class RankingShap final : public Explainer {
 public:
  explicit RankingShap(RankingShapParams params = {}) : params_(std::move(params)) {}

  std::string name() const override { return "ranking-shap"; }
  ExplainerTraits traits() const override {
    return {.is_sampled = true,
            .names_unsure = params_.shapley.mode == ShapleyMode::kShap,
            .explains_pairs = true,
            .explains_rankings = true};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<RankingShap>(params_);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }
  void prepare(const Subject& subject, const Context& context) override;
  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override;

 private:
  struct Task;  // targets that share a game
  void run(const ExplainedQuery& query, const Task& task, std::span<Explanation> results,
           const Context& context) const;
  // Nothing where there is nothing to explain: no document has a gain.
  std::optional<ListValue> value_of(const ExplainedQuery& query, const Target& target) const;
  // What the value of a document's place means.
  std::string sentence_of(const Explanation& place, std::size_t num_documents) const;
  RowMatrix references_of(const ExplainedQuery& query) const;

  RankingShapParams params_;
  const Subject* subject_ = nullptr;
  RowMatrix background_;  // empty: one typical row
  std::vector<float> typical_;
};

}  // namespace glassrank
