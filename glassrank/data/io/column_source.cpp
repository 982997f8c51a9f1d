#include "glassrank/data/io/column_source.h"

#include <algorithm>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kValuesAtATime = std::size_t{1} << 16;

}  // namespace

ColumnSource::ColumnSource(std::shared_ptr<const RowTable> table, std::vector<ReadColumn> columns,
                           std::size_t begin)
    : table_(std::move(table)), columns_(std::move(columns)), begin_(begin) {
  check_sizes(*table_);
  if (columns_.size() == table_->num_features()) return;
  fail(ErrorKind::kInput, "{} columns of values for {} features", columns_.size(),
       table_->num_features());
}

std::size_t ColumnSource::rows_per_block() const {
  return std::max<std::size_t>(kValuesAtATime / std::max<std::size_t>(columns_.size(), 1), 64);
}

void ColumnSource::read_block(std::size_t first_row, std::size_t num_rows, float* out) const {
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    columns_[f](begin_ + first_row, num_rows, out + f, columns_.size());
  }
}

void ColumnSource::read(std::size_t first_row, std::size_t num_rows, float* out,
                        const Context& context) const {
  parallel_for(context, num_rows, rows_per_block(), [&](std::size_t begin, std::size_t end) {
    context.check_stop();
    read_block(first_row + begin, end - begin, out + begin * columns_.size());
  });
}

void ColumnSource::pass(const Context& context, RowSink& sink) const {
  parallel_for(context, table_->num_rows(), rows_per_block(),
               [&](std::size_t begin, std::size_t end) {
                 context.check_stop();
                 float* const rows = sink.begin_block(begin, end - begin);
                 bool is_wanted = false;
                 for (std::size_t r = begin; r < end && !is_wanted; ++r) is_wanted = sink.wants(r);
                 if (is_wanted) read_block(begin, end - begin, rows);
                 sink.end_block(begin, end - begin, rows);
               });
}

}  // namespace glassrank
