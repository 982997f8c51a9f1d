// What a counterfactual looks like: names, keys, plain words.

#include <array>

#include <fmt/format.h>

#include "glassrank/explain/counterfactual/counterfactual.h"

namespace glassrank {
namespace {

// "raise a from 1 to 2, lower b from 5 to 3 and raise c from 0 to 1"
std::string changes_text(const std::vector<FeatureChange>& changes) {
  std::string text;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const FeatureChange& change = changes[i];
    if (i > 0) text += i + 1 == changes.size() ? " and " : ", ";
    if (change.to_category) {
      text += fmt::format("change {} from {} to {}", change.feature, *change.from_category,
                          *change.to_category);
      continue;
    }
    text += fmt::format("{} {} from {} to {}", change.to > change.from ? "raise" : "lower",
                        change.feature, change.from, change.to);
  }
  return text;
}

std::string features_text(int number) {
  return number == 1 ? "one feature" : fmt::format("at most {} features", number);
}

std::string goal_text(const Counterfactual& result) {
  if (!result.above.empty()) return fmt::format("above document {}", result.above);
  return result.top == 1 ? "to the first place" : fmt::format("into the first {}", result.top);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string reached_text(const Counterfactual& result, const CounterfactualParams& params) {
  std::string text = capitalised(changes_text(result.changes));
  text += fmt::format(", and document {} moves from rank {} to rank {}", result.document,
                      result.rank_before + 1, result.rank_after + 1);
  if (!result.above.empty()) text += fmt::format(", above document {}", result.above);
  if (result.optimality != Optimality::kProved) {
    return text + ". This is the best that was found; a smaller change may exist.";
  }
  // Fewer digits cost a little more than the least.
  const bool is_rounded = result.least_cost && result.cost > *result.least_cost;
  text += is_rounded ? ". Apart from rounding, no" : ". No";
  if (params.cost == ChangeCost::kCount) {
    return text + " change of fewer features, and no smaller one of as many, does it.";
  }
  return text + fmt::format(" smaller change of {} does it.", features_text(params.max_features));
}

std::string unreached_text(const Counterfactual& result, const CounterfactualParams& params) {
  std::string text =
      result.optimality == Optimality::kImpossible
          ? fmt::format("No change of {} within the limits brings document {} {}.",
                        features_text(params.max_features), result.document, goal_text(result))
          : fmt::format(
                "No change of {} that brings document {} {} was found; that there is none is not "
                "proved.",
                features_text(params.max_features), result.document, goal_text(result));
  if (result.changes.empty()) {
    return text + fmt::format(
                      " No change that was tried raises its score of {:.4g}, and {:.4g} is "
                      "to be passed.",
                      result.score_after, result.score_to_pass);
  }
  const std::string ranks = result.rank_before == result.rank_after
                                ? fmt::format("and it stays at rank {}", result.rank_after + 1)
                                : fmt::format("and it moves from rank {} to rank {}",
                                              result.rank_before + 1, result.rank_after + 1);
  return text +
         fmt::format(" The highest score found is {:.4g}, and {:.4g} is to be passed: {}, {}.",
                     result.score_after, result.score_to_pass, changes_text(result.changes), ranks);
}

}  // namespace

std::span<const std::pair<std::string_view, ChangeCost>> EnumNames<ChangeCost>::table() {
  static constexpr std::array<std::pair<std::string_view, ChangeCost>, 2> kTable{{
      {"distance", ChangeCost::kDistance},
      {"count", ChangeCost::kCount},
  }};
  return kTable;
}

std::string_view name_of(Optimality optimality) {
  constexpr std::array<std::string_view, 5> kNames = {"already there", "proved", "best found",
                                                      "impossible", "not found"};
  return kNames[static_cast<std::size_t>(optimality)];
}

void CounterfactualParams::visit(ParamVisitor& visitor) {
  visitor.field("max_features", max_features,
                "maximum number of features to change; with up to 3 the answer is proved to be the "
                "smallest, with more it is the best found",
                Range{.low = 1, .high = 1e6});
  visitor.field("cost", cost,
                "what makes a change small: distance sums the changes, each divided by its "
                "feature's spread; count prefers fewer features");
  limits.visit(visitor);
  visitor.section("advanced");
  visitor.field("beam", beam, "number of partial changes that the search keeps",
                Range{.low = 1, .high = 1e6});
  visitor.field("values", values,
                "number of values of a feature to try at a time when the search is not proved",
                Range{.low = 2, .high = 1e6});
  visitor.field(
      "max_steps", max_steps,
      "maximum number of steps of the proved search; beyond it the answer is the best found",
      Range{.low = 1, .high = 1e15});
}

void FeatureChange::visit(ResultVisitor& visitor) const {
  visitor.field("feature", feature, "its name");
  visitor.field("from", from, "value that it has");
  visitor.field("to", to, "value that it is to get");
  visitor.field("cost", cost, "size of the change in spreads of the feature");
  visitor.field("from_category", from_category, "its name, where the values are categories");
  visitor.field("to_category", to_category, "name of the one that it is to become");
}

void Counterfactual::visit(ResultVisitor& visitor) const {
  visitor.field("query", query, "the query");
  visitor.field("document", document, "that is to rise");
  visitor.field("above", above, "document that is to be passed; empty when asked for the first k");
  visitor.field("top", top, "places to get into; 0 when asked for a document to be passed");
  visitor.field("is_reached", is_reached, "whether the changes do it");
  visitor.field("optimality", name_of(optimality),
                "already there, proved, best found, impossible (proved) or not found");
  visitor.field("rank_before", rank_before + 1, "rank of the document as it is, from 1");
  visitor.field("rank_after", rank_after + 1, "with the changes");
  visitor.field("score_before", score_before, "score of the document as it is");
  visitor.field("score_after", score_after, "with the changes");
  visitor.field("score_to_pass", score_to_pass, "of the document that must end up below");
  visitor.field("cost", cost, "sum of the changes in spreads");
  visitor.field("least_cost", least_cost, "no change does it for less");
  visitor.list("changes", changes, "that do it, or with the highest score that was found");
  visitor.field("text", text, "the same in words");
}

std::string counterfactual_text(const Counterfactual& result, const CounterfactualParams& params) {
  if (result.optimality == Optimality::kAlready) {
    return fmt::format(
        "Nothing needs to change: document {} is at rank {}{}.", result.document,
        result.rank_before + 1,
        result.above.empty() ? "" : fmt::format(", above document {}", result.above));
  }
  return result.is_reached ? reached_text(result, params) : unreached_text(result, params);
}

}  // namespace glassrank
