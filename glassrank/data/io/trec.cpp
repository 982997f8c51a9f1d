#include "glassrank/data/io/trec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include <fast_float/fast_float.h>

#include "glassrank/base/error.h"
#include "glassrank/data/document_index.h"
#include "glassrank/data/io/group_rows.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

// What differs between the two kinds of file.
struct TrecLayout {
  std::string_view columns;  // as a message names them
  std::size_t num_columns;
  std::size_t value_column;
  std::string_view value_name;
  bool may_be_infinite;
  std::size_t columns_of_other;  // of the other kind of file
  std::string_view if_other;     // what to do about a file of that kind
};
constexpr TrecLayout kQrelsLayout = {.columns = "query iteration document grade",
                                     .num_columns = 4,
                                     .value_column = 3,
                                     .value_name = "grade",
                                     .may_be_infinite = false,
                                     .columns_of_other = 6,
                                     .if_other =
                                         "; a run has 6: judgements come first, as in glassrank "
                                         "evaluate QRELS RUN, or after --qrels"};
constexpr TrecLayout kRunLayout = {.columns = "query Q0 document rank score tag",
                                   .num_columns = 6,
                                   .value_column = 4,
                                   .value_name = "score",
                                   .may_be_infinite = true,
                                   .columns_of_other = 4,
                                   .if_other =
                                       "; judgements have 4: they come first, as in glassrank "
                                       "evaluate QRELS RUN, or after --qrels"};
constexpr std::size_t kQueryColumn = 0;
constexpr std::size_t kDocumentColumn = 2;
constexpr std::size_t kTagColumn = 5;
constexpr std::size_t kMostColumns = 6;

// The lines of a file in its order; ids are pieces of the text.
struct TrecLines {
  std::vector<QueryRun> queries;
  std::vector<std::string_view> documents;
  std::vector<double> values;
  std::string_view tag;
};

class TrecParser {
 public:
  TrecParser(std::string_view text, std::string_view name, const TrecLayout& layout)
      : text_(skip_byte_order_mark(text)), name_(name), layout_(layout) {}

  TrecLines parse();
  [[noreturn]] void fail_at_piece(const char* where, std::string_view message) const {
    fail_at(name_, text_, where, message);
  }

 private:
  using Cells = std::array<std::string_view, kMostColumns>;
  // Splits the line at `p`; false if it is empty or a comment. Moves `p` to the next line.
  bool split_line(const char*& p, Cells& cells) const;
  double value_of(std::string_view cell) const;

  std::string_view text_;
  std::string_view name_;
  const TrecLayout& layout_;
};

bool TrecParser::split_line(const char*& p, Cells& cells) const {
  const char* const end = text_.data() + text_.size();
  std::size_t count = 0;
  const char* last_place = p;
  while (true) {
    while (p != end && is_blank(*p)) ++p;
    if (p == end || *p == '\n') break;
    if (count == 0 && *p == '#') {
      p = std::find(p, end, '\n');
      break;
    }
    const char* const begin = p;
    while (p != end && *p != '\n' && !is_blank(*p)) ++p;
    if (count < layout_.num_columns) {
      cells[count] = {begin, static_cast<std::size_t>(p - begin)};
    } else if (count == layout_.num_columns) {
      last_place = begin;
    }
    ++count;
  }
  const char* const line_end = p;
  if (p != end) ++p;
  if (count == 0) return false;
  if (count != layout_.num_columns) {
    fail_at_piece(
        count < layout_.num_columns ? line_end : last_place,
        fmt::format("{} columns; a line has {}: {}{}", count, layout_.num_columns, layout_.columns,
                    count == layout_.columns_of_other ? layout_.if_other : ""));
  }
  return true;
}

double TrecParser::value_of(std::string_view cell) const {
  double value = 0;
  const char* const end = cell.data() + cell.size();
  const char* begin = cell.data();
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') ++begin;
  const auto [stop, error] = fast_float::from_chars(begin, end, value);
  if (error != std::errc{} || stop != end) {
    fail_at_piece(cell.data(), fmt::format("{} is not a number; a {} is expected", quote_text(cell),
                                           layout_.value_name));
  }
  if (std::isnan(value) || (std::isinf(value) && !layout_.may_be_infinite)) {
    fail_at_piece(
        cell.data(),
        fmt::format("{} cannot be a {}; it must be {}", quote_text(cell), layout_.value_name,
                    layout_.may_be_infinite ? "a number" : "a finite number"));
  }
  return value;
}

TrecLines TrecParser::parse() {
  TrecLines lines;
  const char* const end = text_.data() + text_.size();
  Cells cells;
  for (const char* p = text_.data(); p != end;) {
    if (!split_line(p, cells)) continue;
    if (lines.values.empty() && layout_.num_columns > kTagColumn) lines.tag = cells[kTagColumn];
    append_run(lines.queries, cells[kQueryColumn]);
    lines.documents.push_back(cells[kDocumentColumn]);
    lines.values.push_back(value_of(cells[layout_.value_column]));
  }
  if (lines.values.empty()) {
    fail(ErrorKind::kInput, "{}: no lines; a line is: {}", name_, layout_.columns);
  }
  return lines;
}

struct TrecTable {
  QueryGroups queries;
  StringColumn documents;
  std::vector<double> values;
  std::string tag;
};

// The earliest line of the file that repeats a document of its query, if any.
void check_documents_differ(const TrecParser& parser, const QueryGroups& queries,
                            std::span<const std::string_view> documents) {
  DocumentIndex index;
  std::size_t repeated_query = 0;
  std::string_view repeated;
  for (std::size_t q = 0; q < queries.num_queries(); ++q) {
    const RowRange rows = queries.rows(q);
    index.reset(rows.size());
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      const auto place = static_cast<std::uint32_t>(r - rows.begin);
      if (index.insert(documents[r], place) == DocumentIndex::kAbsent) continue;
      if (repeated.empty() || documents[r].data() < repeated.data()) {
        repeated = documents[r];
        repeated_query = q;
      }
      break;
    }
  }
  if (repeated.empty()) return;
  parser.fail_at_piece(repeated.data(),
                       fmt::format("document {} comes up again in query {}; it may come once",
                                   quote_text(repeated), quote_text(queries.id(repeated_query))));
}

TrecTable read_table(std::string_view text, std::string_view name, const TrecLayout& layout) {
  TrecParser parser(text, name, layout);
  TrecLines lines = parser.parse();
  TrecTable table;
  RowGrouping grouping = group_rows(lines.queries);
  table.queries = std::move(grouping.queries);
  table.tag = lines.tag;
  if (!grouping.order.empty()) {
    std::vector<std::string_view> documents;
    std::vector<double> values;
    documents.reserve(grouping.order.size());
    values.reserve(grouping.order.size());
    for (const std::uint32_t row : grouping.order) {
      documents.push_back(lines.documents[row]);
      values.push_back(lines.values[row]);
    }
    lines.documents.swap(documents);
    lines.values.swap(values);
  }
  check_documents_differ(parser, table.queries, lines.documents);
  StringColumnBuilder documents;
  for (const std::string_view document : lines.documents) documents.add(document);
  table.documents = documents.finish();
  table.values = std::move(lines.values);
  return table;
}

void check_writable(std::string_view what, std::string_view text) {
  const bool blank = std::ranges::any_of(text, [](char c) { return is_blank(c) || c == '\n'; });
  if (text.empty() || blank) {
    fail(ErrorKind::kUsage,
         "{} {} cannot stand in a TREC file; it must not be empty or have white space", what,
         quote_text(text));
  }
}

}  // namespace

Qrels parse_qrels(std::string_view text, const std::string& name) {
  TrecTable table = read_table(text, name, kQrelsLayout);
  return {.queries = std::move(table.queries),
          .documents = std::move(table.documents),
          .grades = std::move(table.values)};
}

Run parse_run(std::string_view text, const std::string& name) {
  TrecTable table = read_table(text, name, kRunLayout);
  return {.queries = std::move(table.queries),
          .documents = std::move(table.documents),
          .scores = std::move(table.values),
          .tag = std::move(table.tag)};
}

Qrels read_qrels(const std::string& path, const Context& context) {
  const InputText input(path, context);
  return parse_qrels(input.text(), input.name());
}

Run read_run(const std::string& path, const Context& context) {
  const InputText input(path, context);
  return parse_run(input.text(), input.name());
}

std::string run_text(const Run& run) {
  check_writable("tag", run.tag);
  std::string text;
  std::vector<std::size_t> order;
  for (std::size_t q = 0; q < run.queries.num_queries(); ++q) {
    const std::string& query = run.queries.id(q);
    check_writable("query", query);
    if (query[0] == '#') {
      fail(ErrorKind::kUsage, "query {} cannot stand in a TREC file; the line would be a comment",
           quote_text(query));
    }
    const RowRange rows = run.queries.rows(q);
    order.resize(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = rows.begin + i;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return run.scores[a] != run.scores[b] ? run.scores[a] > run.scores[b] : a < b;
    });
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      const std::string_view document = run.documents[order[rank]];
      check_writable("document", document);
      fmt::format_to(std::back_inserter(text), "{} Q0 {} {} {} {}\n", query, document, rank + 1,
                     run.scores[order[rank]], run.tag);
    }
  }
  return text;
}

}  // namespace glassrank
