#include "glassrank/data/bin_coder.h"

#include <algorithm>
#include <cstring>

#include "glassrank/base/error.h"

namespace glassrank {

BinCoder::BinCoder(std::shared_ptr<const RowTable> table, std::shared_ptr<const BinEdges> edges,
                   const Context& context)
    : table_(std::move(table)),
      edges_(std::move(edges)),
      layout_(*edges_, table_->num_rows()),
      codes_(std::make_shared<LargeBuffer<std::uint8_t>>(layout_.num_bytes(), context)),
      num_missing_(edges_->num_features()) {
  if (table_->num_features() != edges_->num_features()) {
    fail(ErrorKind::kInput, "the data has {} features but the bin edges have {}",
         table_->num_features(), edges_->num_features());
  }
  for (std::size_t f = 0; f < edges_->num_features(); ++f) {
    search_.emplace_back(edges_->cuts(f));
    std::fill(codes_->data() + layout_.end(f), codes_->data() + layout_.begin(f + 1), 0);
  }
}

BinCoder::~BinCoder() = default;

void BinCoder::add(std::size_t first_row, MatrixView<const float> rows) {
  // A tile's cache lines stay in L1 while the features that share them are coded one by one.
  constexpr std::size_t kTileRows = 256;
  std::vector<std::uint64_t> num_missing(edges_->num_features());
  for (std::size_t begin = 0; begin < rows.num_rows(); begin += kTileRows) {
    const std::size_t size = std::min(kTileRows, rows.num_rows() - begin);
    add_tile(first_row + begin,
             {rows.data() + begin * rows.num_columns(), size, rows.num_columns()}, num_missing);
  }
  for (std::size_t f = 0; f < num_missing.size(); ++f) {
    if (num_missing[f] > 0) num_missing_[f].fetch_add(num_missing[f], std::memory_order_relaxed);
  }
}

void BinCoder::add_tile(std::size_t first_row, MatrixView<const float> rows,
                        std::vector<std::uint64_t>& num_missing) {
  // Down a column the processor guesses no next line; the lines of the next tile are asked for
  // meanwhile, a few per feature. (Beyond the last tile that does nothing.)
  const char* next_tile =
      reinterpret_cast<const char*>(rows.data() + rows.num_rows() * rows.num_columns());
  const std::size_t ahead = rows.num_rows() * sizeof(float);  // a feature's share of the bytes
  for (std::size_t f = 0; f < rows.num_columns(); ++f) {
    for (std::size_t i = 0; i < ahead; i += 64) __builtin_prefetch(next_tile + f * ahead + i);
    const StridedColumn values{rows.data() + f, rows.num_columns(), rows.num_rows()};
    std::uint8_t* column = codes_->data() + layout_.begin(f);
    if (CodeLayout::is_wide(edges_->num_bins(f))) {
      auto* wide = reinterpret_cast<std::uint16_t*>(column);
      num_missing[f] += search_bins(search_[f], values, wide + first_row);
    } else {
      num_missing[f] += search_bins(search_[f], values, column + first_row);
    }
  }
}

BinnedDataset BinCoder::finish(const Context& context) {
  std::vector<std::uint64_t> num_missing;
  for (const auto& count : num_missing_) num_missing.push_back(count.load());
  const std::span<const std::uint8_t> codes = std::as_const(*codes_).span();
  return BinnedDataset(counted_together({.table = std::move(table_),
                                         .edges = std::move(edges_),
                                         .num_missing = std::move(num_missing),
                                         .owner = std::move(codes_),
                                         .codes = codes},
                                        context));
}

}  // namespace glassrank
