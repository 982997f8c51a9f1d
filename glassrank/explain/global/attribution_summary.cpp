#include "glassrank/explain/global/attribution_summary.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/math/rank_correlation.h"

namespace glassrank {
namespace {

constexpr std::size_t kBlockRows = 8192;

// Sums of one query and one feature.
struct QuerySums {
  double sum = 0;
  double amount = 0;
  double within = 0;
};

struct Gathered {
  std::vector<QuerySums> sums;     // [query][feature]
  std::vector<std::size_t> drawn;  // rows, ascending
  std::vector<double> phi;         // [drawn][feature]
  std::vector<double> within;      // [drawn][feature]
};

std::vector<std::size_t> drawn_documents(const Dataset& data, std::size_t wanted,
                                         std::uint64_t seed) {
  std::vector<std::size_t> rows(data.num_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (wanted < rows.size()) {
    RandomSequence random(CounterRandom(seed, "attribution summary"));
    for (std::size_t i = 0; i < wanted; ++i) {
      std::swap(rows[i], rows[i + random.below(rows.size() - i)]);
    }
    rows.resize(wanted);
    std::ranges::sort(rows);
  }
  return rows;
}

class Gatherer {
 public:
  Gatherer(const SummaryTask& task, AttributionsOf attributions, const SummaryParams& params,
           const Context& context)
      : data_(task.data),
        names_(task.features),
        attributions_(attributions),
        context_(context),
        width_(task.features.size()) {
    gathered_.sums.resize(data_.num_queries() * width_);
    gathered_.drawn =
        drawn_documents(data_, static_cast<std::size_t>(params.quantile_documents), context.seed);
    gathered_.phi.resize(gathered_.drawn.size() * width_);
    gathered_.within.resize(gathered_.drawn.size() * width_);
  }

  Gathered run() {
    Progress progress(context_, "explaining", "rows", data_.num_rows());
    for (std::size_t query = 0; query < data_.num_queries();) {
      context_.check_stop();
      const std::size_t begin = data_.queries().rows(query).begin;
      std::size_t last = query;
      while (last + 1 < data_.num_queries() &&
             data_.queries().rows(last + 1).end - begin <= kBlockRows) {
        ++last;
      }
      add_block(query, last + 1);
      progress.add(data_.queries().rows(last).end - begin);
      progress.report();
      query = last + 1;
    }
    return std::move(gathered_);
  }

 private:
  // Queries from `first` up to `end`.
  void add_block(std::size_t first, std::size_t end) {
    const RowRange rows{data_.queries().rows(first).begin, data_.queries().rows(end - 1).end};
    std::vector<double> phi(rows.size() * width_);
    attributions_({.first = first,
                   .end = end,
                   .rows = {data_.row(rows.begin).data(), rows.size(), data_.num_features()}},
                  {phi.data(), rows.size(), width_}, context_);
    check_finite(phi, rows.begin);
    parallel_for(context_, end - first, 16, [&](std::size_t from, std::size_t to) {
      for (std::size_t q = first + from; q < first + to; ++q) add_query(q, rows.begin, phi);
    });
  }

  void check_finite(std::span<const double> phi, std::size_t first_row) const {
    const auto found =
        std::ranges::find_if(phi, [](double value) { return !std::isfinite(value); });
    if (found == phi.end()) return;
    const auto place = static_cast<std::size_t>(found - phi.begin());
    fail(ErrorKind::kInput, "the attribution of {} in row {} is {}", names_[place % width_],
         first_row + place / width_ + 1, *found);
  }

  void add_query(std::size_t query, std::size_t first_row, std::span<const double> phi) {
    const RowRange rows = data_.queries().rows(query);
    QuerySums* const sums = gathered_.sums.data() + query * width_;
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      for (std::size_t f = 0; f < width_; ++f) {
        const double value = phi[(r - first_row) * width_ + f];
        sums[f].sum += value;
        sums[f].amount += std::abs(value);
      }
    }
    auto next = std::ranges::lower_bound(gathered_.drawn, rows.begin);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const bool is_drawn = next != gathered_.drawn.end() && *next == r;
      const auto place = static_cast<std::size_t>(next - gathered_.drawn.begin()) * width_;
      for (std::size_t f = 0; f < width_; ++f) {
        const double value = phi[(r - first_row) * width_ + f];
        const double within = value - sums[f].sum / static_cast<double>(rows.size());
        sums[f].within += std::abs(within);
        if (!is_drawn) continue;
        gathered_.phi[place + f] = value;
        gathered_.within[place + f] = within;
      }
      if (is_drawn) ++next;
    }
  }

  const Dataset& data_;
  std::span<const std::string> names_;
  AttributionsOf attributions_;
  const Context& context_;
  std::size_t width_;
  Gathered gathered_;
};

// Values that occur; `values` are sorted.
std::vector<double> quantiles_of(std::span<const double> values, std::span<const double> shares) {
  std::vector<double> result;
  for (const double share : shares) {
    const double place = share * static_cast<double>(values.size() - 1);
    result.push_back(values[static_cast<std::size_t>(std::llround(place))]);
  }
  return result;
}

// Missing values do not count.
double direction_of(const Dataset& data, std::span<const std::size_t> drawn, std::size_t feature,
                    std::span<const double> phi) {
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const float value = data.row(drawn[i])[feature];
    if (std::isnan(value)) continue;
    x.push_back(value);
    y.push_back(phi[i]);
  }
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  return spearman(x, y).value_or(std::numeric_limits<double>::quiet_NaN());
}

// Queries of a group, and which of the drawn documents are theirs.
struct GroupParts {
  std::span<const std::uint32_t> queries;
  std::vector<std::size_t> places;
};

GroupParts parts_of(const QuerySelection& group, const Dataset& data, const Gathered& gathered) {
  GroupParts parts{.queries = group.queries, .places = {}};
  for (const std::uint32_t q : group.queries) {
    const RowRange rows = data.queries().rows(q);
    auto next = std::ranges::lower_bound(gathered.drawn, rows.begin);
    for (; next != gathered.drawn.end() && *next < rows.end; ++next) {
      parts.places.push_back(static_cast<std::size_t>(next - gathered.drawn.begin()));
    }
  }
  return parts;
}

FeatureSummary feature_summary(const SummaryTask& task, const SummaryParams& params,
                               const Gathered& gathered, const GroupParts& group,
                               std::size_t feature) {
  const std::size_t width = task.features.size();
  FeatureSummary summary{
      .feature = task.features[feature], .quantiles = {}, .quantiles_within = {}};
  double total = 0;
  for (const std::uint32_t q : group.queries) {
    const auto size = static_cast<double>(task.data.queries().rows(q).size());
    const double weight = params.each == SummaryUnit::kQuery ? 1 / size : 1;
    const QuerySums& sums = gathered.sums[q * width + feature];
    summary.mean += weight * sums.sum;
    summary.mean_amount += weight * sums.amount;
    summary.mean_amount_within += weight * sums.within;
    total += weight * size;
  }
  summary.mean /= total;
  summary.mean_amount /= total;
  summary.mean_amount_within /= total;
  std::vector<std::size_t> drawn;
  std::vector<double> phi;
  std::vector<double> within;
  for (const std::size_t i : group.places) {
    drawn.push_back(gathered.drawn[i]);
    phi.push_back(gathered.phi[i * width + feature]);
    within.push_back(gathered.within[i * width + feature]);
  }
  summary.direction = direction_of(task.data, drawn, feature, phi);
  if (drawn.empty()) return summary;
  std::ranges::sort(phi);
  std::ranges::sort(within);
  summary.quantiles = quantiles_of(phi, params.quantiles);
  summary.quantiles_within = quantiles_of(within, params.quantiles);
  return summary;
}

GroupSummary group_summary(const SummaryTask& task, const SummaryParams& params,
                           const Gathered& gathered, const QuerySelection& group,
                           const Context& context) {
  if (group.queries.empty()) fail(ErrorKind::kUsage, "group '{}' has no queries", group.name);
  GroupSummary summary{
      .name = group.name, .num_queries = group.queries.size(), .num_rows = 0, .features = {}};
  for (const std::uint32_t q : group.queries)
    summary.num_rows += task.data.queries().rows(q).size();
  const GroupParts parts = parts_of(group, task.data, gathered);
  summary.features.resize(task.features.size());
  parallel_for(context, task.features.size(), 1, [&](std::size_t f, std::size_t) {
    summary.features[f] = feature_summary(task, params, gathered, parts, f);
  });
  return summary;
}

}  // namespace

AttributionSummary summarise_attributions(const SummaryTask& task, AttributionsOf attributions,
                                          const SummaryParams& params, const Context& context) {
  check_params(params);
  if (task.data.num_rows() == 0) fail(ErrorKind::kInput, "there are no documents to summarise");
  const Gathered gathered = Gatherer(task, attributions, params, context).run();
  QuerySelection all{.name = "all", .queries = {}};
  for (std::uint32_t q = 0; q < task.data.num_queries(); ++q) all.queries.push_back(q);
  AttributionSummary summary{.params = params, .all = {}, .groups = {}};
  summary.all = group_summary(task, params, gathered, all, context);
  for (const QuerySelection& group : task.groups) {
    summary.groups.push_back(group_summary(task, params, gathered, group, context));
  }
  return summary;
}

std::vector<std::size_t> features_by_amount_within(const GroupSummary& group) {
  std::vector<std::size_t> order(group.features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t f) { return group.features[f].mean_amount_within; });
  return order;
}

}  // namespace glassrank
