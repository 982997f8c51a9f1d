#include "glassrank/explain/permutation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/base/random.h"
#include "glassrank/metrics/bootstrap.h"
#include "glassrank/metrics/evaluate.h"

namespace glassrank {
namespace {

// Rows copied at a time to change one column of them: they stay in the second-level cache. A scorer
// that takes turns wants all of them.
constexpr std::size_t kBlockRows = 512;
// Features between two looks at progress; their values of every repeat are kept meanwhile.
constexpr std::size_t kFeaturesAtOnce = 16;

// The metric of every query with one column replaced.
class PermutedMetric {
 public:
  PermutedMetric(const Scorer& scorer, const Dataset& data, const PermutationParams& params,
                 const Convention& convention, const Context& context)
      : data_(data),
        params_(params),
        convention_(convention),
        metric_{parse_metric(params.metric)},
        scorer_(scorer),
        block_rows_(scorer.takes_turns() ? data.num_rows() : kBlockRows),
        seed_(context.seed) {}

  std::vector<double> unchanged(const Context& context) const {
    return values(score_all(scorer_, data_, context), context);
  }

  std::vector<double> permuted(std::size_t feature, std::size_t repeat,
                               const Context& context) const {
    const std::vector<float> column =
        permuted_column(data_, feature, repeat, params_.permute, seed_);
    const std::size_t width = data_.num_features();
    std::vector<double> scores(data_.num_rows());
    std::vector<float> block(std::min(block_rows_, scores.size()) * width);
    for (std::size_t begin = 0; begin < scores.size(); begin += block_rows_) {
      const std::size_t size = std::min(block_rows_, scores.size() - begin);
      std::copy_n(data_.features().data() + begin * width, size * width, block.begin());
      for (std::size_t i = 0; i < size; ++i) block[i * width + feature] = column[begin + i];
      scorer_.score({block.data(), size, width}, std::span(scores).subspan(begin, size), context);
    }
    return values(scores, context);
  }

 private:
  std::vector<double> values(std::span<const double> scores, const Context& context) const {
    return std::move(evaluate(DatasetLists(data_, scores), metric_, convention_, context)
                         .metrics.front()
                         .values);
  }

  const Dataset& data_;
  const PermutationParams& params_;
  const Convention& convention_;
  std::vector<MetricSpec> metric_;
  const Scorer& scorer_;
  std::size_t block_rows_;
  std::uint64_t seed_;
};

// [feature][repeat][query] for some of the features.
using Values = std::vector<std::vector<std::vector<double>>>;

Values permuted_values(const Scorer& scorer, const PermutedMetric& metric,
                       std::span<const std::uint32_t> features, std::size_t repeats,
                       const Context& context) {
  Values values(features.size(), std::vector<std::vector<double>>(repeats));
  const auto run = [&](std::size_t task, const Context& inside) {
    context.check_stop();
    const std::size_t repeat = task % repeats;
    values[task / repeats][repeat] = metric.permuted(features[task / repeats], repeat, inside);
  };
  const std::size_t num_tasks = features.size() * repeats;
  if (scorer.takes_turns()) {
    for (std::size_t task = 0; task < num_tasks; ++task) run(task, context);
    return values;
  }
  // Threads go to features and repeats; inside one of them there is nothing to share.
  const Context serial{.threads = std::make_shared<const Threads>(1), .stop = context.stop};
  parallel_for(context, num_tasks, 1, [&](std::size_t task, std::size_t) { run(task, serial); });
  return values;
}

// The drop of every query, NaN where a ranking has no value.
std::vector<double> query_drops(std::span<const double> base,
                                const std::vector<std::vector<double>>& repeats) {
  std::vector<double> drops(base.size());
  for (std::size_t q = 0; q < drops.size(); ++q) {
    // Differences first: a query that no permutation touches has drop 0, to the last bit.
    for (const auto& values : repeats) drops[q] += base[q] - values[q];
    drops[q] /= static_cast<double>(repeats.size());
  }
  return drops;
}

// Over the queries that have a value everywhere.
double spread_of_repeats(std::span<const double> drops,
                         const std::vector<std::vector<double>>& repeats) {
  if (repeats.size() < 2) return 0;
  std::vector<double> means;
  for (const auto& values : repeats) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t q = 0; q < drops.size(); ++q) {
      if (std::isnan(drops[q])) continue;
      sum += values[q];
      ++count;
    }
    means.push_back(sum / static_cast<double>(count));
  }
  const double middle = mean_of(means);
  double squares = 0;
  for (const double mean : means) squares += (mean - middle) * (mean - middle);
  return std::sqrt(squares / static_cast<double>(means.size() - 1));
}

// Leaves out the queries that have no value in some ranking; returns how many stay.
std::size_t keep_counted(std::vector<double>& base, std::vector<std::vector<double>>& drops) {
  std::size_t kept = 0;
  for (std::size_t q = 0; q < base.size(); ++q) {
    const bool counts = !std::isnan(base[q]) && std::ranges::none_of(drops, [&](const auto& d) {
      return std::isnan(d[q]);
    });
    if (!counts) continue;
    base[kept] = base[q];
    for (auto& values : drops) values[kept] = values[q];
    ++kept;
  }
  base.resize(kept);
  for (auto& values : drops) values.resize(kept);
  return kept;
}

}  // namespace

std::span<const std::pair<std::string_view, PermuteOver>> EnumNames<PermuteOver>::table() {
  static constexpr std::array<std::pair<std::string_view, PermuteOver>, 2> kTable{{
      {"all", PermuteOver::kAll},
      {"query", PermuteOver::kQuery},
  }};
  return kTable;
}

void PermutationParams::visit(ParamVisitor& visitor) {
  visitor.field("metric", metric, "metric of permutation importance",
                ParamStyle{.value_name = "METRIC"});
  visitor.field("permute", permute, "permute a feature over all documents, or within each query");
  visitor.field("repeats", repeats, "number of permutations of each feature",
                Range{.low = 1, .high = 1e6});
  visitor.field("resamples", resamples, "number of bootstrap resamples over queries",
                Range{.low = 1, .high = 1e9});
  visitor.field("level", level, "level of the intervals",
                Range{.low = 0, .high = 1, .open_low = true, .open_high = true});
}

std::vector<float> permuted_column(const Dataset& data, std::size_t feature, std::size_t repeat,
                                   PermuteOver permute, std::uint64_t seed) {
  std::vector<float> column(data.num_rows());
  for (std::size_t row = 0; row < column.size(); ++row) column[row] = data.features()(row, feature);
  RandomSequence random(
      CounterRandom(seed, "permutation importance", (std::uint64_t{feature} << 32) | repeat));
  if (permute == PermuteOver::kAll) {
    random.shuffle(column);
    return column;
  }
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    random.shuffle(std::span(column).subspan(rows.begin, rows.size()));
  }
  return column;
}

PermutationResult permutation_importance(const Scorer& scorer, const Dataset& data,
                                         const PermutationParams& params,
                                         const Convention& convention, const Context& context) {
  check_params(params);
  const PermutedMetric metric(scorer, data, params, convention, context);
  std::vector<double> base = metric.unchanged(context);
  const std::vector<std::uint32_t> used = scorer.used_features();
  const auto repeats = static_cast<std::size_t>(params.repeats);
  PermutationResult result{.params = params, .features = {}};
  result.features.resize(scorer.num_features());
  std::vector<std::vector<double>> drops;
  Progress progress(context, "permuting", "features", used.size());
  for (std::size_t begin = 0; begin < used.size(); begin += kFeaturesAtOnce) {
    const std::size_t size = std::min(kFeaturesAtOnce, used.size() - begin);
    const auto some = std::span(used).subspan(begin, size);
    for (const auto& values : permuted_values(scorer, metric, some, repeats, context)) {
      drops.push_back(query_drops(base, values));
      result.features[used[drops.size() - 1]].spread = spread_of_repeats(drops.back(), values);
    }
    progress.add(size);
    progress.report();
  }
  result.num_queries = keep_counted(base, drops);
  result.num_skipped = data.num_queries() - result.num_queries;
  if (base.empty()) {
    fail(ErrorKind::kInput, "{}: no query of the data counts, so there is nothing to lose",
         params.metric);
  }
  result.value = mean_of(base);
  if (drops.empty()) return result;
  const BootstrapMeans bootstrap(drops, params.resamples, context);
  parallel_for(context, used.size(), 1, [&](std::size_t i, std::size_t) {
    FeatureDrop& feature = result.features[used[i]];
    feature.mean = mean_of(drops[i]);
    feature.interval = bootstrap.mean_interval(i, {.level = params.level});
  });
  return result;
}

}  // namespace glassrank
