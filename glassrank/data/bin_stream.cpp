#include "glassrank/data/bin_stream.h"

#include <algorithm>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/bin_coder.h"
#include "glassrank/data/io/block_pool.h"

namespace glassrank {
namespace {

// The sampled rows of a pass.
class SampleSink final : public RowSink {
 public:
  SampleSink(const RowSample& sample, std::size_t num_rows, std::size_t num_features)
      : sample_(sample),
        num_features_(num_features),
        is_sampled_(num_rows),
        rows_(sample.size() * num_features) {
    for (std::size_t i = 0; i < sample.size(); ++i) is_sampled_[sample.row(i)] = true;
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

  MatrixView<const float> rows() const { return {rows_.data(), sample_.size(), num_features_}; }
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
    const RowRange chosen = sample_.within(first_row, first_row + num_rows);
    for (std::size_t i = chosen.begin; i < chosen.end; ++i) {
      copy(rows_.data() + i * num_features_, sample_.row(i) - first_row);
    }
  }

  RowSample sample_;
  std::size_t num_features_;
  std::vector<bool> is_sampled_;
  Buffer<float> rows_;
  BlockPool pool_;
};

// Codes each block as it comes; the sampled rows are known already.
class CodeSink final : public RowSink {
 public:
  CodeSink(BinCoder& coder, SampleSink& sampled, std::size_t num_features)
      : coder_(coder), sampled_(sampled), num_features_(num_features) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    sampled_.fill_in(first_row, num_rows, rows);
    coder_.add(first_row, {rows, num_rows, num_features_});
    pool_.give_back(rows);
  }
  bool wants(std::size_t row) const override { return !sampled_.wants(row); }

 private:
  BinCoder& coder_;
  SampleSink& sampled_;
  std::size_t num_features_;
  BlockPool pool_;
};

}  // namespace

BinnedDataset bin_stream(const RowSource& source, const BinParams& params, const Context& context) {
  if (params.sample_rows == 0) {
    fail(ErrorKind::kUsage,
         "sample_rows = 0 (all rows) would hold the whole matrix; streaming needs a sample, for "
         "example sample_rows = 200000");
  }
  auto table = std::make_shared<const RowTable>(source.table());
  SampleSink sampled(RowSample(table->num_rows, params.sample_rows, context.seed), table->num_rows,
                     table->num_features);
  source.pass(context, sampled);
  const RowSample everything(sampled.rows().num_rows(), 0, context.seed);
  BinCoder coder(table, std::make_shared<const BinEdges>(
                            find_bin_edges(sampled.rows(), everything, params, context)));
  CodeSink sink(coder, sampled, table->num_features);
  source.pass(context, sink);
  return coder.finish();
}

}  // namespace glassrank
