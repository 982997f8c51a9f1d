#pragma once
// Scaled features of a query's documents, turned so that the values of a feature lie side by side:
// what a network's first layer multiplies, several documents at a time.
//
//   block of a query: feature f of document d at [f * block_row(documents) + d], zeros beyond the
//   last document
// Where all blocks fit into kMostKept bytes they are made once and kept; else a block is made each
// time it is asked for. Either way its values are the same.

#include <cstddef>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/math/matrix_product.h"
#include "glassrank/methods/training/feature_scaling.h"

namespace glassrank {

constexpr std::size_t block_row(std::size_t num_documents) { return padded_columns(num_documents); }

class InputBlocks {
 public:
  static constexpr std::size_t kMostKept = std::size_t{256} << 20;

  // `data` and `scaling` must outlive it. Throws Error{kInterrupted} when stopped.
  InputBlocks(const Dataset& data, const FeatureScaling& scaling, const Context& context,
              std::size_t most_kept = kMostKept);

  const Dataset& data() const { return data_; }
  bool is_kept() const { return !kept_.empty(); }
  // Valid until `scratch` changes, which is used where blocks are not kept.
  const double* block(std::size_t query, std::vector<double>& scratch) const;

 private:
  std::size_t block_size(std::size_t query) const;
  void fill(std::size_t query, std::span<double> out) const;

  const Dataset& data_;
  const FeatureScaling& scaling_;
  std::vector<double> kept_;
  std::vector<std::size_t> begins_;  // of each query's block in kept_
};

}  // namespace glassrank
