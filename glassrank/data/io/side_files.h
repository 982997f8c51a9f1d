#pragma once
// The small files beside a data file: FILE.query and FILE.weight (LightGBM), FILE.names (ours).
//
//   FILE.query    rows of each query, one count a line, in order     FILE.weight   one per row
//   FILE.names    one feature name a line, all different; features that no row of a sparse file has
//                 are named too, and count
// Read when they are there; "-" has none. Blanks around a line and empty lines at the end do not
// count. The numbers of lines are checked against the data; Error{kInput} is "file:line:1: ..." or
// "file: ...".

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/query_groups.h"

namespace glassrank {

// The text of each kind of file; `name` stands in messages. Queries are called "1", "2", ...
QueryGroups parse_query_counts(std::string_view text, std::string_view name, std::size_t num_rows);
std::vector<float> parse_weights(std::string_view text, std::string_view name,
                                 std::size_t num_rows);
std::vector<std::string> parse_feature_names(std::string_view text, std::string_view name,
                                             std::size_t least);

struct SideFiles {
  std::string path;  // of the data file

  bool has_queries() const { return has(".query"); }
  // Empty (num_queries() == 0) when there is no such file.
  QueryGroups queries(std::size_t num_rows, const Context& context) const;
  std::vector<float> weights(std::size_t num_rows, const Context& context) const;
  // At least as many as `least`, the features that rows have.
  std::vector<std::string> feature_names(std::size_t least, const Context& context) const;
  // A notice when there is a file that the data file itself makes needless. `reason` says how.
  void warn_unused(std::string_view suffix, std::string_view reason, const Context& context) const;

 private:
  bool has(std::string_view suffix) const;
  std::optional<InputText> open(std::string_view suffix, const Context& context) const;
};

}  // namespace glassrank
