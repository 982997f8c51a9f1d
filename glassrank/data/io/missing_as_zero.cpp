#include "glassrank/data/io/missing_as_zero.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kRowsPerChunk = 4096;

float known(float value) { return std::isnan(value) ? 0.0F : value; }

class KnownSink final : public RowSink {
 public:
  KnownSink(RowSink& sink, std::size_t width) : sink_(sink), width_(width) {}
  float* begin_block(std::size_t first_row, std::size_t num_rows) override {
    return sink_.begin_block(first_row, num_rows);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    std::transform(rows, rows + num_rows * width_, rows, known);
    sink_.end_block(first_row, num_rows, rows);
  }
  bool wants(std::size_t row) const override { return sink_.wants(row); }

 private:
  RowSink& sink_;
  std::size_t width_;
};

class KnownSource final : public RowSource {
 public:
  explicit KnownSource(std::unique_ptr<RowSource> source) : source_(std::move(source)) {}
  std::shared_ptr<const RowTable> shared_table() const override { return source_->shared_table(); }
  void pass(const Context& context, RowSink& sink) const override {
    KnownSink known_sink(sink, table().num_features());
    source_->pass(context, known_sink);
  }

 private:
  std::unique_ptr<RowSource> source_;
};

}  // namespace

Dataset missing_as_zero(const Dataset& data, const Context& context) {
  const std::size_t width = data.num_features();
  const auto count_in = [&](std::size_t begin, std::size_t end) {
    std::size_t num = 0;
    for (std::size_t r = begin; r < end; ++r) {
      num += static_cast<std::size_t>(
          std::ranges::count_if(data.row(r), [](float value) { return std::isnan(value); }));
    }
    return num;
  };
  const std::size_t num_missing =
      ordered_reduce(context, data.num_rows(), kRowsPerChunk, std::size_t{0}, count_in,
                     [](std::size_t& total, std::size_t part) { total += part; });
  if (num_missing == 0) return data;
  DatasetParts parts{data.table(), Buffer<float>(data.num_rows() * width)};
  parallel_for(context, data.num_rows(), kRowsPerChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      std::ranges::transform(data.row(r), parts.features.data() + r * width, known);
    }
  });
  return Dataset(std::move(parts));
}

std::unique_ptr<RowSource> missing_as_zero(std::unique_ptr<RowSource> source) {
  return std::make_unique<KnownSource>(std::move(source));
}

}  // namespace glassrank
