#include "glassrank/data/io/svmlight/svmlight_scan.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <mutex>
#include <optional>

#include "glassrank/base/error.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"

namespace glassrank {
namespace {

constexpr std::uint32_t kNoId = std::numeric_limits<std::uint32_t>::max();

// What the two ends of a line say.
struct LineEnds {
  bool is_row = false;
  bool has_grade = true;
  float grade = 0;
  bool has_qid = false;
  std::string_view qid;
  std::string_view document;
  std::uint32_t first_id = kNoId;
  std::uint32_t last_id = kNoId;
};

// "id:" at `p`, before `end`.
bool look_at_id(const char* p, const char* end, std::uint32_t& id) {
  id = 0;
  const char* begin = p;
  for (; p < end && *p >= '0' && *p <= '9'; ++p) {
    id = id * 10 + static_cast<std::uint32_t>(*p - '0');
    if (id > kMaxFeatureId) return false;
  }
  return p > begin && p < end && *p == ':';
}

// The quick look; false for whatever is not as usual.
bool look_at_line(const char* p, const char* newline, LineEnds& out) {
  while (is_blank(*p)) ++p;
  if (*p == '\n' || *p == '#') return true;
  out.is_row = true;
  out.has_grade = *p != 'q';
  if (out.has_grade) {
    if (!scan_float(p, out.grade)) p = scan_odd_float(p, out.grade);
    if (p == nullptr || !(out.grade >= 0) || !is_blank(*p)) return false;
    while (is_blank(*p)) ++p;
  }
  out.has_qid = std::memcmp(p, "qid:", 4) == 0;
  if (!out.has_grade && !out.has_qid) return false;
  if (out.has_qid) {
    const char* begin = p += 4;
    while (!is_blank(*p) && *p != '\n' && *p != '#' && *p != '\0') ++p;
    out.qid = {begin, static_cast<std::size_t>(p - begin)};
    if (*p == '\0' || !is_valid_qid(out.qid)) return false;
    while (is_blank(*p)) ++p;
  }
  const auto length = static_cast<std::size_t>(newline - p);
  const char* end = static_cast<const char*>(std::memchr(p, '#', length));
  if (end != nullptr) {
    out.document = document_of_comment({end + 1, static_cast<std::size_t>(newline - end - 1)});
  } else {
    end = newline;
  }
  while (end > p && is_blank(end[-1])) --end;
  if (end == p) return true;
  const char* last = end;
  while (last > p && !is_blank(last[-1])) --last;
  return look_at_id(p, end, out.first_id) && look_at_id(last, end, out.last_id);
}

// The careful look. Throws what is wrong with the line.
void parse_line(std::string_view text, const LinePlace& place, LineEnds& out) {
  SvmlightLine line;
  parse_svmlight_line(text, place, line);
  out = {.is_row = line.is_row,
         .has_grade = line.has_grade,
         .grade = line.grade,
         .has_qid = line.has_qid,
         .qid = line.qid,
         .document = line.document};
  if (line.values.empty()) return;
  out.first_id = line.values.front().first;
  out.last_id = line.values.back().first;
}

// One chunk's part of the result.
struct Part {
  std::vector<std::size_t> row_begins;
  std::vector<float> grades;
  std::optional<bool> has_qid;  // of the rows
  std::optional<bool> has_grade;
  std::vector<QueryRun> runs;
  std::uint32_t smallest_id = kNoId;
  std::uint32_t largest_id = 0;
  std::uint32_t latest_first_id = 0;  // kNoId where a row has no feature
  std::uint32_t earliest_last_id = kNoId;
  std::vector<std::uint64_t> document_ends;
  std::string documents;
  bool failed = false;

  void add(std::size_t begin, const LineEnds& line) {
    row_begins.push_back(begin);
    grades.push_back(line.grade);
    failed |= has_qid.value_or(line.has_qid) != line.has_qid;
    has_qid = line.has_qid;
    failed |= has_grade.value_or(line.has_grade) != line.has_grade;
    has_grade = line.has_grade;
    if (line.has_qid) append_run(runs, line.qid);
    if (line.first_id != kNoId) {
      smallest_id = std::min(smallest_id, line.first_id);
      largest_id = std::max(largest_id, line.last_id);
      earliest_last_id = std::min(earliest_last_id, line.last_id);
    }
    latest_first_id = std::max(latest_first_id, line.first_id);
    documents += line.document;
    document_ends.push_back(documents.size());
  }
};

Part scan_chunk(TextChunk chunk) {
  Part part;
  for (const char* p = chunk.begin; p < chunk.end;) {
    const auto* newline =
        static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(chunk.end - p)));
    LineEnds line;
    if (!look_at_line(p, newline, line)) {
      try {
        line = {};
        parse_line({p, static_cast<std::size_t>(newline - p)}, LinePlace{}, line);
      } catch (const Error&) {
        part.failed = true;  // the place is found by check_svmlight_lines()
      }
    }
    if (part.failed) return part;
    if (line.is_row) part.add(static_cast<std::size_t>(p - chunk.begin), line);
    p = newline + 1;
  }
  return part;
}

StringColumn join_documents(const std::vector<Part>& parts) {
  StringColumnBuilder builder;
  if (std::ranges::all_of(parts, [](const Part& part) { return part.documents.empty(); })) {
    return {};
  }
  for (const Part& part : parts) {
    std::uint64_t begin = 0;
    for (const std::uint64_t end : part.document_ends) {
      builder.add(std::string_view(part.documents).substr(begin, end - begin));
      begin = end;
    }
  }
  return builder.finish();
}

SvmlightScan join(std::vector<Part>&& parts) {
  SvmlightScan scan;
  std::uint32_t smallest_id = kNoId;
  std::uint32_t latest_first_id = 0;
  std::uint32_t earliest_last_id = kNoId;
  for (const Part& part : parts)
    scan.first_row.push_back(scan.first_row.back() + part.grades.size());
  scan.row_begins.reserve(scan.num_rows());
  scan.grades.reserve(scan.num_rows());
  for (Part& part : parts) {
    scan.row_begins.insert(scan.row_begins.end(), part.row_begins.begin(), part.row_begins.end());
    scan.grades.insert(scan.grades.end(), part.grades.begin(), part.grades.end());
    scan.has_qid |= part.has_qid.value_or(false);
    scan.has_grade &= part.has_grade.value_or(true);
    std::ranges::move(part.runs, std::back_inserter(scan.runs));
    smallest_id = std::min(smallest_id, part.smallest_id);
    scan.largest_id = std::max(scan.largest_id, part.largest_id);
    latest_first_id = std::max(latest_first_id, part.latest_first_id);
    earliest_last_id = std::min(earliest_last_id, part.earliest_last_id);
  }
  scan.has_feature = smallest_id != kNoId;
  scan.smallest_id = scan.has_feature ? smallest_id : 0;
  scan.is_sparse =
      scan.has_feature && (latest_first_id > smallest_id || earliest_last_id < scan.largest_id);
  scan.document_ids = join_documents(parts);
  return scan;
}

// What has to be known of the chunks before one to check its lines.
struct ChunkStart {
  struct Row {
    std::size_t line;  // of the chunk, from 0
    bool has_qid;
    bool has_grade;
  };
  std::size_t num_lines = 0;
  std::optional<Row> first_row;
};

ChunkStart look_at_start(TextChunk chunk) {
  ChunkStart start;
  for (const char* p = chunk.begin; p < chunk.end; ++start.num_lines) {
    const char* newline = std::find(p, chunk.end, '\n');
    if (!start.first_row) {
      LineEnds line;
      // Of a bad first row the qid does not matter: it is the first error itself.
      look_at_line(p, newline, line);
      if (line.is_row) start.first_row = {start.num_lines, line.has_qid, line.has_grade};
    }
    p = newline + 1;
  }
  return start;
}

// All rows have a qid, or none; and the same of grades.
void check_alike(const SvmlightLine& line, const ChunkStart::Row& first, const LinePlace& place,
                 bool may_lack_grades) {
  if (!line.has_grade && !may_lack_grades) {
    fail(ErrorKind::kInput,
         "{}:{}:1: the row has no grade; a line is 'grade qid:Q feature:value ...' (rows without "
         "grades can be scored, explained and split)",
         place.file, place.line);
  }
  if (line.has_grade != first.has_grade) {
    fail(ErrorKind::kInput, "{}:{}:1: {}, but line {} has {}; all rows need a grade, or none",
         place.file, place.line, line.has_grade ? "a grade" : "no grade", first.line,
         line.has_grade ? "none" : "one");
  }
  if (line.has_qid == first.has_qid) return;
  fail(ErrorKind::kInput, "{}:{}:1: {}, but line {} has {}; all rows need a qid, or none",
       place.file, place.line, line.has_qid ? "a qid" : "no qid", first.line,
       line.has_qid ? "none" : "one");
}

}  // namespace

void check_svmlight_lines(const TextChunks& chunks, std::size_t count, bool may_lack_grades,
                          const Context& context) {
  std::vector<ChunkStart> starts;
  std::mutex mutex;
  chunks.run(context, count, [&](std::size_t i, TextChunk chunk) {
    const ChunkStart start = look_at_start(chunk);
    const std::lock_guard lock(mutex);
    if (starts.size() <= i) starts.resize(i + 1);
    starts[i] = start;
  });
  std::vector<std::size_t> first_line = {1};
  std::optional<ChunkStart::Row> first_row;  // of the file: it decides whether there are qids
  for (const ChunkStart& start : starts) {
    if (!first_row && start.first_row) {
      first_row = start.first_row;
      first_row->line += first_line.back();
    }
    first_line.push_back(first_line.back() + start.num_lines);
  }
  chunks.run(context, starts.size(), [&](std::size_t i, TextChunk chunk) {
    SvmlightLine line;
    LinePlace place{.file = chunks.name(), .line = first_line[i]};
    for (const char* p = chunk.begin; p < chunk.end; ++place.line) {
      const char* newline = std::find(p, chunk.end, '\n');
      parse_svmlight_line({p, static_cast<std::size_t>(newline - p)}, place, line);
      p = newline + 1;
      if (line.is_row) check_alike(line, *first_row, place, may_lack_grades);
    }
  });
}

SvmlightScan scan_svmlight(const TextChunks& chunks, bool may_lack_grades, const Context& context) {
  std::vector<Part> parts;
  std::mutex mutex;
  chunks.run(context, TextChunks::kAll, [&](std::size_t i, TextChunk chunk) {
    Part part = scan_chunk(chunk);
    const std::lock_guard lock(mutex);
    if (parts.size() <= i) parts.resize(i + 1);
    parts[i] = std::move(part);
  });
  if (parts.empty()) {
    fail(ErrorKind::kInput,
         "{}: the file is empty; lines 'grade qid:Q feature:value ...' are expected",
         chunks.name());
  }
  std::optional<bool> has_qid;
  std::optional<bool> has_grade;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!has_qid) has_qid = parts[i].has_qid;
    if (!has_grade) has_grade = parts[i].has_grade;
    const bool has_rows = parts[i].has_qid.has_value();
    const bool differs =
        has_rows && (parts[i].has_qid != has_qid || parts[i].has_grade != has_grade);
    const bool lacks_grades = has_rows && !*parts[i].has_grade && !may_lack_grades;
    if (parts[i].failed || differs || lacks_grades) {
      check_svmlight_lines(chunks, i + 1, may_lack_grades, context);
      fail(ErrorKind::kInput, "{}: the file changed while it was read", chunks.name());
    }
  }
  SvmlightScan scan = join(std::move(parts));
  if (scan.num_rows() == 0) {
    fail(ErrorKind::kInput,
         "{}: no rows, only blank lines and comments; lines 'grade qid:Q feature:value ...' are "
         "expected",
         chunks.name());
  }
  if (scan.num_rows() > std::numeric_limits<std::uint32_t>::max()) {
    fail(ErrorKind::kInput, "{}: {} rows; at most {} can be read", chunks.name(), scan.num_rows(),
         std::numeric_limits<std::uint32_t>::max());
  }
  return scan;
}

}  // namespace glassrank
