// Two machines that hold half of the queries each train what one machine trains on all of them.

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/boosting/histogram/packed_search.h"
#include "glassrank/boosting/histogram/row_blocks.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"
#include "testing/machines.h"

namespace glassrank {
namespace {

using Machines = std::shared_ptr<const Communicator>;

BoosterParams some_params(Precision precision) {
  return {.num_trees = 8,
          .num_leaves = 12,
          .precision = precision,
          .active = ActiveRows::kSome,
          .active_share = 0.5};
}

Forest train(const BinnedDataset& data, const BoosterParams& params, const Context& context) {
  Lambdarank objective({});
  return boost({.train = data, .objective = &objective}, params, context).forest;
}

// This machine's queries: the first has a third of them.
Dataset own_part(const Dataset& data, const Communicator& machines) {
  const std::size_t third = data.num_queries() / 3;
  const bool is_first = machines.is_first();
  std::vector<std::size_t> queries(is_first ? third : data.num_queries() - third);
  std::iota(queries.begin(), queries.end(), is_first ? 0 : third);
  return select_queries(data, queries).materialise();
}

// The forests of both machines.
std::vector<Forest> train_together(const Dataset& data, const BoosterParams& params,
                                   const std::atomic<bool>* stop_of_the_second = nullptr) {
  std::vector<std::optional<Forest>> forests(2);
  testing::on_machines(2, [&](const Machines& machines) {
    Context context = testing::with_threads(2);
    context.communicator = machines;
    if (!machines->is_first()) context.stop = stop_of_the_second;
    const BinnedDataset own = bin_dataset(own_part(data, *machines), {}, context);
    forests[static_cast<std::size_t>(machines->rank())] = train(own, params, context);
  });
  return {*forests[0], *forests[1]};
}

Dataset some_data() { return testing::make_data({.num_queries = 60}); }

TEST(Communicator, MachinesTogetherTrainWhatOneTrains) {
  const Dataset data = some_data();
  const BinnedDataset whole = bin_dataset(data, {}, testing::with_threads(1));
  for (const Precision precision : {Precision::kFull, Precision::kFast}) {
    const BoosterParams params = some_params(precision);
    const Forest alone = train(whole, params, testing::with_threads(2));
    ASSERT_EQ(alone.trees().size(), 8);
    EXPECT_GT(alone.trees()[0].leaf_values.size(), 6);
    for (const Forest& forest : train_together(data, params)) {
      EXPECT_TRUE(std::ranges::equal(forest.trees(), alone.trees()));
    }
  }
}

TEST(Communicator, MachinesFindTheBinsOfAll) {
  const Dataset data = some_data();
  for (const std::int64_t sample_rows : {0, 100, 5000}) {
    const BinParams params{.sample_rows = sample_rows};
    const BinnedDataset whole = bin_dataset(data, params, testing::with_threads(1));
    testing::on_machines(2, [&](const Machines& machines) {
      Context context = testing::with_threads(1);
      context.communicator = machines;
      const BinnedDataset own = bin_dataset(own_part(data, *machines), params, context);
      EXPECT_EQ(own.edges(), whole.edges());
      EXPECT_EQ(own.num_all_rows(), whole.num_rows());
      for (std::size_t f = 0; f < whole.num_features(); ++f) {
        EXPECT_EQ(own.num_missing(f), whole.num_missing(f));
        EXPECT_EQ(own.is_constant(f), whole.is_constant(f));
      }
    });
  }
}

// What docs/guide/clusters.md says of a tree of L leaves on p machines: each sends L (p - 1) / p
// histograms and L (p - 1) splits, and sums of leaves.
double predicted_traffic(const BinnedDataset& data, const BoosterParams& params, double machines) {
  const double leaves = params.num_leaves;
  double histogram = 0;
  double splits = 0;
  if (params.precision == Precision::kFull) {
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      if (!data.is_constant(f)) histogram += 24 * static_cast<double>(data.num_bins(f));
    }
    splits = 100;
  } else {
    const RowBlocks blocks(data, testing::with_threads(1));
    const auto num_rows = static_cast<double>(data.num_rows());
    const double large = std::min(leaves, num_rows / (num_rows < 100'000 ? 8'000 : 32'000));
    histogram = 4 * static_cast<double>(blocks.plane_size()) * (1 + large / leaves);
    splits = 300;
  }
  return leaves * (machines - 1) * ((histogram + 1'100) / machines + splits);
}

// This machine's queries of about as many as any other's.
Dataset even_part(const Dataset& data, const Communicator& machines) {
  const auto rank = static_cast<std::size_t>(machines.rank());
  const auto size = static_cast<std::size_t>(machines.size());
  const std::size_t first = data.num_queries() * rank / size;
  std::vector<std::size_t> queries(data.num_queries() * (rank + 1) / size - first);
  std::iota(queries.begin(), queries.end(), first);
  return select_queries(data, queries).materialise();
}

// Bytes that this machine sends for a tree, without what a training of any length costs.
double traffic_of_a_tree(const BinnedDataset& own, BoosterParams params, const Context& context,
                         const CountingCommunicator& counting) {
  double sent[2];
  for (const int more : {0, 1}) {
    params.num_trees = 1 + more;
    const std::uint64_t before = counting.traffic().bytes;
    const Forest forest = train(own, params, context);
    EXPECT_EQ(forest.trees().back().leaf_values.size(),
              static_cast<std::size_t>(params.num_leaves));
    sent[more] = static_cast<double>(counting.traffic().bytes - before);
  }
  return sent[1] - sent[0];
}

void compare_traffic(const Dataset& data, const BinParams& bins, int num_machines) {
  const BinnedDataset whole = bin_dataset(data, bins, testing::with_threads(1));
  testing::on_machines(num_machines, [&](const Machines& machines) {
    const auto counting = std::make_shared<const CountingCommunicator>(machines);
    Context context = testing::with_threads(1);
    context.communicator = counting;
    const BinnedDataset own = bin_dataset(even_part(data, *machines), bins, context);
    for (const Precision precision : {Precision::kFast, Precision::kFull}) {
      for (const int leaves : {8, 31, 64}) {
        const BoosterParams params{
            .num_leaves = leaves, .precision = precision, .active = ActiveRows::kAll};
        const double ratio = traffic_of_a_tree(own, params, context, *counting) /
                             predicted_traffic(whole, params, num_machines);
        EXPECT_GT(ratio, 1 / 1.3) << bins.max_bins << " bins, " << leaves << " leaves";
        EXPECT_LT(ratio, 1.3) << bins.max_bins << " bins, " << leaves << " leaves";
      }
    }
  });
}

TEST(Communicator, TrafficIsAsPredicted) {
  const Dataset data = testing::make_data({.num_queries = 1000, .num_features = 60});
  for (const int max_bins : {15, 63, 255}) {
    for (const int num_machines : {2, 3, 4}) {
      compare_traffic(data, {.max_bins = max_bins}, num_machines);
    }
  }
}

// One machine sees other features as sparse than the other: 90 % of the first and of the last
// twelve are one value there. Enough rows for lists.
TEST(Communicator, HistogramsOfSparseFeaturesAddUp) {
  constexpr std::size_t kNumFeatures = 24;
  const auto data_of = [](std::uint64_t machine) {
    const CounterRandom random(machine, "sparse_on_one_machine");
    return testing::data_of_values(6000, kNumFeatures, [&](std::size_t row, std::size_t f) {
      const double sparse = (f < kNumFeatures / 2) == (machine == 0) ? 0.9 : 0.1;
      if (random.uniform(row * 100 + f) < sparse) return std::uint64_t{500'000};
      return random.below(row * 100 + 50 + f, 1'000'000);
    });
  };
  using Bins = std::vector<std::vector<FullBin>>;
  std::vector<Bins> own(2, Bins(kNumFeatures));
  Bins summed(kNumFeatures);  // each by the machine that owns the feature
  testing::on_machines(2, [&](const Machines& machines) {
    const auto rank = static_cast<std::size_t>(machines->rank());
    Context context = testing::with_threads(1);
    context.communicator = machines;
    const BinnedDataset data = bin_dataset(data_of(rank), {}, context);
    const testing::Gradients g = testing::whole_gradients(data.num_rows(), rank);
    std::vector<std::uint32_t> rows(data.num_rows());
    std::iota(rows.begin(), rows.end(), 0);
    PackedSearch search(data, {}, context);
    const std::size_t num_active =
        search.start_tree({.gradient = g.gradient, .hessian = g.hessian}, {rows, 2 * rows.size()});
    search.build(std::span(rows).first(num_active), 0);
    for (std::size_t f = 0; f < kNumFeatures; ++f) {
      if (search.owns(f)) summed[f] = search.bins(0, f, 1);
      own[rank][f].resize(data.num_bins(f));
      for (std::size_t row = 0; row < data.num_rows(); ++row) {
        FullBin& bin = own[rank][f][data.column(f)[row]];
        bin.gradient += packed_gradient(search.packed()[row]) * double{search.scales().gradient};
        bin.hessian += packed_hessian(search.packed()[row]) * double{search.scales().hessian};
      }
    }
  });
  for (std::size_t f = 0; f < kNumFeatures; ++f) {
    for (std::size_t b = 0; b < own[0][f].size(); ++b) {
      ASSERT_NEAR(summed[f][b].gradient, own[0][f][b].gradient + own[1][f][b].gradient, 1e-6);
      ASSERT_NEAR(summed[f][b].hessian, own[0][f][b].hessian + own[1][f][b].hessian, 1e-6);
    }
  }
}

// Asked on one machine, noticed by both: none waits for the other.
TEST(Communicator, MachinesStopTogether) {
  const std::atomic<bool> stop = true;
  const std::vector<Forest> together =
      train_together(some_data(), some_params(Precision::kFast), &stop);
  EXPECT_TRUE(together[0].trees().empty());
  EXPECT_TRUE(together[1].trees().empty());
}

}  // namespace
}  // namespace glassrank
