#include "glassrank/explain/explanation_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "glassrank/explain/explanation_summary.h"
#include "glassrank/explain/explanation_words.h"
#include "glassrank/models/display_names.h"

namespace glassrank {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The double that reads as the float does: 5.49, not 5.4899997711.
double as_written(float value) {
  if (!std::isfinite(value)) return value;
  const std::string text = fmt::format("{}", value);
  double number = value;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Features whose only values are 0 and 1, both of which occur.
std::vector<bool> switches_of(const Dataset& data, std::size_t num_features) {
  std::vector<std::size_t> left(num_features);  // that may be one
  for (std::size_t f = 0; f < num_features; ++f) left[f] = f;
  std::vector<bool> is_off(num_features);
  std::vector<bool> is_on(num_features);
  for (std::size_t r = 0; r < data.num_rows() && !left.empty(); ++r) {
    const std::span<const float> row = data.row(r);
    std::erase_if(left, [&](std::size_t f) {
      if (row[f] == 0) is_off[f] = true;
      if (row[f] == 1) is_on[f] = true;
      return !std::isnan(row[f]) && row[f] != 0 && row[f] != 1;
    });
  }
  std::vector<bool> is_switch(num_features);
  for (const std::size_t f : left) is_switch[f] = is_off[f] && is_on[f];
  return is_switch;
}

std::vector<std::uint32_t> viewed_documents(const Target& target, const ExplainedQuery& query) {
  switch (target.kind) {
    case TargetKind::kDocument:
      return {target.document};
    case TargetKind::kPair:
      return {target.document, target.other};
    case TargetKind::kRanking:
      break;
  }
  return query.ranking;
}

// Missing values aside.
std::pair<double, double> span_in(const ExplainedQuery& query, std::size_t feature) {
  std::pair<double, double> span = {kNaN, kNaN};
  for (std::size_t d = 0; d < query.num_documents(); ++d) {
    const double value = as_written(query.rows.row(d)[feature]);
    if (std::isnan(value)) continue;
    if (!(span.first <= value)) span.first = value;
    if (!(span.second >= value)) span.second = value;
  }
  return span;
}

// Features to list, in their order.
std::vector<std::uint32_t> listed_features(const Explanation& explanation) {
  if (explanation.attributions.empty()) return explanation.features;
  return top_features(explanation.attributions, explanation.attributions.size());
}

// "blue, red and 3 others": the categories of a query's documents, in order of name.
std::string categories_in(const ExplainedQuery& query, std::uint32_t f,
                          const SubjectCategories& categories) {
  constexpr std::size_t kShown = 3;
  std::set<std::string> texts;
  for (std::size_t d = 0; d < query.num_documents(); ++d) {
    texts.insert(categories.text(f, query.rows.row(d)[f]));
  }
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    if (items.size() < kShown || texts.size() == kShown + 1) items.push_back(text);
  }
  const std::size_t num_others = texts.size() - items.size();
  if (num_others > 0) items.push_back(fmt::format("{} others", num_others));
  return listed(items);
}

void name_categories(const Target& target, std::uint32_t f, const ExplainedQuery& query,
                     const SubjectCategories& categories, ViewedFeature& viewed) {
  if (f >= categories.is_category.size() || !categories.is_category[f]) return;
  viewed.is_switch = false;
  if (target.kind == TargetKind::kRanking) {
    viewed.category = categories_in(query, f, categories);
    return;
  }
  viewed.category = categories.text(f, query.rows.row(target.document)[f]);
  if (target.kind == TargetKind::kPair) {
    viewed.other_category = categories.text(f, query.rows.row(target.other)[f]);
  }
}

ViewedFeature viewed_feature(const Explanation& explanation, std::uint32_t f,
                             const ExplainedQuery& query, const ExplanationNames& names) {
  ViewedFeature viewed{.index = f, .feature = names.features[f]};
  viewed.is_chosen = std::ranges::find(explanation.features, f) != explanation.features.end();
  viewed.is_switch = f < names.is_switch.size() && names.is_switch[f];
  const Target& target = explanation.target;
  if (target.kind == TargetKind::kRanking) {
    std::tie(viewed.low, viewed.high) = span_in(query, f);
  } else {
    viewed.value = as_written(query.rows.row(target.document)[f]);
  }
  if (target.kind == TargetKind::kPair) {
    viewed.other_value = as_written(query.rows.row(target.other)[f]);
  }
  name_categories(target, f, query, names.categories, viewed);
  if (!explanation.attributions.empty()) viewed.attribution = explanation.attributions[f];
  const auto step = std::ranges::find(explanation.features, f) - explanation.features.begin();
  if (static_cast<std::size_t>(step) < explanation.gains.size()) {
    viewed.gain = explanation.gains[static_cast<std::size_t>(step)];
  }
  if (!explanation.standard_errors.empty()) viewed.standard_error = explanation.standard_errors[f];
  return viewed;
}

std::vector<ViewedInteraction> viewed_interactions(const Explanation& explanation,
                                                   const ExplanationNames& names) {
  std::vector<ViewedInteraction> viewed;
  for (const Interaction& each : explanation.interactions) {
    if (each.value == 0) continue;
    viewed.push_back({.index = each.first,
                      .other_index = each.second,
                      .feature = names.features[each.first],
                      .other = names.features[each.second],
                      .attribution = each.value});
  }
  std::ranges::stable_sort(viewed, std::greater<>(), [](const ViewedInteraction& each) {
    return std::abs(each.attribution);
  });
  return viewed;
}

void add_shares(ExplanationView& view) {
  const double whole = view.value - view.base_value;
  double largest = 0;
  for (const ViewedFeature& each : view.features) {
    largest = std::max(largest, std::abs(each.attribution.value_or(0)));
  }
  // A share of what rounding left over says nothing.
  if (!(std::abs(whole) > 1e-9 * largest)) return;
  for (ViewedFeature& each : view.features) {
    if (each.attribution) each.share = *each.attribution / whole;
  }
}

}  // namespace

ExplanationNames explanation_names(const Subject& subject, const Dataset& data) {
  return {.features = display_names(subject.scorer, data.feature_names()),
          .is_switch = switches_of(subject.background, subject.num_features()),
          .documents = {},
          .categories = categories_of(subject)};
}

std::vector<std::string> document_names(const Dataset& data, std::size_t query) {
  const RowRange rows = data.queries().rows(query);
  std::vector<std::string> names;
  for (std::size_t r = rows.begin; r < rows.end; ++r) names.push_back(data.document_name(r));
  return names;
}

void ViewedDocument::visit(ResultVisitor& visitor) const {
  visitor.field("document", document, "its name");
  visitor.field("rank", rank, "in the model's order, from 1");
  visitor.field("score", score, "by the model");
  visitor.field("grade", grade, "as judged");
}

void ViewedFeature::visit(ResultVisitor& visitor) const {
  visitor.field("index", index, "of the feature in the model, from 0");
  visitor.field("feature", feature, "its name");
  visitor.field("is_chosen", is_chosen, "whether it is one of the k that explain most");
  visitor.field("value", value, "in the document; null: missing");
  visitor.field("other_value", other_value, "in the other document of a pair");
  visitor.field("low", low, "smallest value in the query, of a ranking");
  visitor.field("high", high, "largest value in the query, of a ranking");
  visitor.field("attribution", attribution,
                "what the feature adds to the value; absent: the explainer names features only");
  visitor.field("standard_error", standard_error, "of the attribution, where it is sampled");
  visitor.field("share", share, "attribution / (value - base_value)");
  visitor.field("gain", gain,
                "what the feature adds to the value after those before it; absent: the explainer "
                "does not choose step by step");
  visitor.field(
      "category", category,
      "name of the category that the value is the code of; of a ranking those that occur");
  visitor.field("other_category", other_category, "of the other document of a pair");
}

void ViewedInteraction::visit(ResultVisitor& visitor) const {
  visitor.field("index", index, "of the first feature in the model, from 0");
  visitor.field("other_index", other_index, "of the second");
  visitor.field("feature", feature, "name of the first");
  visitor.field("other", other, "name of the second");
  visitor.field("attribution", attribution,
                "what both do together beyond what each does alone; half of it is in each one's "
                "attribution");
}

void ExplanationView::visit(ResultVisitor& visitor) const {
  visitor.field("explainer", explainer, "its name");
  visitor.field("query", query, "its id");
  visitor.field("target", name_of(target), "document, pair or ranking");
  visitor.field("abstains", abstains, "why no conclusion should be drawn; absent: it may");
  visitor.field("summary", summary, "what is found, in words");
  visitor.field("num_documents", num_documents, "of the query");
  visitor.list("documents", documents,
               "the document, the two of the pair, or all of the ranking, best first");
  visitor.field("measure", measure, "what the value is, in words");
  visitor.field("value", value,
                "what is explained: a score, a difference of scores, the quality of an order");
  visitor.field("base_value", base_value, "what it is with no feature known");
  visitor.list("features", features,
               "the largest attribution first, without those that add nothing");
  visitor.list("interactions", interactions,
               "pairs of features, the largest first; empty: not asked for");
  visitor.object("audit", audit, "how far the explanation can be trusted");
}

ExplanationView view_explanation(const Explanation& explanation, const ExplainedQuery& query,
                                 const ExplanationNames& names) {
  ExplanationView view{.explainer = explanation.explainer,
                       .query = query.id,
                       .target = explanation.target.kind,
                       .num_documents = query.num_documents(),
                       .documents = {},
                       .measure = {},
                       .base_words = explanation.base_words,
                       .value_sentence = explanation.value_sentence,
                       .value = explanation.value,
                       .base_value = explanation.base_value,
                       .features = {},
                       .interactions = viewed_interactions(explanation, names),
                       .audit = explanation.audit,
                       .abstains = {},
                       .summary = {}};
  if (!explanation.abstains.empty()) view.abstains = explanation.abstains;
  for (const std::uint32_t d : viewed_documents(explanation.target, query)) {
    ViewedDocument document{
        .document = names.documents[d], .rank = query.ranks[d] + 1, .score = query.scores[d]};
    if (!query.grades.empty()) document.grade = query.grades[d];
    view.documents.push_back(std::move(document));
  }
  for (const std::uint32_t f : listed_features(explanation)) {
    view.features.push_back(viewed_feature(explanation, f, query, names));
  }
  add_shares(view);
  view.measure = measure_of(view);
  view.summary = explanation_summary(view);
  return view;
}

OtherFeatures other_features(const ExplanationView& view, std::size_t num_shown) {
  OtherFeatures others;
  for (std::size_t i = num_shown; i < view.features.size(); ++i) {
    ++others.num_features;
    others.attribution += view.features[i].attribution.value_or(0);
  }
  return others;
}

Table explanation_table(std::span<const ExplanationView> views) {
  Table table({{"query"},
               {"target"},
               {"document"},
               {"other"},
               {"explainer"},
               {"value_explained"},
               {"base_value"},
               {"index"},
               {"feature"},
               {"is_chosen"},
               {"value"},
               {"other_value"},
               {"low"},
               {"high"},
               {"attribution"},
               {"standard_error"},
               {"share"},
               {"gain"},
               {"abstains"}});
  const auto number = [](const std::optional<double>& value) {
    return value ? cell(*value) : Cell();
  };
  // A feature's value is a float: as a double it would have digits that nobody wrote.
  const auto feature_value = [](const std::optional<double>& value) {
    return value ? cell(static_cast<float>(*value)) : Cell();
  };
  for (const ExplanationView& view : views) {
    const bool is_ranking = view.target == TargetKind::kRanking;
    const bool is_pair = view.target == TargetKind::kPair;
    for (const ViewedFeature& each : view.features) {
      table.add({cell(view.query), cell(name_of(view.target)),
                 is_ranking ? Cell() : cell(view.documents[0].document),
                 is_pair ? cell(view.documents[1].document) : Cell(), cell(view.explainer),
                 cell(view.value), cell(view.base_value), cell(each.index), cell(each.feature),
                 cell(each.is_chosen ? 1 : 0), feature_value(each.value),
                 feature_value(each.other_value), feature_value(each.low), feature_value(each.high),
                 number(each.attribution), number(each.standard_error), number(each.share),
                 number(each.gain), view.abstains ? cell(*view.abstains) : Cell()});
    }
  }
  return table;
}

}  // namespace glassrank
