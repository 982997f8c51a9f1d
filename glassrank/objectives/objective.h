#pragma once
// What boosting minimises: gradients and hessians of a loss, one query at a time.
//
// Life: 1. made from its parameters; 2. prepare() once per training set, which may keep per-query
// constants (ideal DCG); 3. gradients() for every query of every round, concurrently. gradients()
// is pure: the booster owns threads, row weights, sampling and the scores.
// Signs: gradient = d loss / d score, so a leaf's Newton step is -sum(gradient) / sum(hessian).
// Weights: the booster multiplies gradient and hessian of a row by its weight, after the objective
// (as LightGBM). A query's weight is the weight all of its rows have. An objective needs weights
// only for what it computes from all rows at once: initial_score().

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/base/communicator.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// Memory one thread reuses from query to query.
class ObjectiveScratch {
 public:
  // `count` floats, 64-byte aligned, not initialised; valid until the next call.
  float* floats(std::size_t count) {
    if (count > floats_.size()) floats_ = Buffer<float>(2 * count);
    return floats_.data();
  }
  std::uint64_t* words(std::size_t count) {
    if (count > words_.size()) words_ = Buffer<std::uint64_t>(2 * count);
    return words_.data();
  }

 private:
  Buffer<float> floats_;
  Buffer<std::uint64_t> words_;
};

// The documents of one query that take part in a round (all of them, unless a sampler says less).
struct QueryView {
  std::size_t query = 0;  // index in the training set
  std::size_t round = 0;
  std::span<const float> grades;  // in input order
  std::span<const double> scores;
  // Looked at now and then where a query takes long (Context::stop); null: never.
  const std::atomic<bool>* stop = nullptr;

  bool is_stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

// What an objective may know of the training set before the first round.
struct ObjectiveData {
  std::span<const float> grades;   // of every row
  std::span<const float> weights;  // of every row, or empty: all 1
  const QueryGroups& queries;
  const Communicator& communicator = *Communicator::alone();  // rows may lie on other machines too
};

struct GradientView {
  std::span<float> gradient;
  std::span<float> hessian;
};

class Objective {
 public:
  virtual ~Objective() = default;
  // Throws Error{kInput} for grades the objective cannot use.
  virtual void prepare(const ObjectiveData& data) = 0;
  // Overwrites `out`, which is as long as the query. Throws Error{kInterrupted} where it is
  // stopped.
  virtual void gradients(const QueryView& query, ObjectiveScratch& scratch,
                         GradientView out) const = 0;
  // What every score starts from; asked after prepare().
  virtual double initial_score() const { return 0; }
};

}  // namespace glassrank
