#include "glassrank/methods/ranknet/input_blocks.h"

#include <algorithm>

#include "glassrank/base/parallel.h"

namespace glassrank {

InputBlocks::InputBlocks(const Dataset& data, const FeatureScaling& scaling, const Context& context,
                         std::size_t most_kept)
    : data_(data), scaling_(scaling) {
  std::vector<std::size_t> begins(data.num_queries() + 1, 0);
  for (std::size_t q = 0; q < data.num_queries(); ++q) begins[q + 1] = begins[q] + block_size(q);
  if (begins.back() > most_kept / sizeof(double)) return;
  begins_ = std::move(begins);
  kept_.resize(begins_.back());
  constexpr std::size_t kChunkQueries = 16;
  parallel_for(context, data.num_queries(), kChunkQueries, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    for (std::size_t q = begin; q < end; ++q) {
      fill(q, std::span(kept_).subspan(begins_[q], block_size(q)));
    }
  });
}

std::size_t InputBlocks::block_size(std::size_t query) const {
  return scaling_.num_features() * block_row(data_.queries().rows(query).size());
}

void InputBlocks::fill(std::size_t query, std::span<double> out) const {
  const RowRange rows = data_.queries().rows(query);
  const std::size_t block = block_row(rows.size());
  for (std::size_t d = 0; d < rows.size(); ++d) {
    const std::span<const float> row = data_.row(rows.begin + d);
    for (std::size_t f = 0; f < scaling_.num_features(); ++f) {
      out[f * block + d] = scaling_.scaled(f, row[f]);
    }
  }
  for (std::size_t f = 0; f < scaling_.num_features(); ++f) {
    std::fill_n(out.begin() + static_cast<std::ptrdiff_t>(f * block + rows.size()),
                block - rows.size(), 0.0);
  }
}

const double* InputBlocks::block(std::size_t query, std::vector<double>& scratch) const {
  if (is_kept()) return kept_.data() + begins_[query];
  scratch.resize(block_size(query));
  fill(query, scratch);
  return scratch.data();
}

}  // namespace glassrank
