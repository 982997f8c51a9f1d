#include "glassrank/data/io/csv/csv.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/block_pool.h"
#include "glassrank/data/io/categories.h"
#include "glassrank/data/io/category_codes.h"
#include "glassrank/data/io/csv/csv_chunks.h"
#include "glassrank/data/io/csv/csv_columns.h"
#include "glassrank/data/io/csv/csv_rows.h"
#include "glassrank/data/io/csv/csv_separator.h"
#include "glassrank/data/io/group_rows.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/matrix_sink.h"
#include "glassrank/data/io/placed_sink.h"
#include "glassrank/data/io/side_files.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 18;

// An opened file: its text cut into chunks, and what its rows look like.
class CsvFile {
 public:
  // With an empty `path` there are no side files.
  CsvFile(const InputText& input, const std::string& path, char separator, const ReadParams& params)
      : separator_(separator_of(input, separator)),
        chunks_(input, separator_, kChunkBytes),
        side_files_{.path = path},
        header_(read_header(chunks_, params, side_files_.has_queries())),
        schema_(header_.columns.schema),
        rows_(chunks_.name(), separator_, header_.columns),
        num_read_(schema_.num_features()) {
    pad_features(params);
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  // Known at once of a text in memory only.
  std::size_t num_rows() const { return chunks_.num_rows(); }
  const Schema& schema() const { return schema_; }
  const std::string& name() const { return chunks_.name(); }

  // Finds the categories of the columns that are said to hold some. Before any other pass.
  void find_categories(const ReadParams& params, const Context& context);
  // Parses every chunk: features into the sink if there is one, the rest into `tables` if there are
  // any (one per chunk).
  void parse(const Context& context, RowSink* sink, std::vector<CsvChunkTable>* tables) const;
  // Parses every cell and throws the first error of the file, if there is one: what a pass that
  // skips cells or rows stumbled over need not be the first.
  void check(const Context& context) const;
  // All but the queries into `table`, in the order of the file; tells of rows to be grouped.
  RowGrouping collect(std::vector<CsvChunkTable> tables, const Context& context,
                      RowTable& table) const;

 private:
  static CsvHeader read_header(CsvChunks& chunks, const ReadParams& params, bool query_elsewhere) {
    CsvHeader header = read_csv_header(chunks.head(), params, query_elsewhere);
    chunks.set_body(header.body);
    return header;
  }
  void pad_features(const ReadParams& params);
  void check_categories(std::size_t feature, const CategoryCounts& counts,
                        const Context& context) const;
  void parse_chunk(const CsvPiece& piece, RowSink* sink, CsvChunkTable* table) const;

  char separator_;
  CsvChunks chunks_;
  SideFiles side_files_;
  CsvHeader header_;
  Schema schema_;
  CsvRows rows_;
  std::size_t num_read_;  // features in the file; the rest is padding
};

void CsvFile::pad_features(const ReadParams& params) {
  const auto wanted = static_cast<std::size_t>(std::max(params.num_features, 0));
  if (wanted != 0 && wanted < num_read_) {
    fail(ErrorKind::kInput, "{}: the header names {} features, but num_features is {}", name(),
         num_read_, wanted);
  }
  schema_.set_padding({.value = absent_value(params.absent)});
  try {
    schema_.pad_features(wanted);
  } catch (Error& error) {
    error.add_context(name());
    throw;
  }
}

void CsvFile::check_categories(std::size_t feature, const CategoryCounts& counts,
                               const Context& context) const {
  const std::string& column = schema_.feature_names()[feature];
  if (const auto value = counts.no_code()) fail_no_category(name(), column, *value);
  warn_of_many_categories(name(), column, counts.num_categories(), counts.num_rows(), context);
}

void CsvFile::find_categories(const ReadParams& params, const Context& context) {
  const std::vector<std::uint32_t> features = categorical_features(schema_, params, name());
  if (features.empty()) return;
  CsvColumns texts = header_.columns;
  const std::size_t num_columns = schema_.columns().size();
  for (std::size_t c = 0, f = 0; c < num_columns; ++c) {
    if (schema_.columns()[c].role != ColumnRole::kFeature) continue;
    if (std::ranges::binary_search(features, f++)) texts.parts[c] = CsvPart::kCategory;
  }
  for (const std::uint32_t f : features) schema_.set_category(f, {});
  const CsvRows rows(chunks_.name(), separator_, std::move(texts));
  std::vector<CategoryCounts> counts(num_columns);
  std::mutex mutex;
  chunks_.run(context, [&](std::size_t, const CsvPiece& piece) {
    std::vector<CategoryCounts> own(num_columns);
    rows.parse(piece, {.categories = &own});
    const std::lock_guard lock(mutex);
    for (std::size_t c = 0; c < num_columns; ++c) counts[c].add(own[c]);
  });
  const std::vector<std::uint32_t> said = features_said_categorical(schema_, params, name());
  for (std::size_t c = 0, f = 0; c < num_columns; ++c) {
    if (schema_.columns()[c].role != ColumnRole::kFeature) continue;
    const std::size_t feature = f++;
    if (std::ranges::binary_search(said, feature)) check_categories(feature, counts[c], context);
    if (!std::ranges::binary_search(features, feature) || counts[c].are_codes()) continue;
    std::vector<std::string> names = counts[c].names();
    CategoryCodes codes;
    for (std::size_t i = 0; i < names.size(); ++i) codes.emplace(names[i], static_cast<float>(i));
    rows_.set_codes(c, std::move(codes));
    schema_.set_category(feature, std::move(names));
  }
}

void CsvFile::parse_chunk(const CsvPiece& piece, RowSink* sink, CsvChunkTable* table) const {
  const CsvChunk& chunk = piece.chunk;
  if (table != nullptr) table->num_rows = chunk.num_rows;
  if (sink == nullptr || chunk.num_rows == 0) {
    rows_.parse(piece, {.table = table});
    return;
  }
  const std::size_t width = schema_.num_features();
  float* const block = sink->begin_block(chunk.first_row, chunk.num_rows);
  rows_.parse(piece, {.features = block, .row_stride = width, .table = table, .sink = sink});
  if (width > num_read_) {
    for (std::size_t r = 0; r < chunk.num_rows; ++r) {
      std::fill(block + r * width + num_read_, block + (r + 1) * width, schema_.padding()->value);
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

void CsvFile::check(const Context& context) const {
  class NoSink final : public RowSink {
   public:
    explicit NoSink(std::size_t width) : width_(width) {}
    float* begin_block(std::size_t /*first_row*/, std::size_t num_rows) override {
      return pool_.take(num_rows * width_);
    }
    void end_block(std::size_t, std::size_t, float* rows) override { pool_.give_back(rows); }

   private:
    std::size_t width_;
    BlockPool pool_;
  } sink(schema_.num_features());
  std::vector<CsvChunkTable> tables;
  parse(context, &sink, &tables);
}

RowGrouping CsvFile::collect(std::vector<CsvChunkTable> tables, const Context& context,
                             RowTable& table) const {
  std::vector<QueryRun> runs;
  StringColumnBuilder documents;
  std::size_t num_rows = 0;
  for (CsvChunkTable& own : tables) {
    num_rows += own.num_rows;
    table.grades.insert(table.grades.end(), own.grades.begin(), own.grades.end());
    table.weights.insert(table.weights.end(), own.weights.begin(), own.weights.end());
    std::ranges::move(own.queries, std::back_inserter(runs));
    std::size_t at = 0;
    for (const std::size_t size : own.document_sizes) {
      documents.add(std::string_view(own.documents).substr(at, size));
      at += size;
    }
  }
  if (num_rows == 0) fail(ErrorKind::kInput, "{}: no rows after the header", name());
  if (!header_.notice.empty()) context.info(header_.notice);
  table.schema = schema_;
  if (!schema_.has(ColumnRole::kGrade)) {
    table.grades.assign(num_rows, 0.0F);
    table.has_grades = false;
  }
  if (schema_.has(ColumnRole::kDocument)) table.document_ids = documents.finish();
  side_files_.warn_unused(".names", "the header names the features", context);
  if (schema_.has(ColumnRole::kWeight)) {
    side_files_.warn_unused(".weight", "there is a column of weights", context);
  } else {
    table.weights = side_files_.weights(table.num_rows(), context);
  }
  RowGrouping grouping;
  if (schema_.has(ColumnRole::kQuery)) {
    side_files_.warn_unused(side_files_.query_suffix(), "there is a column of queries", context);
    grouping = group_rows(runs);
    if (!grouping.contiguous()) context.warn(grouped_notice(name(), grouping));
  } else {
    grouping.queries = side_files_.queries(table.num_rows(), context);
  }
  return grouping;
}

Dataset read_all(CsvFile&& file, const ReadParams& params, const Context& context) {
  file.find_categories(params, context);
  DatasetParts parts;
  const std::size_t width = file.schema().num_features();
  parts.features = Buffer<float>(file.num_rows() * width);
  MatrixSink sink(parts.features.data(), width);
  std::vector<CsvChunkTable> tables;
  file.parse(context, &sink, &tables);
  apply_grouping(file.collect(std::move(tables), context, parts), parts);
  return Dataset(std::move(parts));
}

class CsvRowSource : public RowSource {
 public:
  CsvRowSource(const InputText& input, char separator, const ReadParams& params,
               const Context& context)
      : file_(input, input.name(), separator, params) {
    file_.find_categories(params, context);
    std::vector<CsvChunkTable> tables;
    or_first_error(context, [&] { file_.parse(context, nullptr, &tables); });
    RowTable table;
    RowGrouping grouping = file_.collect(std::move(tables), context, table);
    table.queries = std::move(grouping.queries);
    places_ = places_of(grouping.order);
    move_columns(std::move(grouping.order), table);
    table_ = std::make_shared<const RowTable>(std::move(table));
  }
  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    PlacedSink placed(sink, places_, table_->num_features());
    or_first_error(context,
                   [&] { file_.parse(context, places_.empty() ? &sink : &placed, nullptr); });
  }

 private:
  void or_first_error(const Context& context, FunctionRef<void()> read) const {
    try {
      read();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInput) file_.check(context);
      throw;
    }
  }

  CsvFile file_;
  std::shared_ptr<const RowTable> table_;
  std::vector<std::uint32_t> places_;  // empty unless queries had to be grouped
};

}  // namespace

Dataset read_csv(const std::string& path, char separator, const ReadParams& params,
                 const Context& context) {
  return read_all(CsvFile(InputText(path, context), path, separator, params), params, context);
}

Dataset parse_csv(std::string_view text, const std::string& name, char separator,
                  const ReadParams& params, const Context& context) {
  return read_all(CsvFile(InputText(text, name), "", separator, params), params, context);
}

std::unique_ptr<RowSource> open_csv_rows(const InputText& input, char separator,
                                         const ReadParams& params, const Context& context) {
  return std::make_unique<CsvRowSource>(input, separator, params, context);
}

}  // namespace glassrank
