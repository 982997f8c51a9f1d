#include <algorithm>
#include <functional>

#include "glassrank/methods/cleaners/oddness.h"
#include "glassrank/report/bundle/parts.h"
#include "glassrank/studies/breakdown.h"
#include "glassrank/studies/outlier_trace.h"
#include "glassrank/studies/rank_trace.h"
#include "glassrank/studies/study_tables.h"

namespace glassrank {
namespace {

constexpr std::size_t kCounts = 120;         // numbers of trees at which outliers are counted
constexpr std::size_t kTraces = 6;           // queries whose ranks are followed
constexpr std::size_t kTraceColumns = 80;    // numbers of trees there
constexpr std::size_t kTraceDocuments = 60;  // in one query: more cannot be told apart
constexpr std::size_t kOddFeatures = 3;
constexpr std::size_t kHistories = 150;
constexpr std::size_t kMostSuspects = 3'000;  // documents that are compared with their grade
constexpr std::uint64_t kPermutations = 10'000;

// The window begins after a tenth of the trees: the first ones leave most documents tied.
std::size_t window_start(std::size_t num_trees) { return std::max<std::size_t>(1, num_trees / 10); }

std::vector<std::uint32_t> narrow(std::span<const std::size_t> values) {
  return {values.begin(), values.end()};
}

// Numbers of trees at which it becomes an outlier or stops being one.
std::vector<std::uint32_t> changes_of(const OutlierHistory& history, std::size_t num_trees) {
  std::vector<std::uint32_t> changes;
  bool is_outlier = false;
  for (std::size_t t = 1; t <= num_trees; ++t) {
    if (history.after(t) == is_outlier) continue;
    is_outlier = !is_outlier;
    changes.push_back(static_cast<std::uint32_t>(t));
  }
  return changes;
}

// Most often wrong first; of equal ones the first row.
std::vector<const OutlierHistory*> by_share(const OutlierTrace& trace) {
  std::vector<const OutlierHistory*> order;
  for (const OutlierHistory& history : trace.documents) order.push_back(&history);
  std::ranges::stable_sort(order, std::greater<>(), &OutlierHistory::num_rounds);
  return order;
}

// Evenly from the most often wrong to the least: the hourglass.
std::vector<BundleHistory> some_histories(std::span<const OutlierHistory* const> order,
                                          const Dataset& data, std::size_t num_trees) {
  std::vector<BundleHistory> histories;
  const std::vector<std::uint32_t> query_of = data.queries().query_of_rows();
  const std::size_t size = std::min(order.size(), kHistories);
  for (std::size_t i = 0; i < size; ++i) {
    const OutlierHistory& history = *order[i * order.size() / size];
    histories.push_back({.query = data.queries().id(query_of[history.row]),
                         .document = data.document_name(history.row),
                         .grade = data.grades()[history.row],
                         .changes = changes_of(history, num_trees)});
  }
  return histories;
}

struct Suspect {
  const OutlierHistory* history;
  OddRow odd;
};
// Outliers over the whole window, those first whose features look most like another grade.
std::vector<Suspect> suspects_of(std::span<const OutlierHistory* const> order, const Dataset& data,
                                 std::size_t start, std::size_t num_trees, const Context& context) {
  std::vector<Suspect> suspects;
  std::vector<std::uint32_t> rows;
  for (const OutlierHistory* history : order) {
    if (!history->is_consistent(start, num_trees) || rows.size() == kMostSuspects) continue;
    suspects.push_back({history, {}});
    rows.push_back(history->row);
  }
  if (rows.empty()) return suspects;
  std::vector<OddRow> odd = Oddness(data, context).of(rows, kOddFeatures, context);
  for (std::size_t i = 0; i < rows.size(); ++i) suspects[i].odd = std::move(odd[i]);
  std::ranges::stable_sort(suspects, std::greater<>(), [](const Suspect& suspect) {
    return suspect.odd.own_distance - suspect.odd.distance;
  });
  return suspects;
}

BundleTrace trace_query(const Forest& forest, const Dataset& data, std::size_t query,
                        std::span<const std::uint32_t> outliers) {
  const RankTrace trace = trace_ranks(forest, data, query);
  const RowRange rows = data.queries().rows(query);
  BundleTrace result{.query = data.queries().id(query), .num_trees = {}, .documents = {}};
  const std::vector<std::size_t> rounds = even_rounds(trace.num_rounds, kTraceColumns);
  result.num_trees = narrow(rounds);
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    const std::size_t d = row - rows.begin;
    BundleTraceDocument document{
        .document = data.document_name(row),
        .grade = data.grades()[row],
        .is_outlier = std::ranges::binary_search(outliers, static_cast<std::uint32_t>(row)),
        .ranks = {}};
    for (const std::size_t round : rounds) document.ranks.push_back(trace.ranks[d][round - 1]);
    result.documents.push_back(std::move(document));
  }
  // Those that end at the top, and every outlier.
  std::ranges::stable_sort(result.documents, {}, [](const BundleTraceDocument& document) {
    return document.ranks.back();
  });
  std::vector<BundleTraceDocument> kept;
  for (BundleTraceDocument& document : result.documents) {
    if (kept.size() < kTraceDocuments || document.is_outlier) kept.push_back(std::move(document));
  }
  result.documents = std::move(kept);
  return result;
}

// The queries with most outliers.
std::vector<std::size_t> telling_queries(const Dataset& data,
                                         std::span<const std::uint32_t> outliers) {
  const std::vector<std::uint32_t> query_of = data.queries().query_of_rows();
  std::vector<std::size_t> counts(data.num_queries());
  for (const std::uint32_t row : outliers) ++counts[query_of[row]];
  std::vector<std::size_t> queries;
  for (std::size_t q = 0; q < counts.size(); ++q) {
    if (counts[q] > 0) queries.push_back(q);
  }
  std::ranges::stable_sort(queries, std::greater<>(), [&](std::size_t q) { return counts[q]; });
  queries.resize(std::min(queries.size(), kTraces));
  return queries;
}

std::vector<BundleQueryGroup> quality_groups(const BundleSetting& setting, const Forest& forest,
                                             const OutlierRule& rule, std::size_t start,
                                             std::span<const std::vector<double>> query_values,
                                             const Context& context) {
  // Of the ranked data, whose queries have values.
  const Dataset& data = setting.task.data;
  const OutlierTrace trace = trace_outliers(forest, data, rule, context);
  std::vector<bool> with = queries_with(
      data.queries(), consistent_rows(trace, start, trace.num_rounds, DocumentType::kAll));
  std::vector<BundleQueryGroup> groups;
  for (const char* name : {"all queries", "queries with outliers", "queries without outliers"}) {
    std::vector<bool> chosen(with.size(), true);
    if (groups.size() == 1) chosen = with;
    if (groups.size() == 2) {
      with.flip();
      chosen = with;
    }
    const GroupQuality quality = quality_on(name, query_values, chosen, kPermutations, context);
    BundleQueryGroup group{.group = name, .num_queries = quality.num_queries, .means = {}};
    for (std::size_t m = 0; m < setting.task.models.size(); ++m) {
      group.means.emplace_back(setting.task.models[m].name, quality.means[m]);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

BundleOutliers outliers_of(const BundleSetting& setting, const std::string& name,
                           const Forest& forest, std::span<const std::vector<double>> query_values,
                           const Context& context) {
  const bool is_train = setting.task.train.num_rows() > 0;
  const Dataset data = is_train ? choose_queries(setting.task.train,
                                                 static_cast<std::size_t>(setting.params.documents))
                                      .data
                                : setting.shown.data;
  const OutlierRule rule{.cutoff = static_cast<std::size_t>(setting.params.cutoff)};
  const OutlierTrace trace = trace_outliers(forest, data, rule, context);
  const std::size_t num_trees = trace.num_rounds;
  const std::size_t start = window_start(num_trees);
  const WindowCount window = count_consistent(trace, start, num_trees);
  BundleOutliers result{.model = name,
                        .data = is_train ? "training data" : "data",
                        .cutoff = rule.cutoff,
                        .num_trees = num_trees,
                        .window_start = start,
                        .num_rows = data.num_rows(),
                        .num_negative = window.negative,
                        .num_positive = window.positive};
  for (const std::size_t round : even_rounds(num_trees, kCounts)) {
    std::uint32_t negative = 0;
    std::uint32_t positive = 0;
    for (const OutlierHistory& history : trace.documents) {
      if (history.after(round)) ++(history.is_negative ? negative : positive);
    }
    result.trees.push_back(static_cast<std::uint32_t>(round));
    result.negative.push_back(negative);
    result.positive.push_back(positive);
  }
  const std::vector<std::uint32_t> query_of = data.queries().query_of_rows();
  const std::vector<const OutlierHistory*> order = by_share(trace);
  result.num_ever = order.size();
  result.histories = some_histories(order, data, num_trees);
  for (const Suspect& suspect : suspects_of(order, data, start, num_trees, context)) {
    if (result.documents.size() == static_cast<std::size_t>(setting.params.outliers)) break;
    const OutlierHistory& history = *suspect.history;
    BundleOutlier outlier{
        .query = data.queries().id(query_of[history.row]),
        .document = data.document_name(history.row),
        .grade = data.grades()[history.row],
        .looks_like = suspect.odd.looks_like,
        .share = static_cast<double>(history.num_rounds) / static_cast<double>(num_trees),
        .changes = changes_of(history, num_trees),
        .odd_features = {}};
    for (const OddFeature& feature : suspect.odd.features) {
      if (feature.feature >= setting.names.size()) continue;  // the data has more than the model
      outlier.odd_features.push_back({.feature = setting.names[feature.feature],
                                      .value = feature.value,
                                      .typical = feature.typical,
                                      .difference = feature.difference});
    }
    result.documents.push_back(std::move(outlier));
  }
  const std::vector<std::uint32_t> consistent =
      consistent_rows(trace, start, num_trees, DocumentType::kAll);
  for (const std::size_t query : telling_queries(data, consistent)) {
    result.traces.push_back(trace_query(forest, data, query, consistent));
  }
  result.groups = quality_groups(setting, forest, rule, start, query_values, context);
  return result;
}

}  // namespace

std::optional<BundleOutliers> bundle_outliers(const BundleSetting& setting,
                                              std::span<const std::vector<double>> query_values,
                                              const Context& context) {
  std::optional<BundleOutliers> outliers;
  for (const ReportModel& model : setting.task.models) {
    if (outliers) break;
    match(
        model.model,
        [&](const Forest& forest) {
          if (forest.trees().size() < 2) return;
          outliers = outliers_of(setting, model.name, forest, query_values, context);
        },
        [](const auto&) {});
  }
  return outliers;
}

}  // namespace glassrank
