#pragma once
// Neural RankGAM (Zhuang et al., WSDM 2021): one small network a feature, their outputs summed,
// trained for NDCG and turned into tables.
//
//   score(x) = sum over features of tower_f(x_f)          (rankgam/tower.h)
//   loss     = mean over the queries of a batch that have gain of -ApproxNDCG (approx_ndcg.h)
// Adagrad over batches of whole queries, drawn anew every epoch; after each epoch the validation
// metric is taken, training stops after `patience` epochs without a better one, and the best towers
// are kept. Without validation data a share of the queries is held out. A feature's missing values
// score a constant that is learned with the rest; its tower never sees them.
// Values are clipped to [-clip, clip] and, with log1p, replaced by sign(x) * log(1 + |x|).
// Tables: the cells of max_bins bins of the training data; a cell's value is the mean of the
// tower's outputs over the training rows in it, centred. Where every distinct value has a cell of
// its own nothing is lost; otherwise `table_metric` beside `best_metric` says what.
// Asked to stop, it ends with the best towers so far; the epoch in work is lost.
// The result depends on data, parameters and seed, not on threads.
// Cost: an epoch is about 500 multiplications a value; memory 4 bytes a value and at most 256 MB
// for a batch.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/training/checkpoints.h"
#include "glassrank/methods/training/watch_params.h"
#include "glassrank/models/gam/gam.h"

namespace glassrank {

struct RankgamParams {
  int first_units = 16;
  int second_units = 8;
  double dropout = 0.5;
  double temperature = 0.1;
  double learning_rate = 0.05;
  int batch_queries = 128;
  int max_epochs = 2000;
  int patience = 100;
  double momentum = 0.999;
  double clip = 1e6;
  bool log1p = false;
  int max_bins = 256;
  double valid_share = 0.15;
  WatchParams watch;  // the stop metric chooses the best epoch

  void visit(ParamVisitor& visitor);
};

struct RankgamEpoch {
  double loss = 0;  // mean over the batches, with dropout
  double metric = 0;
};

struct RankgamResult {
  Gam gam;
  std::size_t best_epoch = 0;  // epochs done when the towers were best
  double best_metric = 0;      // of the towers on the validation data
  double table_metric = 0;     // of the tables
  std::vector<RankgamEpoch> epochs;
  bool is_interrupted = false;
};

struct RankgamRun {
  std::size_t log_every = 0;           // epochs to a line of the log; 0: none
  Checkpoints* checkpoints = nullptr;  // of whole epochs; not owned
};

// `valid` may be null. Throws
// Error{kInput}: no rows, no features, other features in the validation data, an infinite value, no
// query with gain; Error{kUsage}: parameters out of range; Error{kInterrupted} when stopped before
// the end of the first epoch.
RankgamResult train_rankgam(const Dataset& train, const Dataset* valid, const RankgamParams& params,
                            const Context& context, const RankgamRun& run = {});

}  // namespace glassrank
