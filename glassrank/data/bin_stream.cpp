#include "glassrank/data/bin_stream.h"

#include <algorithm>

#include "glassrank/base/error.h"
#include "glassrank/data/bin_coder.h"
#include "glassrank/data/io/block_pool.h"

namespace glassrank {
namespace {

// Keeps the sampled rows.
class SampleSink final : public RowSink {
 public:
  SampleSink(const RowSample& sample, std::size_t num_features)
      : sample_(sample), num_features_(num_features), rows_(sample.size() * num_features) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    const RowRange chosen = sample_.within(first_row, first_row + num_rows);
    for (std::size_t i = chosen.begin; i < chosen.end; ++i) {
      std::copy_n(rows + (sample_.row(i) - first_row) * num_features_, num_features_,
                  rows_.data() + i * num_features_);
    }
    pool_.give_back(rows);
  }
  MatrixView<const float> rows() const { return {rows_.data(), sample_.size(), num_features_}; }

 private:
  RowSample sample_;
  std::size_t num_features_;
  Buffer<float> rows_;
  BlockPool pool_;
};

// Codes each block as it comes.
class CodeSink final : public RowSink {
 public:
  CodeSink(BinCoder& coder, std::size_t num_features)
      : coder_(coder), num_features_(num_features) {}

  float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
    return pool_.take(num_rows * num_features_);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    coder_.add(first_row, {rows, num_rows, num_features_});
    pool_.give_back(rows);
  }

 private:
  BinCoder& coder_;
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
  std::shared_ptr<const BinEdges> edges;
  {
    const RowSample sample(table->num_rows, params.sample_rows, context.seed);
    SampleSink sink(sample, table->num_features);
    source.pass(context, sink);
    const RowSample everything(sample.size(), 0, context.seed);
    edges =
        std::make_shared<const BinEdges>(find_bin_edges(sink.rows(), everything, params, context));
  }
  BinCoder coder(table, std::move(edges));
  CodeSink sink(coder, table->num_features);
  source.pass(context, sink);
  return coder.finish();
}

}  // namespace glassrank
