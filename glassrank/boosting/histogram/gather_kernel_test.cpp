#include "glassrank/boosting/histogram/gather_kernel.h"

#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/buffer.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

// Pieces that begin anywhere, rows in any order and more than once.
void expect_copies(std::size_t num_rows) {
  constexpr std::size_t kStride = 160;
  constexpr std::size_t kNumRows = 50;
  const std::vector<std::size_t> pieces = {3, 35, 64, 128};
  std::vector<std::uint8_t> data(kNumRows * kStride + 2 * kPieceBytes);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 7 + i / 97);
  std::vector<std::uint32_t> rows(num_rows);
  for (std::size_t i = 0; i < num_rows; ++i) {
    rows[i] = static_cast<std::uint32_t>(i * 31 % kNumRows);
  }

  const std::size_t out_stride = num_rows * kPieceBytes + 64;
  Buffer<std::uint8_t> out(pieces.size() * out_stride);
  gather_pieces({.rows = data.data(),
                 .row_stride = kStride,
                 .pieces = pieces,
                 .out = out.data(),
                 .out_stride = out_stride},
                rows);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    for (std::size_t i = 0; i < num_rows; ++i) {
      for (std::size_t k = 0; k < kPieceBytes; ++k) {
        ASSERT_EQ(out[p * out_stride + i * kPieceBytes + k],
                  data[rows[i] * kStride + pieces[p] + k])
            << "piece " << p << " of row " << i << " of " << num_rows;
      }
    }
  }
}

TEST_ON_EVERY_TARGET(GatherKernel, CopiesPieces) {
  for (const std::size_t num_rows : {0, 1, 12, 13, 40, 512}) expect_copies(num_rows);
}

}  // namespace
}  // namespace glassrank
