#include "glassrank/explain/counterfactual/counterfactual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/explain/counterfactual/beam_search.h"
#include "glassrank/explain/counterfactual/contraction.h"
#include "glassrank/explain/counterfactual/exact_search.h"
#include "glassrank/explain/counterfactual/plain_value.h"
#include "glassrank/explain/subject_categories.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

// Of a change, that it may grow for the sake of fewer digits.
constexpr double kPlainShare = 0.05;

void check_goal(const ExplainedQuery& query, const CounterfactualGoal& goal) {
  const auto check = [&](std::uint32_t document) {
    if (document < query.num_documents()) return;
    fail(ErrorKind::kUsage, "query {} has {} documents; there is no document {}", query.id,
         query.num_documents(), document + 1);
  };
  check(goal.document);
  if (goal.above) {
    check(*goal.above);
    if (*goal.above == goal.document) {
      fail(ErrorKind::kUsage, "document {} of query {} cannot be above itself", goal.document + 1,
           query.id);
    }
  } else if (goal.top == 0) {
    fail(ErrorKind::kUsage, "say what the document is to pass: another document, or the first k");
  }
}

// How many of the others are above a document with this score.
std::size_t rank_with(const ExplainedQuery& query, std::uint32_t document, double score) {
  std::size_t rank = 0;
  for (std::uint32_t d = 0; d < query.num_documents(); ++d) {
    if (d == document) continue;
    const bool is_above = query.scores[d] > score || (query.scores[d] == score && d < document);
    rank += is_above ? 1 : 0;
  }
  return rank;
}

// The document that must end up below: of the first k, the last one without the document itself.
// Nothing when there are no more than k documents.
std::optional<std::uint32_t> document_to_pass(const ExplainedQuery& query,
                                              const CounterfactualGoal& goal) {
  if (goal.above) return goal.above;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t d : query.ranking) {
    if (d != goal.document) others.push_back(d);
  }
  if (goal.top > others.size()) return std::nullopt;
  return others[goal.top - 1];
}

// A changed value, and how far beyond it a feature may go for the sake of fewer digits.
struct PlainChange {
  ValueChange change;
  float end = 0;
};

struct Answer {
  SearchResult search;
  std::vector<PlainChange> changes = {};
  Optimality optimality = Optimality::kAlready;
};

std::vector<PlainChange> changes_of(const SearchTask& task, std::span<const Move> moves) {
  std::vector<PlainChange> changes;
  for (const auto& [feature, place] : moves) {
    const FeaturePlaces& places = task.places[feature];
    changes.push_back({{feature, places.values[place]}, places.ends[place]});
  }
  return changes;
}

// Without steps there is no end but the limits'.
std::vector<PlainChange> nearest_changes(const SearchTask& task,
                                         std::span<const std::vector<Move>> passing,
                                         std::span<const FeatureLimit> limits,
                                         const Context& context) {
  std::vector<std::vector<ValueChange>> candidates;
  for (const std::vector<Move>& moves : passing) {
    std::vector<ValueChange>& candidate = candidates.emplace_back();
    for (const PlainChange& each : changes_of(task, moves)) candidate.push_back(each.change);
  }
  std::vector<PlainChange> changes;
  for (const ValueChange& change : brought_back(task, limits, std::move(candidates), context)) {
    const FeatureLimit& limit = limits[change.feature];
    const double end = change.to > task.row[change.feature] ? limit.high : limit.low;
    changes.push_back({change, static_cast<float>(end)});
  }
  std::ranges::sort(changes, {}, [](const PlainChange& each) { return each.change.feature; });
  return changes;
}

BeamParams beam_params(const CounterfactualParams& params) {
  return {.beam = static_cast<std::size_t>(params.beam),
          .max_places = static_cast<std::size_t>(params.values)};
}

Answer search_black_box(const SearchTask& task, const CounterfactualParams& params,
                        std::span<const FeatureLimit> limits, const Context& context) {
  const SearchResult nothing{.score = -std::numeric_limits<double>::infinity()};
  const BeamResult found = beam_search(task, beam_params(params), nothing, context);
  const bool is_found = found.best.is_found;
  return {.search = found.best,
          .changes = is_found ? nearest_changes(task, found.passing, limits, context)
                              : changes_of(task, found.best.moves),
          .optimality = is_found ? Optimality::kBestFound : Optimality::kNotFound};
}

Answer search_model(const Model& model, const SearchTask& task, const CounterfactualParams& params,
                    const Context& context) {
  const LeafBoxes boxes =
      leaf_boxes(as_forest(model), task.places, std::min(task.max_features, kMostExactFeatures));
  const SearchResult exact = exact_search(task, boxes, params.max_steps, context);
  const bool is_small = task.max_features <= kMostExactFeatures;
  // Fewer features come first: then more of them cannot be better.
  const bool is_final = exact.is_proved && (is_small || (exact.is_found && task.fewest_first));
  if (is_final && exact.is_found) {
    return {exact, changes_of(task, exact.moves), Optimality::kProved};
  }
  Answer answer{.search = beam_search(task, beam_params(params), exact, context).best};
  answer.changes = changes_of(task, answer.search.moves);
  const double room = 1e-9 * (1 + std::abs(task.goal.score));
  double own = 0;
  task.scorer.score({task.row.data(), 1, task.row.size()}, {&own, 1}, context);
  const bool is_hopeless = own + boxes.most_gain < task.goal.score - room;
  if (answer.search.is_found) {
    answer.optimality = Optimality::kBestFound;
    answer.search.least_cost = is_small ? exact.least_cost : 0;
  } else {
    answer.optimality = is_final || is_hopeless ? Optimality::kImpossible : Optimality::kNotFound;
  }
  return answer;
}

// The same changes with readable values, if the ranker agrees.
std::vector<float> plain_row(const SearchTask& task, const Answer& answer,
                             std::span<const FeatureLimit> limits, const Context& context) {
  std::vector<float> row(task.row.begin(), task.row.end());
  for (const auto& [change, end] : answer.changes) row[change.feature] = change.to;
  for (const auto& [change, end] : answer.changes) {
    const FeatureLimit& limit = limits[change.feature];
    if (limit.is_whole || limit.step > 0) continue;
    const float present = task.row[change.feature];
    const float nearest = change.to;
    const auto farthest = static_cast<float>(nearest + kPlainShare * (nearest - present));
    const float to = nearest > present ? std::min({farthest, end, static_cast<float>(limit.high)})
                                       : std::max({farthest, end, static_cast<float>(limit.low)});
    const float plain = plain_value(nearest, to);
    if (!limit.allows(present, plain) || plain == present) continue;
    std::vector<float> tried = row;
    tried[change.feature] = plain;
    double score = 0;
    task.scorer.score({tried.data(), 1, tried.size()}, {&score, 1}, context);
    if (!answer.search.is_found || task.goal.passes(score)) row = std::move(tried);
  }
  return row;
}

void describe_changes(const Subject& subject, const SearchTask& task, const Answer& answer,
                      std::span<const FeatureLimit> limits, Counterfactual& result,
                      const Context& context) {
  const std::vector<std::string> names =
      display_names(subject.scorer, subject.background.feature_names());
  const SubjectCategories categories = categories_of(subject);
  const std::vector<float> row = plain_row(task, answer, limits, context);
  for (const auto& [change, end] : answer.changes) {
    const std::uint32_t f = change.feature;
    const float from = task.row[f];
    const float to = row[f];
    result.changes.push_back(
        {.feature = names[f], .from = from, .to = to, .cost = limits[f].cost(from, to)});
    result.cost += result.changes.back().cost;
    if (!limits[f].is_category) continue;
    result.changes.back().from_category = categories.text(f, from);
    result.changes.back().to_category = categories.text(f, to);
  }
  task.scorer.score({row.data(), 1, row.size()}, {&result.score_after, 1}, context);
}

}  // namespace

Counterfactual find_counterfactual(const Subject& subject, const ExplainedQuery& query,
                                   std::span<const std::string> documents,
                                   const CounterfactualGoal& goal,
                                   const CounterfactualParams& params, const Context& context) {
  check_params(params);
  check_subject(subject);
  check_goal(query, goal);
  const std::vector<FeatureLimit> limits = feature_limits(subject, params.limits);
  Counterfactual result{.query = query.id,
                        .document = documents[goal.document],
                        .above = goal.above ? documents[*goal.above] : "",
                        .top = goal.above ? 0 : goal.top,
                        .rank_before = query.ranks[goal.document],
                        .score_before = query.scores[goal.document],
                        .score_after = query.scores[goal.document]};
  const std::optional<std::uint32_t> pass = document_to_pass(query, goal);
  const ScoreGoal score_goal = pass ? ScoreGoal{query.scores[*pass], goal.document < *pass}
                                    : ScoreGoal{-std::numeric_limits<double>::infinity(), true};
  result.score_to_pass = score_goal.score;
  if (!score_goal.passes(result.score_before)) {
    const auto row = query.rows.row(goal.document);
    const auto num_values = static_cast<std::size_t>(params.values);
    const auto places = feature_places(subject, row, limits, num_values);
    const SearchTask task{.scorer = subject.scorer,
                          .row = row,
                          .places = places,
                          .goal = score_goal,
                          .max_features = static_cast<std::size_t>(params.max_features),
                          .fewest_first = params.cost == ChangeCost::kCount,
                          .has_steps = subject.step_model() != nullptr};
    const Answer answer = task.has_steps ? search_model(*subject.model, task, params, context)
                                         : search_black_box(task, params, limits, context);
    result.optimality = answer.optimality;
    describe_changes(subject, task, answer, limits, result, context);
    const double least = answer.search.least_cost;
    if (answer.search.is_found && least > 0) result.least_cost = least;
  }
  result.rank_after = rank_with(query, goal.document, result.score_after);
  result.is_reached = score_goal.passes(result.score_after);
  result.text = counterfactual_text(result, params);
  return result;
}

}  // namespace glassrank
