#include "glassrank/data/io/late_values.h"

#include <numeric>
#include <utility>
#include <vector>

#include "glassrank/base/buffer.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/checksum.h"
#include "glassrank/data/shard.h"

namespace glassrank {
namespace {

// Sums the values up and lets them go.
class ChecksumSink final : public RowSink {
 public:
  // `first_row`: the number of row 0 among the rows of all machines.
  ChecksumSink(PieceChecksum& sum, std::size_t first_row, std::size_t num_features)
      : sum_(sum), first_row_(first_row), num_features_(num_features) {}
  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    const std::size_t row_bytes = num_features_ * sizeof(float);
    sum_.add((first_row_ + first_row) * row_bytes,
             {reinterpret_cast<const char*>(rows), num_rows * row_bytes});
    pool_.give_back(rows);
  }

 private:
  PieceChecksum& sum_;
  std::size_t first_row_;
  std::size_t num_features_;
  BlockPool pool_;
};

}  // namespace

LateValues::LateValues(Dataset data) : table_(data.shared_table()), data_(std::move(data)) {}

LateValues::LateValues(ColumnSource source)
    : table_(source.shared_table()), source_(std::move(source)) {}

const ColumnSource* LateValues::source() const {
  const std::scoped_lock lock(mutex_);
  return data_ ? nullptr : &*source_;
}

const Dataset& LateValues::get(const Context& context) const {
  const std::scoped_lock lock(mutex_);
  if (!data_) {
    auto values = std::make_shared<Buffer<float>>(table_->num_rows() * table_->num_features());
    source_->read(0, table_->num_rows(), values->data(), context);
    const MatrixView<const float> features(values->data(), table_->num_rows(),
                                           table_->num_features());
    data_.emplace(table_, Dataset::Values{.owner = std::move(values), .features = features});
  }
  return *data_;
}

std::string LateValues::digest(const Context& context) const {
  const ColumnSource* const rows = source();
  if (rows == nullptr) return dataset_digest(get(context), context);
  const Communicator& machines = *context.communicator;
  const Shard shard = shard_of(table_->queries, machines);
  PieceChecksum sum(shard.num_rows * table_->num_features() * sizeof(float), !machines.is_alone());
  ChecksumSink sink(sum, shard.first_row, table_->num_features());
  rows->pass(context, sink);
  return dataset_digest(*table_, sum.sum(machines), context);
}

std::shared_ptr<const LateValues> LateValues::with_table(
    std::shared_ptr<const RowTable> table) const {
  const ColumnSource* const rows = source();
  if (rows != nullptr) return std::make_shared<const LateValues>(rows->with_rows(table, 0));
  return std::make_shared<const LateValues>(get({}).with_table(std::move(table)));
}

std::shared_ptr<const LateValues> LateValues::slice(std::size_t first, std::size_t last) const {
  const ColumnSource* const rows = source();
  if (rows == nullptr)
    return std::make_shared<const LateValues>(slice_queries(get({}), first, last));
  const std::size_t begin = table_->queries.offsets()[first];
  std::vector<std::uint32_t> chosen(table_->queries.offsets()[last] - begin);
  std::iota(chosen.begin(), chosen.end(), static_cast<std::uint32_t>(begin));
  return std::make_shared<const LateValues>(
      rows->with_rows(std::make_shared<const RowTable>(select_rows(*table_, chosen)), begin));
}

}  // namespace glassrank
