#pragma once
// Whether features that a user named as categorical hold categories.
//
// A category is a text or a whole number from 0 on: decimals would become thousands of categories
// without a word. Where nearly every row has a category of its own, a warning says so.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/row_source.h"
#include "glassrank/data/schema.h"

namespace glassrank {

// Error{kInput}: `value`, as it is written, is no category of this feature.
[[noreturn]] void fail_no_category(std::string_view file, std::string_view feature,
                                   std::string_view value);
// Says nothing of up to 1000 categories, or up to half as many as rows.
void warn_of_many_categories(std::string_view file, std::string_view feature,
                             std::size_t num_categories, std::size_t num_rows,
                             const Context& context);

// Looks at the codes of these features in rows that come in any order.
class CodeLook {
 public:
  CodeLook(std::span<const std::uint32_t> features, std::size_t width);
  // May be called concurrently; rows that the sink does not want are passed over (null: all are).
  void add(std::size_t first_row, std::size_t num_rows, const float* rows, const RowSink* sink);
  // Throws for a value that is no code: of several the least, of the first feature.
  void check(const Schema& schema, std::string_view file) const;
  void warn(const Schema& schema, std::string_view file, const Context& context) const;

 private:
  struct Codes {
    std::uint32_t feature = 0;
    std::size_t num_rows = 0;
    std::vector<bool> small;  // by code, whether it was seen
    std::unordered_set<float> large;
    std::optional<float> no_code;
  };
  static void add_value(Codes& codes, float value);

  std::size_t width_;
  std::mutex mutex_;
  std::vector<Codes> codes_;
};

// Hands blocks on and looks at them.
class CodeSink final : public RowSink {
 public:
  CodeSink(RowSink& sink, CodeLook& look) : sink_(sink), look_(look) {}
  float* begin_block(std::size_t first_row, std::size_t num_rows) override {
    return sink_.begin_block(first_row, num_rows);
  }
  void end_block(std::size_t first_row, std::size_t num_rows, float* rows) override {
    look_.add(first_row, num_rows, rows, &sink_);
    sink_.end_block(first_row, num_rows, rows);
  }
  bool wants(std::size_t row) const override { return sink_.wants(row); }

 private:
  RowSink& sink_;
  CodeLook& look_;
};

}  // namespace glassrank
