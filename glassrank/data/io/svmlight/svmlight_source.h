#pragma once
// SVMlight text as a RowSource: scanned on construction, values parsed by each pass.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/io/side_files.h"
#include "glassrank/data/io/svmlight/svmlight_rows.h"
#include "glassrank/data/io/svmlight/svmlight_scan.h"
#include "glassrank/data/io/text_chunks.h"

namespace glassrank {

class SvmlightSource final : public RowSource {
 public:
  SvmlightSource(TextChunks chunks, const SideFiles& side_files, const ReadParams& params,
                 const Context& context);

  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override;

  const std::string& name() const { return chunks_.name(); }

 private:
  RowTable table_of(SvmlightScan& scan, const SideFiles& side_files, const ReadParams& params,
                    const Context& context);
  Schema schema_of(const SvmlightScan& scan, const SideFiles& side_files, const ReadParams& params,
                   const Context& context) const;
  QueryGroups queries_beside(std::size_t num_rows, const SideFiles& side_files,
                             const Context& context) const;
  void parse_chunk(std::size_t i, TextChunk chunk, RowSink& sink) const;
  void parse_line(const char* begin, float* row) const;

  TextChunks chunks_;
  bool may_lack_grades_;
  std::shared_ptr<const RowTable> table_;
  SvmlightRowParser parser_ = {1, 0, 0.0F};
  std::vector<std::size_t> first_row_;
  std::vector<std::size_t> row_begins_;
  std::vector<std::uint32_t> places_;  // empty unless queries had to be grouped
};

}  // namespace glassrank
