#pragma once
// Reading SVMlight/LETOR text (the grammar is in svmlight_line.h), in memory or as a stream.
//
// Two passes over the mapped text in chunks of whole lines: a scan for everything but the values
// (svmlight_scan.h), then the values straight to where they belong (svmlight_rows.h). The text's
// pages are let go behind each pass, so peak memory is that of the matrix; compressed text and
// standard input are held in memory meanwhile, but for a stream of text to be unpacked later, which
// is done block by block in every pass.
//
// Feature ids are 1-based as in LETOR; if any row uses id 0, the file is 0-based (scikit-learn,
// LightGBM). Names are the ids as written, or the lines of FILE.names. Rows without qid need
// FILE.query. FILE.weight gives weights. Results and errors do not depend on the threads: of
// several errors the first in the file is thrown.

#include <memory>
#include <string>
#include <string_view>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

Dataset read_svmlight(const std::string& path, const ReadParams& params, const Context& context);

// For open_row_source; `input` is named by its path.
std::unique_ptr<RowSource> open_svmlight(const InputText& input, const ReadParams& params,
                                         const Context& context);

// A text in memory, without side files; `name` is what errors call it. The chunk size decides
// nothing but the speed.
inline constexpr std::size_t kSvmlightChunk = std::size_t{1} << 22;
Dataset parse_svmlight(std::string_view text, std::string name, const ReadParams& params,
                       const Context& context, std::size_t chunk_size = kSvmlightChunk);

}  // namespace glassrank
