#include "glassrank/data/select_rows.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/base/large_buffer.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

void check_rows(std::span<const std::uint32_t> rows, std::size_t num_rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] >= num_rows || (i > 0 && rows[i] <= rows[i - 1])) {
      fail(ErrorKind::kUsage, "row {} to keep is out of order or beyond the {} rows of the data",
           rows[i], num_rows);
    }
  }
}

template <typename Code>
void gather(std::span<const Code> from, std::span<const std::uint32_t> rows, Code* to) {
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

std::uint64_t count_code(BinColumn column, std::size_t code) {
  return static_cast<std::uint64_t>(
      column.is_wide() ? std::ranges::count(column.wide(), static_cast<std::uint16_t>(code))
                       : std::ranges::count(column.narrow(), static_cast<std::uint8_t>(code)));
}

}  // namespace

BinnedDataset select_rows(const BinnedDataset& data, std::span<const std::uint32_t> rows,
                          const Context& context) {
  check_rows(rows, data.num_rows());
  const CodeLayout layout(data.edges(), rows.size());
  const auto codes = std::make_shared<LargeBuffer<std::uint8_t>>(layout.num_bytes(), context);
  std::vector<std::uint64_t> num_missing(data.num_features());
  parallel_for(context, data.num_features(), 1, [&](std::size_t f, std::size_t) {
    context.check_stop();
    const BinColumn column = data.column(f);
    std::uint8_t* to = codes->data() + layout.begin(f);
    if (column.is_wide()) {
      gather(column.wide(), rows, reinterpret_cast<std::uint16_t*>(to));
    } else {
      gather(column.narrow(), rows, to);
    }
    std::fill(codes->data() + layout.end(f), codes->data() + layout.begin(f + 1), 0);
    if (data.num_missing(f) > 0) {
      const BinColumn kept(to, rows.size(), column.is_wide());
      num_missing[f] = count_code(kept, data.missing_bin(f));
    }
  });
  return BinnedDataset(
      counted_together({.table = std::make_shared<const RowTable>(select_rows(data.table(), rows)),
                        .edges = data.shared_edges(),
                        .num_missing = std::move(num_missing),
                        .owner = codes,
                        .codes = std::as_const(*codes).span()},
                       context));
}

}  // namespace glassrank
