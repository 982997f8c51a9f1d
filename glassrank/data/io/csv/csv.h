#pragma once
// CSV and TSV: a header line that names the columns, then one document a line.
//
// ReadParams names the columns of the grade, the query, the document id and the weight; every other
// column is a feature, in the header's order. Grade and query must be there (the query may come
// from LightGBM's FILE.query), document and weight if they are named other than by default. RFC
// 4180 quoting, LF or CRLF, a UTF-8 byte order mark and empty lines are skipped. A feature cell
// that is empty, nan, NA or null (in any case) is missing (NaN). If ReadParams::num_features is
// more than the header has, features named by their number are added, zero or missing as `absent`
// says.
//
// Records are found sequentially, then parsed in chunks on the Context's threads, straight into the
// matrix; a compressed file read as a stream may be unpacked block by block in every pass; of
// several errors the first in the file is reported, whatever the threads. Rows of a query that are
// not together are grouped, with a notice.

#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// `separator` is one byte other than a quote or a line end. Throws like load_dataset.
Dataset read_csv(const std::string& path, char separator, const ReadParams& params,
                 const Context& context);

// A text in memory; `name` stands in messages. Side files are not looked for.
Dataset parse_csv(std::string_view text, const std::string& name, char separator,
                  const ReadParams& params, const Context& context);

// For open_row_source. What is wrong with features comes up in pass().
// `input` is named by its path.
std::unique_ptr<RowSource> open_csv_rows(const InputText& input, char separator,
                                         const ReadParams& params, const Context& context);

}  // namespace glassrank
