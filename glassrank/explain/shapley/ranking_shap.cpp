#include "glassrank/explain/shapley/ranking_shap.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "glassrank/base/parallel.h"
#include "glassrank/explain/perturbation.h"
#include "glassrank/explain/shapley/masking_game.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxScores = std::size_t{1} << 21;  // kept at a time: 16 MB
constexpr std::size_t kCoalitionsPerTask = 32;

// The worths of coalitions by value functions of the scores of a query's documents.
class ListGame {
 public:
  // `masked`: the documents that the perturbation is of; the others keep their real scores.
  ListGame(const ExplainedQuery& query, std::span<const std::uint32_t> masked,
           const Perturbation& perturbation, std::span<const std::uint32_t> players)
      : query_(query), masked_(masked), perturbation_(perturbation), players_(players) {}

  void evaluate(CoalitionView coalitions, std::span<const ListValue> functions,
                std::span<double> values, const Context& context) const {
    const std::size_t per_coalition = perturbation_.num_references() * masked_.size();
    const std::size_t batch = std::max<std::size_t>(1, kMaxScores / per_coalition);
    const std::size_t num_features = perturbation_.num_features();
    std::vector<double> scores;
    for (std::size_t begin = 0; begin < coalitions.num_rows(); begin += batch) {
      const std::size_t size = std::min(batch, coalitions.num_rows() - begin);
      const auto masks = feature_masks({coalitions.row(begin).data(), size, players_.size()},
                                       players_, num_features);
      scores.resize(size * per_coalition);
      perturbation_.scores({masks.data(), size, num_features}, scores, context);
      parallel_for(context, size, kCoalitionsPerTask, [&](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c) {
          worth_of(std::span(scores).subspan(c * per_coalition, per_coalition), functions,
                   values.subspan((begin + c) * functions.size(), functions.size()));
        }
      });
    }
  }

 private:
  // Mean over the reference rows.
  void worth_of(std::span<const double> scores, std::span<const ListValue> functions,
                std::span<double> values) const {
    std::ranges::fill(values, 0);
    std::vector<double> all = query_.scores;
    for (std::size_t begin = 0; begin < scores.size(); begin += masked_.size()) {
      for (std::size_t i = 0; i < masked_.size(); ++i) all[masked_[i]] = scores[begin + i];
      for (std::size_t f = 0; f < functions.size(); ++f) values[f] += functions[f](all);
    }
    for (double& value : values) value /= static_cast<double>(perturbation_.num_references());
  }

  const ExplainedQuery& query_;
  std::span<const std::uint32_t> masked_;
  const Perturbation& perturbation_;
  std::span<const std::uint32_t> players_;
};

}  // namespace

struct RankingShap::Task {
  std::vector<std::size_t> targets;  // places in the results
  std::vector<ListValue> functions;  // one per target
  std::vector<std::uint32_t> masked;
  std::uint64_t lane = 0;  // of the random draws
};

std::span<const std::pair<std::string_view, RankingValue>> EnumNames<RankingValue>::table() {
  static constexpr std::array<std::pair<std::string_view, RankingValue>, 2> kNames = {
      {{"tau", RankingValue::kTau}, {"ndcg", RankingValue::kNdcg}}};
  return kNames;
}
std::span<const std::pair<std::string_view, DocumentValue>> EnumNames<DocumentValue>::table() {
  static constexpr std::array<std::pair<std::string_view, DocumentValue>, 2> kNames = {
      {{"rank", DocumentValue::kRank}, {"top-k", DocumentValue::kTopK}}};
  return kNames;
}
std::span<const std::pair<std::string_view, GainsOf>> EnumNames<GainsOf>::table() {
  static constexpr std::array<std::pair<std::string_view, GainsOf>, 2> kNames = {
      {{"order", GainsOf::kOrder}, {"grades", GainsOf::kGrades}}};
  return kNames;
}
std::span<const std::pair<std::string_view, OtherDocuments>> EnumNames<OtherDocuments>::table() {
  static constexpr std::array<std::pair<std::string_view, OtherDocuments>, 2> kNames = {
      {{"masked", OtherDocuments::kMasked}, {"kept", OtherDocuments::kKept}}};
  return kNames;
}

void RankingShapParams::visit(ParamVisitor& visitor) {
  visitor.field("ranking_value", ranking_value,
                "value of a ranking: its Kendall's tau with the real one, or its NDCG");
  visitor.field("document_value", document_value,
                "value of a document's rank: the number of documents below it, or whether it is "
                "among the first `cutoff`");
  visitor.field("gains", gains,
                "gains of NDCG: from the ranker's own order, or from the grades of the data");
  visitor.field("cutoff", cutoff, "cutoff of NDCG and top-k", Range{.low = 1});
  visitor.field(
      "others", others,
      "the other documents of the query: masked in the same features, or kept as they are");
  visitor.field("mask", mask, "how unknown features are filled in");
  visitor.field("background_rows", background_rows,
                "background rows that stand in for unknown features, each for all documents at "
                "once; 0 uses the single row that `mask` describes");
  shapley.visit(visitor);
  visitor.field("k", k, "number of features to name", Range{.low = 1});
}

void RankingShap::prepare(const Subject& subject, const Context& context) {
  check_params(params_);
  check_subject(subject);
  subject_ = &subject;
  background_ = {};
  typical_.clear();
  if (params_.background_rows > 0) {
    background_ = sample_background(subject, params_.background_rows, context.seed);
  } else {
    typical_ = typical_row(subject, params_.mask, context);
  }
}

std::optional<ListValue> RankingShap::value_of(const ExplainedQuery& query,
                                               const Target& target) const {
  const auto cutoff = static_cast<std::size_t>(params_.cutoff);
  if (target.kind == TargetKind::kPair) return pairwise_value(target.document, target.other);
  if (target.kind == TargetKind::kDocument) {
    return params_.document_value == DocumentValue::kRank ? rank_value(target.document)
                                                          : top_k_value(target.document, cutoff);
  }
  if (params_.ranking_value == RankingValue::kTau) return tau_value(query);
  if (params_.gains == GainsOf::kOrder) return own_order_ndcg_value(query, cutoff);
  return graded_ndcg_value(query, cutoff);
}

std::string RankingShap::sentence_of(const Explanation& place, std::size_t num_documents) const {
  if (params_.document_value == DocumentValue::kTopK) {
    return fmt::format(
        "Its place among the first {} counts {:.2g}; with no feature known it would count {:.2g}",
        params_.cutoff, place.value, place.base_value);
  }
  return fmt::format(
      "It is ahead of {:.4g} of {} other {}; with no feature known it would be ahead of {:.4g}",
      place.value, num_documents - 1, num_documents == 2 ? "document" : "documents",
      place.base_value);
}

RowMatrix RankingShap::references_of(const ExplainedQuery& query) const {
  if (params_.background_rows > 0) return background_;
  const std::size_t num_features = subject_->num_features();
  return {.values = typical_row_of(query, typical_, num_features), .num_features = num_features};
}

std::vector<Explanation> RankingShap::explain(const ExplainedQuery& query,
                                              std::span<const Target> targets,
                                              const Context& context) const {
  std::vector<Explanation> results(targets.size());
  Task whole{.lane = std::uint64_t{query.number} << 32};
  for (std::uint32_t d = 0; d < query.num_documents(); ++d) whole.masked.push_back(d);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    results[t].target = targets[t];
    const std::optional<ListValue> function = value_of(query, targets[t]);
    if (!function) {
      results[t].attributions.assign(subject_->num_features(), 0);
      results[t].standard_errors = results[t].attributions;
      results[t].abstains = "no document of the query has a grade above 0: there is no NDCG";
      continue;
    }
    const bool keeps_others =
        params_.others == OtherDocuments::kKept && targets[t].kind != TargetKind::kRanking;
    if (!keeps_others) {
      whole.targets.push_back(t);
      whole.functions.push_back(*function);
      continue;
    }
    const std::uint32_t document = targets[t].document;
    run(query,
        {.targets = {t},
         .functions = {*function},
         .masked = {document},
         .lane = whole.lane | (document + 1)},
        results, context);
  }
  if (!whole.targets.empty()) run(query, whole, results, context);
  return results;
}

void RankingShap::run(const ExplainedQuery& query, const Task& task, std::span<Explanation> results,
                      const Context& context) const {
  const std::size_t num_features = subject_->num_features();
  const RowMatrix references = references_of(query);
  const bool is_whole = task.masked.size() == query.num_documents();
  const MatrixView<const float> documents =
      is_whole ? query.rows
               : MatrixView<const float>(query.rows.row(task.masked.front()).data(), 1,
                                         query.rows.num_columns());
  const std::vector<std::uint32_t> players =
      varying_features(documents, references.view(), subject_->scorer.used_features());
  const auto perturbation = make_perturbation(*subject_, documents, references.view(), context);
  const ListGame list(query, task.masked, *perturbation, players);
  const Game game{.num_players = players.size(),
                  .num_outputs = task.functions.size(),
                  .evaluate = [&](CoalitionView coalitions, std::span<double> values) {
                    list.evaluate(coalitions, task.functions, values, context);
                  }};
  const CounterRandom random(context.seed, "ranking-shap", task.lane);
  const ShapleyResult shapley = shapley_values(game, params_.shapley, random, context);
  for (std::size_t i = 0; i < task.targets.size(); ++i) {
    const ShapleyValues& output = shapley.outputs[i];
    Explanation& result = results[task.targets[i]];
    result.value = output.full;
    result.base_value = output.base;
    result.attributions = spread_over_features(output.values, players, num_features);
    result.standard_errors = spread_over_features(output.errors, players, num_features);
    const std::span<const double> errors = naming_errors(traits(), result);
    // What keeps the order is what a ranking is asked for; a place may have reasons on both sides.
    result.features = result.target.kind == TargetKind::kRanking
                          ? top_positive_features(result.attributions, num_chosen(), errors)
                          : top_features(result.attributions, num_chosen(), errors);
    if (result.target.kind == TargetKind::kDocument) {
      result.value_sentence = sentence_of(result, query.num_documents());
    }
  }
}

}  // namespace glassrank
