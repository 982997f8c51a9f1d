#pragma once
// The numbers of a synthetic ranking problem: feature rows and utilities, any block at any time.
//
// Every draw is a pure function of (seed, row, feature): word row % 4 of the Philox block with lane
// = feature and counter = row / 4, so one block serves four rows. A 32-bit word becomes a normal
// through a table of 1024 quantiles with linear interpolation (truncated at +-4.2, spread within
// 1 % of 1): no logarithm, no cosine. Rows are made 64 at a time, feature by feature, so
// that the inner loops run over rows and vectorise. Cost: about 25 ns a value and core.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/random.h"
#include "glassrank/data/query_groups.h"
#include "glassrank/data/synth/truth.h"

namespace glassrank {

class SyntheticValues {
 public:
  // `queries` and `truth` must outlive the object.
  SyntheticValues(const SyntheticTruth& truth, const QueryGroups& queries, std::uint64_t seed);

  // Rows [first, first + count), row-major, every feature.
  void rows(std::size_t first, std::size_t count, float* out) const;
  // Noise-free utility, and the noise that is added to it before grading.
  void utilities(std::size_t first, std::size_t count, float* utility, float* noise) const;

 private:
  struct Block;  // 64 rows

  void fill_latents(Block& block) const;
  void fill_base(Block& block, std::uint32_t feature) const;
  void fill_query_feature(Block& block, std::uint32_t feature) const;
  void fill_utility(Block& block, float* utility) const;
  bool is_missing(std::uint32_t feature, std::size_t row) const;
  float standardised(const Block& block, std::uint32_t feature, std::size_t lane) const;
  template <typename Use>
  void for_blocks(std::size_t first, std::size_t count, Use&& use) const;

  const SyntheticTruth& truth_;
  const QueryGroups& queries_;
  std::uint64_t seed_;
  std::vector<std::uint32_t> order_;          // every feature, sources before their copies
  std::vector<std::uint32_t> effect_inputs_;  // features that the utility reads
};

}  // namespace glassrank
