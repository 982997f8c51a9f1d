#include "glassrank/methods/coordinate_ascent/scored_rows.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/metrics/ranking.h"
#include "glassrank/metrics/registry.h"
#include "testing/synthetic_test_data.h"

namespace glassrank {
namespace {

// Four columns: usual values; many zeros; copies of few values, so that scores are often equal;
// values so large that adding them drowns differences of scores.
Dataset hard_data() {
  RandomSequence random(CounterRandom(3, "scored rows"));
  DatasetParts parts;
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  for (std::size_t q = 0; q < 60; ++q) {
    ids.push_back(fmt::format("q{}", q));
    sizes.push_back(1 + random.below(40));
  }
  parts.queries = QueryGroups(ids, sizes);
  parts.features = Buffer<float>(parts.queries.num_rows() * 4);
  float* x = parts.features.data();
  for (std::size_t r = 0; r < parts.queries.num_rows(); ++r, x += 4) {
    x[0] = static_cast<float>(random.uniform());
    x[1] = random.below(3) == 0 ? static_cast<float>(random.normal()) : 0.0F;
    x[2] = static_cast<float>(random.below(3));
    x[3] = 1e12F + (random.below(2) == 0 ? 0.0F : 1e6F);
    parts.grades.push_back(random.below(4) == 0 ? static_cast<float>(random.below(3)) : 0.0F);
    parts.weights.push_back(static_cast<float>(1 + random.below(3)));
  }
  for (std::size_t f = 0; f < 4; ++f) parts.schema.add_feature(fmt::format("x{}", f));
  return Dataset(std::move(parts));
}

// Every query scored and ranked anew; a feature with one value in a query moves nothing there.
double slow_mean(const Dataset& data, const FeatureScaling& scaling,
                 std::span<const double> weights, std::size_t feature, double change,
                 const Metric& metric) {
  double sum = 0;
  double total = 0;
  RankingScratch scratch;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    std::vector<double> scores;
    double weight = 0;
    const float first = data.row(rows.begin)[feature];
    bool varies = false;
    for (std::size_t r = rows.begin; r < rows.end; ++r) varies |= data.row(r)[feature] != first;
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      double score = 0;
      for (std::size_t f = 0; f < weights.size(); ++f) {
        score += weights[f] * scaling.scaled(f, data.row(r)[f]);
      }
      const double x = scaling.scaled(feature, data.row(r)[feature]);
      scores.push_back(varies ? score + change * x : score);
      weight += data.weight(r);
    }
    weight /= static_cast<double>(rows.size());
    const Ranking ranking =
        rank_documents({.scores = scores,
                        .grades = data.grades().subspan(rows.begin, rows.size()),
                        .document_ids = {},
                        .missed_grades = {}},
                       {.tie_groups = metric.needs_tie_groups()}, true, scratch);
    double value = metric.evaluate(ranking);
    if (std::isnan(value) && !metric.empty().skip) value = metric.empty().value;
    if (std::isnan(value)) continue;
    sum += weight * value;
    total += weight;
  }
  return sum / total;
}

std::vector<double> doubling_changes() {
  std::vector<double> changes = {-0.25, 0};
  for (double step = 0.001, change = step; changes.size() < 50; step *= 2, change += step) {
    changes.push_back(change);
    changes.push_back(-change);
  }
  return changes;
}

TEST(ScoredRows, TriesAreWhatRankingAnewGives) {
  const Dataset data = hard_data();
  const std::vector<double> weights = {0.25, 0.25, -0.25, 0.25};
  const std::vector<double> changes = doubling_changes();
  for (const Normalise normalise : {Normalise::kStandardise, Normalise::kNone}) {
    const FeatureScaling scaling = find_scaling(data, normalise, {});
    for (const char* name : {"ndcg@10", "ndcg", "map", "err@3", "p@5", "kendall"}) {
      WatchParams watch;
      watch.metric = {name};
      ScoredRows rows(data, scaling, watch);
      rows.set_weights(weights, {});
      const auto metric = make_metric(parse_metric(name), watch.convention());
      EXPECT_EQ(rows.mean(), slow_mean(data, scaling, weights, 0, 0, *metric)) << name;
      for (std::size_t feature = 0; feature < 4; ++feature) {
        const auto found = rows.means_with(feature, changes, context_with(2));
        for (std::size_t i = 0; i < changes.size(); ++i) {
          EXPECT_EQ(found[i], slow_mean(data, scaling, weights, feature, changes[i], *metric))
              << name << ", feature " << feature << " by " << changes[i];
        }
      }
    }
  }
}

// Crossings that lie exactly at a change, or so near that rounding decides.
TEST(ScoredRows, PairsAtTheirPlaceAreCompared) {
  DatasetParts parts;
  const std::vector<float> x = {0, 1, 0.1F, 1, 0.3F, 1};
  parts.features = Buffer<float>(x.size());
  std::ranges::copy(x, parts.features.data());
  parts.grades = {1, 0, 2};
  parts.queries = QueryGroups({"q"}, std::vector<std::size_t>{3});
  parts.schema.add_feature("a");
  parts.schema.add_feature("b");
  const Dataset data(std::move(parts));
  const FeatureScaling scaling = find_scaling(data, Normalise::kNone, {});
  WatchParams watch;
  ScoredRows rows(data, scaling, watch);
  const std::vector<double> weights = {0.7, 0.3};
  rows.set_weights(weights, {});
  const auto metric = make_metric(parse_metric("ndcg@10"), watch.convention());
  const std::vector<double> changes = {-0.7, -0.7 - 1e-16, -0.7 + 1e-16, std::nextafter(-0.7, 0),
                                       0};
  const auto found = rows.means_with(0, changes, {});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EXPECT_EQ(found[i], slow_mean(data, scaling, weights, 0, changes[i], *metric)) << i;
  }
}

}  // namespace
}  // namespace glassrank
