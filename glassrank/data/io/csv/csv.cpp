#include "glassrank/data/io/csv/csv.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <mutex>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/csv/csv_chunks.h"
#include "glassrank/data/io/csv/csv_rows.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/matrix_sink.h"
#include "glassrank/data/io/side_files.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;

// An opened file: its text cut into chunks, and what its rows look like.
class CsvFile {
 public:
  // With an empty `path` there are no side files.
  CsvFile(InputText input, const std::string& path, char separator, const ReadParams& params)
      : chunks_(std::move(input), separator, kChunkBytes),
        side_files_{.path = path},
        rows_(chunks_.name(), separator, read_header(chunks_, params, side_files_.has_queries())),
        feature_names_(rows_.columns().feature_names()),
        padding_(params.absent == AbsentValue::kZero ? 0.0F
                                                     : std::numeric_limits<float>::quiet_NaN()),
        num_read_(feature_names_.size()) {
    pad_features(params);
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  // Known at once of a text in memory only.
  std::size_t num_rows() const { return chunks_.num_rows(); }
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  const std::string& name() const { return chunks_.name(); }

  // Parses every chunk: features into the sink if there is one, the rest into `tables` if there are
  // any (one per chunk).
  void parse(const Context& context, RowSink* sink, std::vector<CsvChunkTable>* tables) const;
  // All but features and names, in the order of the file; parts.queries stays empty.
  RowGrouping collect(std::vector<CsvChunkTable> tables, const Context& context,
                      DatasetParts& parts) const;

 private:
  static CsvColumns read_header(CsvChunks& chunks, const ReadParams& params, bool query_elsewhere) {
    CsvHeader header = read_csv_header(chunks.head(), params, query_elsewhere);
    chunks.set_body(header.body);
    return std::move(header.columns);
  }
  void pad_features(const ReadParams& params);
  void parse_chunk(const CsvPiece& piece, RowSink* sink, CsvChunkTable* table) const;

  CsvChunks chunks_;
  SideFiles side_files_;
  CsvRows rows_;
  std::vector<std::string> feature_names_;
  float padding_;
  std::size_t num_read_;  // features in the file; the rest is padding
};

void CsvFile::pad_features(const ReadParams& params) {
  const auto wanted = static_cast<std::size_t>(std::max(params.num_features, 0));
  if (wanted == 0) return;
  if (wanted < num_read_) {
    fail(ErrorKind::kInput, "{}: the header names {} features, but num_features is {}", name(),
         num_read_, wanted);
  }
  for (std::size_t f = num_read_; f < wanted; ++f) {
    std::string added = std::to_string(f + 1);
    if (std::ranges::find(feature_names_, added) != feature_names_.end()) {
      fail(ErrorKind::kInput,
           "{}: feature {}, added for num_features = {}, has the name of a column", name(), added,
           wanted);
    }
    feature_names_.push_back(std::move(added));
  }
}

void CsvFile::parse_chunk(const CsvPiece& piece, RowSink* sink, CsvChunkTable* table) const {
  const CsvChunk& chunk = piece.chunk;
  if (sink == nullptr || chunk.num_rows == 0) {
    rows_.parse(piece, {.table = table});
    return;
  }
  const std::size_t width = feature_names_.size();
  float* const block = sink->begin_block(chunk.first_row, chunk.num_rows);
  rows_.parse(piece, {.features = block, .row_stride = width, .table = table});
  if (width > num_read_) {
    for (std::size_t r = 0; r < chunk.num_rows; ++r) {
      std::fill(block + r * width + num_read_, block + (r + 1) * width, padding_);
    }
  }
  sink->end_block(chunk.first_row, chunk.num_rows, block);
}

void CsvFile::parse(const Context& context, RowSink* sink,
                    std::vector<CsvChunkTable>* tables) const {
  std::mutex mutex;
  chunks_.run(context, [&](std::size_t i, const CsvPiece& piece) {
    CsvChunkTable table;
    parse_chunk(piece, sink, tables == nullptr ? nullptr : &table);
    if (tables == nullptr) return;
    const std::lock_guard lock(mutex);
    if (tables->size() <= i) tables->resize(i + 1);
    (*tables)[i] = std::move(table);
  });
}

RowGrouping CsvFile::collect(std::vector<CsvChunkTable> tables, const Context& context,
                             DatasetParts& parts) const {
  const CsvColumns& columns = rows_.columns();
  std::vector<QueryRun> runs;
  StringColumnBuilder documents;
  for (CsvChunkTable& table : tables) {
    parts.grades.insert(parts.grades.end(), table.grades.begin(), table.grades.end());
    parts.weights.insert(parts.weights.end(), table.weights.begin(), table.weights.end());
    std::ranges::move(table.queries, std::back_inserter(runs));
    std::size_t at = 0;
    for (const std::size_t size : table.document_sizes) {
      documents.add(std::string_view(table.documents).substr(at, size));
      at += size;
    }
  }
  const std::size_t num_rows = parts.grades.size();
  if (num_rows == 0) fail(ErrorKind::kInput, "{}: no rows after the header", name());
  if (columns.has_document) parts.document_ids = documents.finish();
  side_files_.warn_unused(".names", "the header names the features", context);
  if (columns.has_weight) {
    side_files_.warn_unused(".weight", "there is a column of weights", context);
  } else {
    parts.weights = side_files_.weights(num_rows, context);
  }
  if (columns.has_query) {
    side_files_.warn_unused(".query", "there is a column of queries", context);
    return group_rows(runs);
  }
  RowGrouping grouping;
  grouping.queries = side_files_.queries(num_rows, context);
  return grouping;
}

Dataset read_all(const CsvFile& file, const Context& context) {
  DatasetParts parts;
  parts.feature_names = file.feature_names();
  const std::size_t width = parts.feature_names.size();
  parts.features = Buffer<float>(file.num_rows() * width);
  MatrixSink sink(parts.features.data(), width);
  std::vector<CsvChunkTable> tables;
  file.parse(context, &sink, &tables);
  RowGrouping grouping = file.collect(std::move(tables), context, parts);
  if (!grouping.contiguous()) context.warn(grouped_notice(file.name(), grouping));
  apply_grouping(std::move(grouping), parts);
  return Dataset(std::move(parts));
}

class CsvRowSource : public RowSource {
 public:
  CsvRowSource(const std::string& path, char separator, const ReadParams& params,
               const Context& context)
      : file_(InputText(path, context, Unpack::kLater), path, separator, params) {
    std::vector<CsvChunkTable> tables;
    file_.parse(context, nullptr, &tables);
    DatasetParts parts;
    RowGrouping grouping = file_.collect(std::move(tables), context, parts);
    if (!grouping.contiguous()) {
      throw Error(ErrorKind::kInput, not_contiguous_message(file_.name(), grouping));
    }
    table_ = {.num_rows = parts.grades.size(),
              .num_features = file_.feature_names().size(),
              .grades = std::move(parts.grades),
              .queries = std::move(grouping.queries),
              .feature_names = file_.feature_names(),
              .document_ids = std::move(parts.document_ids),
              .weights = std::move(parts.weights)};
  }
  const RowTable& table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    file_.parse(context, &sink, nullptr);
  }

 private:
  CsvFile file_;
  RowTable table_;
};

}  // namespace

Dataset read_csv(const std::string& path, char separator, const ReadParams& params,
                 const Context& context) {
  return read_all(CsvFile(InputText(path, context), path, separator, params), context);
}

Dataset parse_csv(std::string_view text, const std::string& name, char separator,
                  const ReadParams& params, const Context& context) {
  return read_all(CsvFile(InputText(text, name), "", separator, params), context);
}

std::unique_ptr<RowSource> open_csv_rows(const std::string& path, char separator,
                                         const ReadParams& params, const Context& context) {
  return std::make_unique<CsvRowSource>(path, separator, params, context);
}

}  // namespace glassrank
