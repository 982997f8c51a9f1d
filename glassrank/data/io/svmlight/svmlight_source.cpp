#include "glassrank/data/io/svmlight/svmlight_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/data/io/group_rows.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/placed_sink.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"

namespace glassrank {

SvmlightSource::SvmlightSource(TextChunks chunks, const SideFiles& side_files,
                               const ReadParams& params, const Context& context)
    : chunks_(std::move(chunks)), may_lack_grades_(params.may_lack_grades) {
  SvmlightScan scan = scan_svmlight(chunks_, may_lack_grades_, context);
  try {
    table_ = std::make_shared<const RowTable>(table_of(scan, side_files, params, context));
  } catch (const Error&) {
    // What is wrong with the whole file is told only if no line is wrong.
    check_svmlight_lines(chunks_, TextChunks::kAll, may_lack_grades_, context);
    throw;
  }
  const FeaturePadding padding = *table_->schema.padding();
  parser_ = SvmlightRowParser(padding.first_number, table_->num_features(), padding.value);
  first_row_ = std::move(scan.first_row);
  row_begins_ = std::move(scan.row_begins);
}

RowTable SvmlightSource::table_of(SvmlightScan& scan, const SideFiles& side_files,
                                  const ReadParams& params, const Context& context) {
  RowTable table;
  table.schema = schema_of(scan, side_files, params, context);
  RowGrouping grouping;
  if (scan.has_qid) {
    side_files.warn_unused(side_files.query_suffix(), "the rows have qids", context);
    grouping = group_rows(scan.runs);
  } else {
    grouping.queries = queries_beside(scan.num_rows(), side_files, context);
  }
  table.queries = grouping.queries;
  table.weights = side_files.weights(scan.num_rows(), context);
  table.grades = std::move(scan.grades);
  table.has_grades = scan.has_grade;
  if (!scan.has_grade) context.info(fmt::format("{}: no grades", name()));
  table.document_ids = std::move(scan.document_ids);
  if (!grouping.contiguous()) context.warn(grouped_notice(name(), grouping));
  places_ = places_of(grouping.order);
  move_columns(std::move(grouping.order), table);
  return table;
}

QueryGroups SvmlightSource::queries_beside(std::size_t num_rows, const SideFiles& side_files,
                                           const Context& context) const {
  QueryGroups queries = side_files.queries(num_rows, context);
  if (queries.num_queries() == 0 && side_files.path == "-") {
    fail(ErrorKind::kInput,
         "{}: no row has a qid, and standard input has no side files; write 'grade qid:Q "
         "feature:value ...'",
         name());
  }
  if (queries.num_queries() == 0) {
    fail(ErrorKind::kInput,
         "{}: no row has a qid and there is no file {}.query; write 'grade qid:Q feature:value "
         "...', or the number of rows of each query, one a line, in that file",
         name(), name());
  }
  return queries;
}

Schema SvmlightSource::schema_of(const SvmlightScan& scan, const SideFiles& side_files,
                                 const ReadParams& params, const Context& context) const {
  const bool has_zero = scan.has_feature && scan.smallest_id == 0;
  if (has_zero && params.first_feature == FirstFeature::kOne) {
    fail(ErrorKind::kInput, "{}: a row has feature 0, and first_feature is 1", name());
  }
  const std::uint32_t first_id = has_zero || params.first_feature == FirstFeature::kZero ? 0 : 1;
  const std::size_t in_file = scan.has_feature ? scan.largest_id + 1 - first_id : 0;
  const auto wanted = static_cast<std::size_t>(std::max(params.num_features, 0));
  if (wanted != 0 && wanted < in_file) {
    fail(ErrorKind::kInput,
         "{}: feature {} is beyond the {} features asked for (num_features); "
         "ids go from {} to {}",
         name(), scan.largest_id, wanted, first_id, first_id + wanted - 1);
  }
  // FILE.names begins with the first id of the file, which need not be the first column.
  const bool adds_zero = first_id == 0 && !has_zero && in_file > 0;
  std::vector<std::string> names = side_files.feature_names(in_file - (adds_zero ? 1 : 0), context);
  if (adds_zero && !names.empty()) names.insert(names.begin(), "0");
  Schema schema = Schema::of_features(std::move(names));
  if (wanted != 0 && wanted < schema.num_features()) {
    fail(ErrorKind::kInput,
         "{}.names: {} names are more than the {} features asked for "
         "(num_features)",
         name(), schema.num_features(), wanted);
  }
  schema.set_padding({.value = absent_value(params.absent),
                      .first_number = first_id,
                      .has_ids = true,
                      .is_sparse = scan.is_sparse});
  try {
    schema.pad_features(std::max(in_file, wanted));
  } catch (Error& error) {
    error.add_context(name());
    throw;
  }
  return schema;
}

void SvmlightSource::pass(const Context& context, RowSink& sink) const {
  PlacedSink placed(sink, places_, table_->num_features());
  RowSink& direct = places_.empty() ? sink : placed;
  try {
    chunks_.run(context, TextChunks::kAll,
                [&](std::size_t i, TextChunk chunk) { parse_chunk(i, chunk, direct); });
  } catch (const Error& error) {
    // Where it is, and whether a row this pass did not want is wrong before it.
    if (error.kind() == ErrorKind::kInput) {
      check_svmlight_lines(chunks_, TextChunks::kAll, may_lack_grades_, context);
    }
    throw;
  }
}

void SvmlightSource::parse_chunk(std::size_t i, TextChunk chunk, RowSink& sink) const {
  const auto size = static_cast<std::size_t>(chunk.end - chunk.begin);
  const bool is_known = i + 1 < first_row_.size();
  const std::size_t end = is_known ? first_row_[i + 1] : 0;
  if (!is_known || (end > first_row_[i] && row_begins_[end - 1] >= size)) {
    fail(ErrorKind::kInput, "{}: the file changed while it was read", name());
  }
  // Blocks are bounded: a megabyte of sparse text may stand for a terabyte of matrix.
  constexpr std::size_t kMostValues = std::size_t{1} << 20;
  const std::size_t width = table_->num_features();
  const std::size_t most_rows =
      std::max<std::size_t>(kMostValues / std::max<std::size_t>(width, 1), 1);
  for (std::size_t row = first_row_[i]; row < end;) {
    const std::size_t block_end = std::min(end, row + most_rows);
    float* block = sink.begin_block(row, block_end - row);
    float* values = block;
    for (std::size_t r = row; r < block_end; ++r, values += width) {
      if (sink.wants(r)) parse_line(chunk.begin + row_begins_[r], values);
    }
    sink.end_block(row, block_end - row, block);
    row = block_end;
  }
}

void SvmlightSource::parse_line(const char* begin, float* row) const {
  // The scan has checked grade and qid. Without a grade the qid takes its place.
  const char* p = begin;
  while (is_blank(*p)) ++p;
  while (!is_blank(*p) && *p != '\n' && *p != '#') ++p;
  const char* blank = p;
  while (is_blank(*p)) ++p;
  if (std::memcmp(p, "qid:", 4) == 0) {
    while (!is_blank(*p) && *p != '\n' && *p != '#') ++p;
  } else {
    p = blank;
  }
  if (parser_.parse(p, row) != nullptr) return;
  while (*p != '\n') ++p;
  SvmlightLine careful;
  // If this throws, pass() finds out in which line it was.
  parse_svmlight_line({begin, static_cast<std::size_t>(p - begin)}, LinePlace{}, careful);
  std::fill_n(row, table_->num_features(), parser_.absent());
  for (const auto& [id, value] : careful.values) row[id - parser_.first_id()] = value;
}

}  // namespace glassrank
