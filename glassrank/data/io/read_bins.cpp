#include "glassrank/data/io/read_bins.h"

#include <utility>

#include "glassrank/data/bin_stream.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

BinnedFile read_bins(const std::string& path, const ReadParams& read, const BinParams& bins,
                     const Context& context) {
  if (path == "-" || bins.sample_rows == 0 || data_format(path, read) == DataFormat::kCache) {
    const Dataset data = load_dataset(path, read, context);
    std::string digest = dataset_digest(data, context);
    return {.data = bin_dataset(data, bins, context), .digest = std::move(digest)};
  }
  const auto source = open_row_source(path, read, context, Unpack::kNow);
  const RowTable& table = source->table();
  PieceChecksum values(table.num_rows() * table.num_features() * sizeof(float));
  BinnedDataset data = bin_stream(*source, bins, context, &values);
  return {.data = std::move(data), .digest = dataset_digest(table, values.sum(), context)};
}

}  // namespace glassrank
