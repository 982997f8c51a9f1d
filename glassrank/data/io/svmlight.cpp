#include "glassrank/data/io/svmlight.h"

#include <algorithm>
#include <limits>
#include <new>
#include <numeric>
#include <unordered_map>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/io/side_files.h"
#include "glassrank/data/io/svmlight_source.h"

namespace glassrank {
namespace {

// Puts blocks of rows where they belong in a matrix.
class MatrixSink final : public RowSink {
 public:
  // `starts` are the runs' first rows in the file, `places` where those go; both empty: as they
  // come. A block never crosses a run.
  MatrixSink(float* matrix, std::size_t width, std::span<const std::size_t> starts,
             std::span<const std::size_t> places)
      : matrix_(matrix), width_(width), starts_(starts), places_(places) {}

  float* begin_block(std::size_t first_row, std::size_t) override {
    return matrix_ + place(first_row) * width_;
  }
  void end_block(std::size_t, std::size_t, float*) override {}

 private:
  std::size_t place(std::size_t row) const {
    if (starts_.empty()) return row;
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), row);
    const auto run = static_cast<std::size_t>(after - starts_.begin()) - 1;
    return places_[run] + (row - starts_[run]);
  }
  float* matrix_;
  std::size_t width_;
  std::span<const std::size_t> starts_;
  std::span<const std::size_t> places_;
};

Buffer<float> allocate_matrix(const std::string& name, std::size_t num_rows,
                              std::size_t num_features) {
  try {
    return Buffer<float>(num_rows * num_features);
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::kIo, "{}: no memory for {} rows of {} features ({:.1f} GB)", name, num_rows,
         num_features, static_cast<double>(num_rows * num_features * sizeof(float)) / 1e9);
  }
}

// Moves per-row data as MatrixSink moves rows.
void move_rows(const SvmlightSource& source, std::vector<float>& values) {
  if (values.empty()) return;
  std::vector<float> moved(values.size());
  const auto starts = source.run_starts();
  for (std::size_t run = 0; run < starts.size(); ++run) {
    const std::size_t end = run + 1 < starts.size() ? starts[run + 1] : values.size();
    std::copy(values.begin() + starts[run], values.begin() + end,
              moved.begin() + source.run_places()[run]);
  }
  values = std::move(moved);
}

StringColumn move_rows(const SvmlightSource& source, const StringColumn& column) {
  if (column.empty()) return column;
  std::vector<std::size_t> runs(source.run_starts().size());
  std::iota(runs.begin(), runs.end(), 0);
  std::ranges::sort(runs, {}, [&](std::size_t run) { return source.run_places()[run]; });
  StringColumnBuilder builder;
  for (const std::size_t run : runs) {
    const std::size_t begin = source.run_starts()[run];
    const std::size_t end = run + 1 < runs.size() ? source.run_starts()[run + 1] : column.size();
    for (std::size_t row = begin; row < end; ++row) builder.add(column[row]);
  }
  return builder.finish();
}

Dataset read_all(SvmlightSource source, const Context& context) {
  const RowTable& table = source.table();
  DatasetParts parts;
  parts.features = allocate_matrix(source.name(), table.num_rows, table.num_features);
  MatrixSink sink(parts.features.data(), table.num_features, source.run_starts(),
                  source.run_places());
  source.pass(context, sink);
  parts.grades = table.grades;
  parts.weights = table.weights;
  parts.document_ids = table.document_ids;
  if (!source.run_starts().empty()) {
    context.warn(fmt::format("{}: the rows of {} are not together; they were grouped",
                             source.name(), source.scattered_text()));
    move_rows(source, parts.grades);
    move_rows(source, parts.weights);
    parts.document_ids = move_rows(source, table.document_ids);
  }
  parts.queries = table.queries;
  parts.feature_names = table.feature_names;
  return Dataset(std::move(parts));
}

}  // namespace

Dataset read_svmlight(const std::string& path, const ReadParams& params, const Context& context) {
  return read_all(SvmlightSource(TextChunks(InputText(path, context), kSvmlightChunk),
                                 SideFiles{path}, params, context),
                  context);
}

Dataset parse_svmlight(std::string_view text, std::string name, const ReadParams& params,
                       const Context& context, std::size_t chunk_size) {
  return read_all(SvmlightSource(TextChunks(InputText(text, std::move(name)), chunk_size),
                                 SideFiles{}, params, context),
                  context);
}

std::unique_ptr<RowSource> open_svmlight(const std::string& path, const ReadParams& params,
                                         const Context& context) {
  if (path == "-") {
    fail(ErrorKind::kUsage, "standard input cannot be passed over twice; give a file");
  }
  auto source = std::make_unique<SvmlightSource>(
      TextChunks(InputText(path, context), kSvmlightChunk), SideFiles{path}, params, context);
  if (!source->run_starts().empty()) {
    fail(ErrorKind::kInput,
         "{}: the rows of {} are not together; a file read as a stream must have each query's rows "
         "one after the other",
         path, source->scattered_text());
  }
  return source;
}

}  // namespace glassrank
