#include "glassrank/data/bin_stream.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/bin_coder.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/shard.h"

namespace glassrank {
namespace {

// The sampled rows of a pass.
class SampleSink final : public RowSink {
 public:
  // Of the rows of all machines; the first of this one is number `first_row` of them.
  SampleSink(const RowSample& sample, std::size_t first_row, const RowTable& table)
      : sample_(sample),
        first_row_(first_row),
        own_(sample.within(first_row, first_row + table.num_rows())),
        num_features_(table.num_features()),
        is_sampled_(table.num_rows()),
        rows_(own_.size() * num_features_) {
    for (std::size_t i = own_.begin; i < own_.end; ++i)
      is_sampled_[sample.row(i) - first_row] = true;
  }

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    copy_rows(first_row, num_rows, [&](float* sampled, std::size_t place) {
      std::copy_n(rows + place * num_features_, num_features_, sampled);
    });
    pool_.give_back(rows);
  }
  bool wants(std::size_t row) const override { return is_sampled_[row]; }

  // Of this machine, and which of all sampled rows they are.
  MatrixView<const float> rows() const { return {rows_.data(), own_.size(), num_features_}; }
  RowRange own() const { return own_; }
  // Puts those of the sampled rows that belong there into a block.
  void fill_in(std::size_t first_row, std::size_t num_rows, float* rows) {
    copy_rows(first_row, num_rows, [&](const float* sampled, std::size_t place) {
      std::copy_n(sampled, num_features_, rows + place * num_features_);
    });
  }

 private:
  // Calls copy(sampled row, its place in the block) for each sampled row of the block.
  template <typename Copy>
  void copy_rows(std::size_t first_row, std::size_t num_rows, Copy&& copy) {
    const std::size_t first = first_row_ + first_row;
    const RowRange chosen = sample_.within(first, first + num_rows);
    for (std::size_t i = chosen.begin; i < chosen.end; ++i) {
      copy(rows_.data() + (i - own_.begin) * num_features_, sample_.row(i) - first);
    }
  }

  RowSample sample_;
  std::size_t first_row_;
  RowRange own_;
  std::size_t num_features_;
  std::vector<bool> is_sampled_;
  Buffer<float> rows_;
  BlockPool pool_;
};

// Where the values of complete rows end.
class RowCoder {
 public:
  RowCoder(BinCoder& coder, PieceChecksum* values, std::size_t first)
      : coder_(coder), values_(values), first_(first) {}

  void add(std::size_t first_row, MatrixView<const float> rows) {
    coder_.add(first_row, rows);
    if (values_ == nullptr) return;
    const std::size_t row_bytes = rows.num_columns() * sizeof(float);
    values_->add((first_ + first_row) * row_bytes,
                 {reinterpret_cast<const char*>(rows.data()), rows.num_rows() * row_bytes});
  }

 private:
  BinCoder& coder_;
  PieceChecksum* values_;
  std::size_t first_;  // among the rows of all machines
};

// Codes each block as it comes; sampled rows, if there are any, are known already.
class CodeSink final : public RowSink {
 public:
  CodeSink(RowCoder& coder, SampleSink* sampled, std::size_t num_features)
      : coder_(coder), sampled_(sampled), num_features_(num_features) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    if (sampled_ != nullptr) sampled_->fill_in(first_row, num_rows, rows);
    coder_.add(first_row, {rows, num_rows, num_features_});
    pool_.give_back(rows);
  }
  bool wants(std::size_t row) const override {
    return sampled_ == nullptr || !sampled_->wants(row);
  }

 private:
  RowCoder& coder_;
  SampleSink* sampled_;
  std::size_t num_features_;
  BlockPool pool_;
};

}  // namespace

BinnedDataset bin_stream(const RowSource& source, const BinParams& params, const Context& context,
                         PieceChecksum* values) {
  check_params(params);
  if (params.sample_rows == 0) {
    fail(ErrorKind::kUsage,
         "sample_rows = 0 (all rows) would hold the whole matrix; streaming needs a sample, for "
         "example sample_rows = 200000");
  }
  const auto table = source.shared_table();
  const Shard shard = shard_of(table->queries, *context.communicator);
  const RowSample chosen(shard.num_rows, params.sample_rows, context.seed);
  SampleSink sampled(chosen, shard.first_row, *table);
  agree(context, [&] { source.pass(context, sampled); });
  const MatrixView<const float> sample = sampled.rows();
  const RowSample everything(chosen.size(), 0, context.seed);
  BinCoder coder(
      table,
      std::make_shared<const BinEdges>(find_bin_edges(
          {.features = sample, .first_row = sampled.own().begin, .schema = table->schema},
          everything, params, context)),
      context);
  RowCoder rows(coder, values, shard.first_row);
  if (chosen.size() == shard.num_rows) {
    constexpr std::size_t kChunkRows = 8192;
    parallel_for(context, sample.num_rows(), kChunkRows, [&](std::size_t begin, std::size_t end) {
      context.check_stop();
      rows.add(begin, {sample.row(begin).data(), end - begin, sample.num_columns()});
    });
  } else {
    CodeSink sink(rows, &sampled, table->num_features());
    agree(context, [&] { source.pass(context, sink); });
  }
  return coder.finish(context);
}

BinnedDataset bin_stream_with(const RowSource& source, std::shared_ptr<const BinEdges> edges,
                              const Context& context) {
  BinCoder coder(source.shared_table(), std::move(edges), context);
  RowCoder rows(coder, nullptr, 0);
  CodeSink sink(rows, nullptr, source.table().num_features());
  agree(context, [&] { source.pass(context, sink); });
  return coder.finish(context);
}

}  // namespace glassrank
