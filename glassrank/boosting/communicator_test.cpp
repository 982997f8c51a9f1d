// Two machines that hold half of the queries each train what one machine trains on all of them.

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/boosting/booster.h"
#include "glassrank/boosting/histogram/packed_search.h"
#include "glassrank/objectives/lambdarank.h"
#include "testing/boosting_fixture.h"

namespace glassrank {
namespace {

// Machines as threads of this program: each puts its values down, all wait, all add them up.
class Table {
 public:
  explicit Table(int size) : barrier_(size), values_(static_cast<std::size_t>(size)) {}
  template <typename T>
  void sum(int rank, std::span<T> values) {
    values_[static_cast<std::size_t>(rank)].assign(values.begin(), values.end());
    barrier_.arrive_and_wait();
    for (std::size_t i = 0; i < values.size(); ++i) {
      T total{};
      for (const std::vector<double>& part : values_) total += static_cast<T>(part[i]);
      values[i] = total;
    }
    barrier_.arrive_and_wait();
  }

 private:
  std::barrier<> barrier_;
  std::vector<std::vector<double>> values_;
};

class Member final : public Communicator {
 public:
  Member(std::shared_ptr<Table> table, int rank) : table_(std::move(table)), rank_(rank) {}
  int size() const override { return 2; }
  int rank() const override { return rank_; }
  void sum(std::span<double> values) const override { table_->sum(rank_, values); }
  void sum(std::span<std::int32_t> values) const override { table_->sum(rank_, values); }
  void sum(std::span<std::uint64_t> values) const override { table_->sum(rank_, values); }

 private:
  std::shared_ptr<Table> table_;
  int rank_;
};

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

// The forests of both machines.
std::vector<Forest> train_together(const Dataset& data, const BinnedDataset& whole,
                                   const BoosterParams& params,
                                   const std::atomic<bool>* stop_of_the_second = nullptr) {
  const auto table = std::make_shared<Table>(2);
  std::vector<std::optional<Forest>> forests(2);
  std::vector<std::thread> machines;
  const std::size_t half = data.num_queries() / 3;  // not the same for both
  for (int rank = 0; rank < 2; ++rank) {
    machines.emplace_back([&, rank] {
      Context context = testing::with_threads(2);
      context.communicator = std::make_shared<const Member>(table, rank);
      if (rank == 1) context.stop = stop_of_the_second;
      std::vector<std::size_t> queries;
      for (std::size_t q = rank == 0 ? 0 : half; q < (rank == 0 ? half : data.num_queries()); ++q) {
        queries.push_back(q);
      }
      const BinnedDataset own = bin_with(select_queries(data, queries).materialise(),
                                         whole.shared_edges(), testing::with_threads(1));
      forests[static_cast<std::size_t>(rank)] = train(own, params, context);
    });
  }
  for (std::thread& machine : machines) machine.join();
  return {*forests[0], *forests[1]};
}

// Without missing values: which features have any must be known to all, and is known to binning.
Dataset some_data() { return testing::make_data({.num_queries = 60, .with_missing = false}); }

TEST(Communicator, MachinesTogetherTrainWhatOneTrains) {
  const Dataset data = some_data();
  const BinnedDataset whole = bin_dataset(data, {}, testing::with_threads(1));
  const BoosterParams params = some_params(Precision::kFull);
  const Forest alone = train(whole, params, testing::with_threads(2));
  const std::vector<Forest> together = train_together(data, whole, params);
  ASSERT_EQ(alone.trees().size(), 8);
  for (const Forest& forest : together) {
    ASSERT_EQ(forest.trees().size(), alone.trees().size());
    for (std::size_t t = 0; t < alone.trees().size(); ++t) {
      EXPECT_EQ(forest.trees()[t].nodes, alone.trees()[t].nodes) << t;
      EXPECT_EQ(forest.trees()[t].statistics.leaf_count, alone.trees()[t].statistics.leaf_count);
      for (std::size_t leaf = 0; leaf < alone.trees()[t].leaf_values.size(); ++leaf) {
        EXPECT_NEAR(forest.trees()[t].leaf_values[leaf], alone.trees()[t].leaf_values[leaf], 1e-9);
      }
    }
  }
}

TEST(Communicator, MachinesAgreeOnQuantisedTrees) {
  const Dataset data = some_data();
  const BinnedDataset whole = bin_dataset(data, {}, testing::with_threads(1));
  const std::vector<Forest> together = train_together(data, whole, some_params(Precision::kFast));
  ASSERT_EQ(together[0].trees().size(), 8);
  EXPECT_TRUE(std::ranges::equal(together[0].trees(), together[1].trees()));
  EXPECT_GT(together[0].trees()[0].leaf_values.size(), 6);
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
  const BinnedDataset edges = bin_dataset(data_of(0), {}, testing::with_threads(1));
  const auto table = std::make_shared<Table>(2);
  using Bins = std::vector<std::vector<FullBin>>;
  std::vector<Bins> own(2, Bins(kNumFeatures));
  std::vector<Bins> summed(2, Bins(kNumFeatures));
  std::vector<std::thread> machines;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    machines.emplace_back([&, rank] {
      Context context = testing::with_threads(1);
      context.communicator = std::make_shared<const Member>(table, static_cast<int>(rank));
      const BinnedDataset data =
          bin_with(data_of(rank), edges.shared_edges(), testing::with_threads(1));
      const testing::Gradients g = testing::whole_gradients(data.num_rows(), rank);
      std::vector<std::uint32_t> rows(data.num_rows());
      std::iota(rows.begin(), rows.end(), 0);
      PackedSearch search(data, {}, context);
      const std::size_t num_active =
          search.start_tree({g.gradient, g.hessian, 0}, {rows, rows.size()});
      search.build(std::span(rows).first(num_active), 0);
      for (std::size_t f = 0; f < kNumFeatures; ++f) {
        summed[rank][f] = search.bins(0, f, 1);
        own[rank][f].resize(data.num_bins(f));
        for (std::size_t row = 0; row < data.num_rows(); ++row) {
          FullBin& bin = own[rank][f][data.column(f)[row]];
          bin.gradient += packed_gradient(search.packed()[row]) * double{search.scales().gradient};
          bin.hessian += packed_hessian(search.packed()[row]) * double{search.scales().hessian};
        }
      }
    });
  }
  for (std::thread& machine : machines) machine.join();
  for (std::size_t f = 0; f < kNumFeatures; ++f) {
    for (std::size_t b = 0; b < own[0][f].size(); ++b) {
      for (const Bins& bins : summed) {
        ASSERT_NEAR(bins[f][b].gradient, own[0][f][b].gradient + own[1][f][b].gradient, 1e-6);
        ASSERT_NEAR(bins[f][b].hessian, own[0][f][b].hessian + own[1][f][b].hessian, 1e-6);
      }
    }
  }
}

// Asked on one machine, noticed by both: none waits for the other.
TEST(Communicator, MachinesStopTogether) {
  const Dataset data = some_data();
  const BinnedDataset whole = bin_dataset(data, {}, testing::with_threads(1));
  const std::atomic<bool> stop = true;
  const std::vector<Forest> together =
      train_together(data, whole, some_params(Precision::kFast), &stop);
  EXPECT_TRUE(together[0].trees().empty());
  EXPECT_TRUE(together[1].trees().empty());
}

}  // namespace
}  // namespace glassrank
