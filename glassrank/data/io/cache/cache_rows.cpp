#include "glassrank/data/io/cache/cache_rows.h"

#include <algorithm>
#include <utility>

#include "glassrank/data/io/cache/cache.h"

namespace glassrank {
namespace {

constexpr std::size_t kValuesPerBlock = std::size_t{1} << 18;

class CacheRowSource final : public RowSource {
 public:
  explicit CacheRowSource(Dataset data) : data_(std::move(data)) {
    const auto names = data_.feature_names();
    table_ = {.num_rows = data_.num_rows(),
              .num_features = data_.num_features(),
              .grades = {data_.grades().begin(), data_.grades().end()},
              .queries = data_.queries(),
              .feature_names = {names.begin(), names.end()},
              .document_ids = data_.document_ids(),
              .weights = {data_.weights().begin(), data_.weights().end()}};
  }

  const RowTable& table() const override { return table_; }

  void pass(const Context& context, RowSink& sink) const override {
    const std::size_t width = table_.num_features;
    const std::size_t most =
        std::max<std::size_t>(kValuesPerBlock / std::max<std::size_t>(width, 1), 1);
    context.threads->run((table_.num_rows + most - 1) / most, [&](std::size_t block) {
      context.check_stop();
      const std::size_t first = block * most;
      const std::size_t count = std::min(most, table_.num_rows - first);
      float* const rows = sink.begin_block(first, count);
      std::copy_n(data_.features().data() + first * width, count * width, rows);
      sink.end_block(first, count, rows);
    });
  }

 private:
  Dataset data_;
  RowTable table_;
};

}  // namespace

std::unique_ptr<RowSource> open_cache_rows(const std::string& path, const Context& context) {
  return std::make_unique<CacheRowSource>(open_cache(path, context));
}

}  // namespace glassrank
