#include "glassrank/data/io/read_bins.h"

#include <utility>

#include "glassrank/data/bin_stream.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/io/shared_files.h"
#include "glassrank/data/shard.h"

namespace glassrank {

BinnedFile read_bins(const std::string& path, const ReadParams& read, const BinParams& bins,
                     const Context& context) {
  if (bins.sample_rows == 0 || shared_kind(path, read, context) != DataKind::kText) {
    const Dataset data = load_shared(path, read, context);
    std::string digest = dataset_digest(data, context);
    return {.data = bin_dataset(data, bins, context), .digest = std::move(digest)};
  }
  const auto source = open_shared(path, read, context, Unpack::kNow);
  const RowTable& table = source->table();
  const Communicator& machines = *context.communicator;
  const std::size_t num_rows = shard_of(table.queries, machines).num_rows;
  PieceChecksum values(num_rows * table.num_features() * sizeof(float), !machines.is_alone());
  BinnedDataset data = bin_stream(*source, bins, context, &values);
  return {.data = std::move(data), .digest = dataset_digest(table, values.sum(machines), context)};
}

}  // namespace glassrank
