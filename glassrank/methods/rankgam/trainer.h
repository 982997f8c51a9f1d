#pragma once
// Batches of queries that move the towers of a RankgamNetwork (see rankgam.h).
//
// A batch goes through every tower, and, when the loss has said how the scores should change, back.
// Towers in parallel. What a pass leaves for the way back is kept for every feature: about 76 bytes
// a row and feature, that is 23 MB for 128 queries of 40 documents with 60 features, 160 MB for 128
// of 120 with 136. Nothing limits queries, features or batches, though: a batch that would take
// more than `most_kept` bytes goes through every tower a second time instead, with a pass a thread.
// Adagrad (Keras): sum += g^2, from 0.1; parameter -= learning_rate * g / (sqrt(sum) + 1e-7).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/rankgam/network.h"
#include "glassrank/methods/rankgam/rankgam.h"

namespace glassrank {

class RankgamTrainer {
 public:
  // `data` are the rows of `columns`; both and the network outlive the trainer.
  RankgamTrainer(const DatasetView& data, const FeatureColumns& columns, RankgamNetwork& network,
                 const RankgamParams& params, std::size_t most_kept = std::size_t{256} << 20U);

  // Every query once, in batches drawn by (seed, epoch). Returns the mean loss of the queries with
  // gain.
  double train_epoch(std::size_t epoch, const Context& context);
  // Adagrad's sums; the towers are the network's.
  void archive(StateArchive& state) { state(squares_); }

 private:
  struct Batch {
    std::vector<std::size_t> queries;
    std::vector<std::uint32_t> rows;  // of `columns`
    std::vector<std::size_t> begins;  // of each query in rows, and the end
    std::vector<float> grades;
    std::vector<float> outputs;  // feature after feature
    std::vector<float> scores;
    std::vector<float> gradient;  // of the scores
  };
  // Memory of one tower's way through a batch.
  struct Workspace {
    TowerPass pass;
    std::vector<float> values;          // not missing
    std::vector<std::uint32_t> places;  // of them in the batch
    std::vector<float> output;
    std::vector<float> output_gradient;
    std::vector<float> gradient;
  };
  // Hands out workspaces to whoever works when not every feature has its own.
  class Workspaces {
   public:
    std::unique_ptr<Workspace> take();
    void give_back(std::unique_ptr<Workspace> workspace);

   private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> free_;
  };

  // Whether the batch's passes may stay in memory.
  bool keeps_passes() const;
  void fill_batch(std::span<const std::size_t> queries);
  void forward(std::size_t feature, std::uint64_t step, std::uint64_t seed, Workspace& workspace);
  void score_feature(std::size_t feature, Workspace& workspace);
  void move_tower(std::size_t feature, Workspace& workspace);
  // Writes the gradient of the scores; returns the sum of losses and counts queries with gain.
  double compute_loss(std::size_t& num_counted, const Context& context);
  void sum_scores(const Context& context);

  const DatasetView& data_;
  const FeatureColumns& columns_;
  RankgamNetwork& network_;
  const RankgamParams& params_;
  std::vector<std::vector<float>> squares_;  // Adagrad's sums: a tower's, then its missing value's
  Batch batch_;
  std::size_t most_kept_;
  std::vector<Workspace> kept_;  // one per feature
  Workspaces workspaces_;
};

}  // namespace glassrank
