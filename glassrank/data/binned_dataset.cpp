#include "glassrank/data/binned_dataset.h"

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_coder.h"
#include "glassrank/data/shard.h"

namespace glassrank {

CodeLayout::CodeLayout(const BinEdges& edges, std::size_t num_rows) : begins_(1, 0) {
  constexpr std::size_t kAlignment = 64;
  for (std::size_t f = 0; f < edges.num_features(); ++f) {
    ends_.push_back(begins_.back() + num_rows * (is_wide(edges.num_bins(f)) ? 2 : 1));
    begins_.push_back((ends_.back() + kAlignment - 1) / kAlignment * kAlignment);
  }
}

BinnedDataset::BinnedDataset(BinnedParts parts)
    : parts_(std::move(parts)), layout_(*parts_.edges, parts_.table->num_rows()) {
  if (parts_.num_all_rows == 0) parts_.num_all_rows = num_rows();
  const std::size_t width = parts_.table->num_features();
  if (edges().num_features() != width || parts_.num_missing.size() != width ||
      parts_.codes.size() != layout_.num_bytes()) {
    fail(ErrorKind::kInput, "the parts of binned data do not fit: {} bytes of codes for {} rows",
         parts_.codes.size(), num_rows());
  }
}

BinColumn BinnedDataset::column(std::size_t feature) const {
  return {parts_.codes.data() + layout_.begin(feature), num_rows(),
          CodeLayout::is_wide(num_bins(feature))};
}

bool BinnedDataset::is_constant(std::size_t feature) const {
  return num_value_bins(feature) == 1 &&
         (num_missing(feature) == 0 || num_missing(feature) == parts_.num_all_rows);
}

BinnedParts counted_together(BinnedParts parts, const Context& context) {
  std::vector<std::uint64_t> counts = std::move(parts.num_missing);
  counts.push_back(parts.table->num_rows());
  context.communicator->sum(counts);
  parts.num_all_rows = counts.back();
  counts.pop_back();
  parts.num_missing = std::move(counts);
  return parts;
}

std::vector<std::uint32_t> BinnedDataset::category_bins(std::size_t feature) const {
  std::vector<std::uint32_t> bins;
  for (std::uint32_t bin = 0; bin < num_value_bins(feature); ++bin) {
    if (edges().category_of(feature, bin)) bins.push_back(bin);
  }
  return bins;
}

BinnedDataset bin_dataset(const Dataset& data, const BinParams& params, const Context& context) {
  check_params(params);
  const Shard shard = shard_of(data.queries(), *context.communicator);
  const RowSample sample(shard.num_rows, params.sample_rows, context.seed);
  auto edges = std::make_shared<const BinEdges>(find_bin_edges(
      {.features = data.features(), .first_row = shard.first_row, .schema = data.schema()}, sample,
      params, context));
  data.release_rows(0, data.num_rows());  // before there are codes beside them
  return bin_with(data, std::move(edges), context);
}

BinnedDataset bin_with(const Dataset& data, std::shared_ptr<const BinEdges> edges,
                       const Context& context) {
  constexpr std::size_t kChunkRows = 8192;
  BinCoder coder(data.shared_table(), std::move(edges), context);
  parallel_for(context, data.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    coder.add(begin, {data.row(begin).data(), end - begin, data.num_features()});
    data.release_rows(begin, end);
  });
  return coder.finish(context);
}

}  // namespace glassrank
