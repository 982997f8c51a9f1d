#pragma once
// Ranking problems with known truth (see synth/truth.h for how the grades come about).
//
// SyntheticSource makes rows on demand, block by block, on all threads: it is a RowSource, so data
// of any size can be binned or written without ever holding the matrix. Opening it computes the
// utilities of all rows once (8 bytes a row) for the thresholds between the grades. Everything is a
// pure function of (parameters, seed), whatever the threads and whatever the order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/synth/params.h"
#include "glassrank/data/synth/truth.h"
#include "glassrank/data/synth/values.h"

namespace glassrank {

class SyntheticSource final : public RowSource {
 public:
  // The seed is the context's. Throws Error{kUsage} as resolve() does.
  SyntheticSource(const SyntheticParams& params, const Context& context);
  SyntheticSource(const SyntheticSource&) = delete;
  SyntheticSource& operator=(const SyntheticSource&) = delete;

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override;

  const SyntheticParams& params() const { return params_; }  // resolved
  const SyntheticTruth& truth() const { return truth_; }
  const std::vector<float>& utilities() const { return utilities_; }    // noise-free, per row
  const std::vector<float>& thresholds() const { return thresholds_; }  // empty within query
  const std::vector<GradeFlip>& flips() const { return flips_; }
  // The rows of queries [first_query, end_query) as data of their own.
  Dataset queries(std::size_t first_query, std::size_t end_query, const Context& context) const;

 private:
  void grade_rows(const Context& context);

  SyntheticParams params_;
  SyntheticTruth truth_;
  std::shared_ptr<RowTable> table_;
  SyntheticValues values_;
  std::vector<float> utilities_;
  std::vector<float> thresholds_;
  std::vector<GradeFlip> flips_;
};

// The whole of it in memory.
Dataset make_synthetic(const SyntheticParams& params, const Context& context);

// The truth as JSON: parameters, features with role and kind, effects with sampled curves in the
// units of the data, interactions with sampled surfaces ("points" of each feature, a row of
// "values" for every point of the first), thresholds, flipped rows; the utility of every row if
// asked. Effects read a missing value as the feature's "missing_as".
std::string truth_json(const SyntheticSource& source, bool with_utilities);

}  // namespace glassrank
