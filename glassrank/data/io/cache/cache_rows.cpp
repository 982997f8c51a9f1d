#include "glassrank/data/io/cache/cache_rows.h"

#include <algorithm>
#include <utility>

#include "glassrank/data/io/cache/cache.h"

namespace glassrank {
namespace {

constexpr std::size_t kValuesPerBlock = std::size_t{1} << 18;

class CacheRowSource final : public RowSource {
 public:
  explicit CacheRowSource(Dataset data) : data_(std::move(data)) {}

  std::shared_ptr<const RowTable> shared_table() const override { return data_.shared_table(); }

  void pass(const Context& context, RowSink& sink) const override {
    const std::size_t width = data_.num_features();
    const std::size_t most =
        std::max<std::size_t>(kValuesPerBlock / std::max<std::size_t>(width, 1), 1);
    context.threads->run((data_.num_rows() + most - 1) / most, [&](std::size_t block) {
      context.check_stop();
      const std::size_t first = block * most;
      const std::size_t count = std::min(most, data_.num_rows() - first);
      float* const rows = sink.begin_block(first, count);
      std::copy_n(data_.features().data() + first * width, count * width, rows);
      sink.end_block(first, count, rows);
    });
  }

 private:
  Dataset data_;
};

}  // namespace

std::unique_ptr<RowSource> open_cache_rows(const std::string& path, const Context& context) {
  return std::make_unique<CacheRowSource>(open_cache(path, context));
}

}  // namespace glassrank
