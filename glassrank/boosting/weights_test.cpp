// Row and query weights: gradient and hessian of a row times its weight.

#include <cmath>
#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/boosting/gradients.h"
#include "glassrank/objectives/registry.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

using testing::Gradients;
using testing::with_threads;

constexpr std::size_t kNumQueries = 12;
constexpr std::size_t kQuerySize = 10;
constexpr std::size_t kNumFeatures = 3;

struct Row {
  std::size_t query;
  std::size_t document;
  float weight;
};

// Features of few values, so that every value has a bin whichever rows there are.
float value_of(const Row& row, std::size_t feature) {
  const CounterRandom random(feature, "weights_test");
  return static_cast<float>(random.below(row.query * 100 + row.document, 6));
}

float grade_of(const Row& row) {
  return value_of(row, 0) + value_of(row, 1) > 5 + static_cast<float>(row.document % 3) ? 1 : 0;
}

// One row per entry, `copies` times.
Dataset make_rows(const std::vector<Row>& rows, bool weighted,
                  const std::function<std::size_t(const Row&)>& copies) {
  DatasetParts parts;
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::vector<Row> made;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < copies(row); ++c) {
      const std::string id = fmt::format("{}", row.query);
      if (ids.empty() || ids.back() != id) {
        ids.push_back(id);
        sizes.push_back(0);
      }
      ++sizes.back();
      made.push_back(row);
    }
  }
  parts.queries = QueryGroups(ids, sizes);
  parts.features = Buffer<float>(made.size() * kNumFeatures);
  for (std::size_t r = 0; r < made.size(); ++r) {
    parts.grades.push_back(grade_of(made[r]));
    if (weighted) parts.weights.push_back(made[r].weight);
    for (std::size_t f = 0; f < kNumFeatures; ++f) {
      parts.features[r * kNumFeatures + f] = value_of(made[r], f);
    }
  }
  for (std::size_t f = 0; f < kNumFeatures; ++f) parts.schema.add_feature(fmt::format("f{}", f));
  return Dataset(std::move(parts));
}

std::vector<Row> rows_with(const std::function<float(std::size_t, std::size_t)>& weight) {
  std::vector<Row> rows;
  for (std::size_t q = 0; q < kNumQueries; ++q) {
    for (std::size_t d = 0; d < kQuerySize; ++d) rows.push_back({q, d, weight(q, d)});
  }
  return rows;
}

std::size_t once(const Row& /*row*/) { return 1; }
std::size_t by_weight(const Row& row) { return static_cast<std::size_t>(row.weight); }

BinnedDataset bin(const Dataset& data) {
  return bin_dataset(data, {.min_bin_rows = 1}, with_threads(1));
}

Gradients gradients_of(const BinnedDataset& data, const std::string& name,
                       std::optional<std::span<const std::uint32_t>> documents, int threads) {
  const auto objective = make_objective({.objective = name}, 3);
  objective->prepare(
      {.grades = data.grades(), .weights = data.weights(), .queries = data.queries()});
  const CounterRandom random(1, "scores");
  std::vector<double> scores;
  for (std::size_t r = 0; r < data.num_rows(); ++r) scores.push_back(random.normal(r));
  Gradients out{.gradient = std::vector<float>(data.num_rows()),
                .hessian = std::vector<float>(data.num_rows())};
  compute_gradients(
      {.data = data, .objective = *objective, .scores = scores, .documents = documents},
      {.gradient = out.gradient, .hessian = out.hessian}, with_threads(threads));
  return out;
}

TEST(Weights, MultiplyGradientAndHessianOfTheirRow) {
  const auto rows = rows_with(
      [](std::size_t q, std::size_t d) { return 0.25F * static_cast<float>((q + d) % 5); });
  const BinnedDataset weighted = bin(make_rows(rows, true, once));
  const BinnedDataset plain = bin(make_rows(rows, false, once));
  std::vector<std::uint32_t> some;
  for (std::uint32_t r = 0; r < weighted.num_rows(); r += 1 + r % 3) some.push_back(r);
  for (const ObjectiveInfo& info : objective_table()) {
    for (const auto& documents : {std::optional<std::span<const std::uint32_t>>(),
                                  std::optional<std::span<const std::uint32_t>>(some)}) {
      const std::string name(info.name);
      const Gradients with = gradients_of(weighted, name, documents, 2);
      const Gradients without = gradients_of(plain, name, documents, 1);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        ASSERT_EQ(with.gradient[r], without.gradient[r] * rows[r].weight) << name;
        ASSERT_EQ(with.hessian[r], without.hessian[r] * rows[r].weight) << name;
      }
    }
  }
}

std::vector<double> scores_of(const Dataset& data, const std::string& objective_name,
                              Precision precision, const Dataset& probe) {
  const auto objective = make_objective({.objective = objective_name}, 0);
  const Forest forest = boost({.train = bin(data), .objective = objective.get()},
                              {.num_trees = 5,
                               .num_leaves = 6,
                               .min_leaf_rows = 0,
                               .min_leaf_hessian = 0,
                               .precision = precision},
                              with_threads(2))
                            .forest;
  std::vector<double> scores;
  for (std::size_t r = 0; r < probe.num_rows(); ++r) scores.push_back(forest.score(probe.row(r)));
  return scores;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance);
}

// Of losses that do not see queries a weight of 2 is the row twice, a weight of 0 no row.
TEST(Weights, OfPointwiseLossesAreCopiesOfRows) {
  const auto rows =
      rows_with([](std::size_t q, std::size_t d) { return static_cast<float>((3 * q + d) % 3); });
  const Dataset weighted = make_rows(rows, true, once);
  const Dataset copied = make_rows(rows, false, by_weight);
  for (const std::string name : {"squared_error", "logistic"}) {
    expect_near(scores_of(weighted, name, Precision::kFull, weighted),
                scores_of(copied, name, Precision::kFull, weighted), 1e-5);
  }
}

// A query's weight is the weight of its rows: 2 is the query twice, 0 no query.
TEST(Weights, OfQueriesAreCopiesOfQueries) {
  const auto rows = rows_with([](std::size_t q, std::size_t) { return static_cast<float>(q % 3); });
  std::vector<Row> repeated;
  for (std::size_t q = 0; q < kNumQueries; ++q) {
    for (std::size_t copy = 0; copy < q % 3; ++copy) {
      for (std::size_t d = 0; d < kQuerySize; ++d) repeated.push_back({q, d, 1});
    }
  }
  // Two copies in a row would look like one query of twice the size.
  std::vector<Row> alternating;
  for (const std::size_t copy : {0, 1}) {
    std::size_t seen = 0;
    for (const Row& row : repeated) {
      const bool second = row.query % 3 == 2 && (seen % (2 * kQuerySize)) >= kQuerySize;
      if (row.query % 3 == 2) ++seen;
      if (second == (copy == 1)) alternating.push_back(row);
    }
  }
  const Dataset weighted = make_rows(rows, true, once);
  const Dataset copied = make_rows(alternating, false, once);
  EXPECT_EQ(copied.num_queries(), kNumQueries);  // 4 once, 4 twice
  for (const std::string name : {"lambdarank", "pairwise"}) {
    expect_near(scores_of(weighted, name, Precision::kFull, weighted),
                scores_of(copied, name, Precision::kFull, weighted), 1e-5);
  }
}

TEST(Weights, OfZeroEverywhereTeachNothing) {
  const auto rows = rows_with([](std::size_t, std::size_t) { return 0.0F; });
  const Dataset data = make_rows(rows, true, once);
  for (const ObjectiveInfo& info : objective_table()) {
    for (const Precision precision : {Precision::kFull, Precision::kFast}) {
      for (const double score : scores_of(data, std::string(info.name), precision, data)) {
        EXPECT_TRUE(std::isfinite(score)) << info.name;
      }
    }
  }
  EXPECT_EQ(scores_of(data, "lambdarank", Precision::kFast, data),
            std::vector<double>(rows.size(), 0.0));
}

TEST(EveryObjective, GivesTheSameGradientsAndForestForAnyNumberOfThreads) {
  const auto rows =
      rows_with([](std::size_t q, std::size_t) { return 1 + static_cast<float>(q % 2); });
  const Dataset data = make_rows(rows, true, once);
  const BinnedDataset binned = bin(data);
  for (const ObjectiveInfo& info : objective_table()) {
    const std::string name(info.name);
    const Gradients one = gradients_of(binned, name, std::nullopt, 1);
    const auto forest_with = [&](int threads) {
      const auto objective = make_objective({.objective = name}, 3);
      return boost({.train = binned, .objective = objective.get()},
                   {.num_trees = 3, .num_leaves = 4, .min_leaf_rows = 2}, with_threads(threads))
          .forest;
    };
    const Forest first = forest_with(1);
    for (const int threads : {2, 4}) {
      const Gradients many = gradients_of(binned, name, std::nullopt, threads);
      EXPECT_EQ(many.gradient, one.gradient) << name;
      EXPECT_EQ(many.hessian, one.hessian) << name;
      EXPECT_TRUE(std::ranges::equal(forest_with(threads).trees(), first.trees())) << name;
    }
  }
}

}  // namespace
}  // namespace glassrank
