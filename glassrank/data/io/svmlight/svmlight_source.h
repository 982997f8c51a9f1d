#pragma once
// SVMlight text as a RowSource: scanned on construction, values parsed by each pass.
//
// The one thing it knows beyond a RowSource: rows of a query that are not together. table() then
// lists queries in order of first appearance with all their rows, while grades, weights and ids of
// table() and the rows of pass() stay in the file's order; grouping() and places() say where the
// in-memory reader is to put them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/group_rows.h"
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

  const RowTable& table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override;

  const std::string& name() const { return chunks_.name(); }
  const RowGrouping& grouping() const { return grouping_; }
  // Where each row goes once queries are grouped; empty when every query's rows are together. Else
  // the rows of a block of pass() go to consecutive places.
  std::span<const std::uint32_t> places() const { return places_; }

 private:
  void set_table(SvmlightScan& scan, const SideFiles& side_files, const ReadParams& params,
                 const Context& context);
  void set_layout(const SvmlightScan& scan, const SideFiles& side_files, const ReadParams& params,
                  const Context& context);
  void parse_chunk(std::size_t i, TextChunk chunk, RowSink& sink) const;
  std::size_t end_of_block(std::size_t row, std::size_t end) const;
  void parse_line(const char* begin, float* row) const;

  TextChunks chunks_;
  RowTable table_;
  SvmlightRowParser parser_ = {1, 0, 0.0F};
  std::vector<std::size_t> first_row_;
  std::vector<std::size_t> row_begins_;
  RowGrouping grouping_;
  std::vector<std::uint32_t> places_;
};

}  // namespace glassrank
