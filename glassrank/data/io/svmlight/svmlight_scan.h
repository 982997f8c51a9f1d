#pragma once
// The first pass over SVMlight text: everything but the values.
//
// Looks at the two ends of each line only: grade, qid and first feature id at the front, last
// feature id and document at the back; in a valid line ids ascend, so the last is the largest. What
// lies between is checked by the pass that parses values. Cost: about that of finding the newlines.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/group_rows.h"
#include "glassrank/data/io/text_chunks.h"
#include "glassrank/data/string_column.h"

namespace glassrank {

struct SvmlightScan {
  std::vector<std::size_t> first_row = {0};  // of each chunk, and one more: the number of rows
  std::vector<std::size_t> row_begins;       // of each row's line, counted from its chunk's begin
  std::vector<float> grades;
  bool has_grade = true;  // false: no row has one
  bool has_qid = false;
  std::vector<QueryRun> runs;     // empty without qid
  bool has_feature = false;       // some row has one; else the ids mean nothing
  std::uint32_t smallest_id = 0;  // 0 and up
  std::uint32_t largest_id = 0;
  bool is_sparse = false;     // the rows do not all begin and end with the same ids
  StringColumn document_ids;  // empty when no row has one

  std::size_t num_rows() const { return first_row.back(); }
};

// Throws the first error of the file, also where it is one that this pass does not look for. All
// rows have a grade, or none if that is allowed.
SvmlightScan scan_svmlight(const TextChunks& chunks, bool may_lack_grades, const Context& context);

// Parses every line of the first `count` chunks carefully and throws the first error there is.
void check_svmlight_lines(const TextChunks& chunks, std::size_t count, bool may_lack_grades,
                          const Context& context);

}  // namespace glassrank
