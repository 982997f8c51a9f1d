#include "glassrank/data/io/joined_bins.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/large_buffer.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/io/joined_rows.h"

namespace glassrank {
namespace {

std::span<const std::byte> bytes_of(const BinColumn& column) {
  return column.is_wide() ? std::as_bytes(column.wide()) : std::as_bytes(column.narrow());
}

// Copies a feature's codes of some rows of all files; returns the end.
std::uint8_t* copy_codes(const std::vector<BinnedCache>& caches, std::size_t feature, RowRange rows,
                         std::uint8_t* to) {
  std::size_t first = 0;  // of the file, among all rows
  for (const BinnedCache& cache : caches) {
    const BinColumn column = cache.data.column(feature);
    const std::size_t begin = std::clamp(rows.begin, first, first + column.size()) - first;
    const std::size_t end = std::clamp(rows.end, first, first + column.size()) - first;
    const std::size_t width = column.is_wide() ? 2 : 1;
    const auto bytes = bytes_of(column).subspan(begin * width, (end - begin) * width);
    std::ranges::copy(bytes, reinterpret_cast<std::byte*>(to));
    to += bytes.size();
    first += column.size();
  }
  return to;
}

std::uint64_t count_code(const BinColumn& column, std::size_t code) {
  return static_cast<std::uint64_t>(
      column.is_wide() ? std::ranges::count(column.wide(), static_cast<std::uint16_t>(code))
                       : std::ranges::count(column.narrow(), static_cast<std::uint8_t>(code)));
}

}  // namespace

JoinedBins::JoinedBins(const std::vector<std::string>& paths, const Context& context) {
  for (const std::string& path : paths) {
    caches_.push_back(open_bins(path, context));
    if (caches_.back().data.edges() == caches_.front().data.edges()) continue;
    fail(ErrorKind::kInput,
         "{} has other cut points than {}; make it with `glassrank data cache --bins-like {}`, or "
         "one cache of all data, which machines share by rows",
         path, paths.front(), paths.front());
  }
  if (caches_.size() == 1) return;
  TableJoiner joiner;
  for (std::size_t i = 0; i < caches_.size(); ++i) joiner.add(caches_[i].data.table(), paths[i]);
  joined_ = joiner.finish();
}

BinnedParts JoinedBins::take(RowRange rows, const Context& context) const {
  const BinnedDataset& like = first().data;
  const CodeLayout layout(like.edges(), rows.size());
  const auto codes = std::make_shared<LargeBuffer<std::uint8_t>>(layout.num_bytes(), context);
  std::vector<std::uint64_t> num_missing(like.num_features());
  parallel_for(context, like.num_features(), 1, [&](std::size_t f, std::size_t) {
    context.check_stop();
    std::uint8_t* const to = codes->data() + layout.begin(f);
    std::fill(copy_codes(caches_, f, rows, to), codes->data() + layout.begin(f + 1), 0);
    const BinColumn column(to, rows.size(), CodeLayout::is_wide(like.num_bins(f)));
    num_missing[f] = count_code(column, like.missing_bin(f));
  });
  std::vector<std::uint32_t> numbers(rows.size());
  std::iota(numbers.begin(), numbers.end(), static_cast<std::uint32_t>(rows.begin));
  return {.table = std::make_shared<const RowTable>(select_rows(table(), numbers)),
          .edges = like.shared_edges(),
          .num_missing = std::move(num_missing),
          .owner = codes,
          .codes = std::as_const(*codes).span()};
}

}  // namespace glassrank
