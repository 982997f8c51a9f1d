#include "testing/svmlight_reference.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"

namespace glassrank {
namespace {

std::vector<SvmlightLine> parse_rows(std::string_view text, const std::string& name,
                                     bool may_lack_grades) {
  std::vector<SvmlightLine> rows;
  std::size_t line_of_first = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (LinePlace place{.file = name}; !text.empty(); ++place.line) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    SvmlightLine line;
    parse_svmlight_line(text.substr(0, newline), place, line);
    text.remove_prefix(std::min(newline + 1, text.size()));
    if (!line.is_row) continue;
    if (rows.empty()) line_of_first = place.line;
    if (!line.has_grade && !may_lack_grades) {
      fail(ErrorKind::kInput,
           "{}:{}:1: the row has no grade; a line is 'grade qid:Q feature:value ...' (rows without "
           "grades can be scored, explained and split)",
           name, place.line);
    }
    if (!rows.empty() && line.has_grade != rows[0].has_grade) {
      fail(ErrorKind::kInput, "{}:{}:1: {}, but line {} has {}; all rows need a grade, or none",
           name, place.line, line.has_grade ? "a grade" : "no grade", line_of_first,
           line.has_grade ? "none" : "one");
    }
    if (!rows.empty() && line.has_qid != rows[0].has_qid) {
      fail(ErrorKind::kInput, "{}:{}:1: {}, but line {} has {}; all rows need a qid, or none", name,
           place.line, line.has_qid ? "a qid" : "no qid", line_of_first,
           line.has_qid ? "none" : "one");
    }
    rows.push_back(std::move(line));
  }
  return rows;
}

// The rows of each query, in order of first appearance.
std::vector<std::vector<const SvmlightLine*>> group(const std::vector<SvmlightLine>& rows) {
  std::map<std::string_view, std::size_t> query_of;
  std::vector<std::vector<const SvmlightLine*>> groups;
  for (const SvmlightLine& row : rows) {
    const auto [entry, is_new] = query_of.emplace(row.qid, groups.size());
    if (is_new) groups.emplace_back();
    groups[entry->second].push_back(&row);
  }
  return groups;
}

}  // namespace

Dataset parse_svmlight_plainly(std::string_view text, const std::string& name,
                               const ReadParams& params) {
  const std::vector<SvmlightLine> rows = parse_rows(text, name, params.may_lack_grades);
  if (rows.empty() || !rows[0].has_qid) fail(ErrorKind::kInput, "{}: no rows with a qid", name);
  std::uint32_t first_id = 1;
  std::uint32_t last_id = 0;
  for (const SvmlightLine& row : rows) {
    if (row.values.empty()) continue;
    first_id = std::min(first_id, row.values.front().first);
    last_id = std::max(last_id, row.values.back().first);
  }
  const std::size_t in_file = last_id + 1 - first_id;
  const std::size_t width = std::max<std::size_t>(in_file, params.num_features);
  if (params.num_features > 0 && width > static_cast<std::size_t>(params.num_features)) {
    fail(ErrorKind::kInput, "{}: feature {} is beyond num_features", name, last_id);
  }
  DatasetParts parts;
  parts.has_grades = rows[0].has_grade;
  parts.features = Buffer<float>(rows.size() * width);
  const bool is_nan = params.absent == AbsentValue::kMissing;
  std::ranges::fill(parts.features.span(), is_nan ? std::numeric_limits<float>::quiet_NaN() : 0.0F);
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  StringColumnBuilder documents;
  bool has_document = false;
  for (const auto& query : group(rows)) {
    ids.emplace_back(query[0]->qid);
    sizes.push_back(query.size());
    for (const SvmlightLine* row : query) {
      float* place = parts.features.data() + parts.grades.size() * width;
      for (const auto& [id, value] : row->values) place[id - first_id] = value;
      parts.grades.push_back(row->grade);
      documents.add(row->document);
      has_document |= !row->document.empty();
    }
  }
  parts.queries = QueryGroups(std::move(ids), sizes);
  for (std::size_t i = 0; i < width; ++i) {
    parts.schema.add_feature(std::to_string(first_id + i));
  }
  if (has_document) parts.document_ids = documents.finish();
  return Dataset(std::move(parts));
}

}  // namespace glassrank
