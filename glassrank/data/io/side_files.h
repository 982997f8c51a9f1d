#pragma once
// The small files beside a data file: FILE.query and FILE.weight (LightGBM), FILE.group (XGBoost),
// FILE.names (ours).
//
//   FILE.query    rows of each query, one count a line, in order     FILE.weight   one per row
//   FILE.group    the same, if there is no FILE.query
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

// A file beside a data file: "weights", "data.txt.weight".
struct SideFile {
  std::string_view what;
  std::string path;
};

struct SideFiles {
  std::string path;  // of the data file

  // Every file that may stand beside it, and those that do.
  std::vector<SideFile> all() const;
  std::vector<SideFile> present() const;

  bool has_queries() const { return has(".query") || has(".group"); }
  // ".query" or ".group".
  std::string_view query_suffix() const { return has(".query") ? ".query" : ".group"; }
  // Empty (num_queries() == 0) when there is no such file.
  QueryGroups queries(std::size_t num_rows, const Context& context) const;
  std::vector<float> weights(std::size_t num_rows, const Context& context) const;
  // At least as many as `least`, the features that rows have.
  std::vector<std::string> feature_names(std::size_t least, const Context& context) const;
  // Whether there is such a file: ".weight", ".names", ...
  bool has(std::string_view suffix) const;
  // Throws Error{kUsage} when there is: for data that is written without one, whose reader would
  // take it for its own. It may be the only copy of somebody's work, so it is not removed.
  void refuse_foreign(std::string_view suffix) const;
  // A notice when there is a file that the data file itself makes needless. `reason` says how.
  void warn_unused(std::string_view suffix, std::string_view reason, const Context& context) const;

 private:
  std::optional<InputText> open(std::string_view suffix, const Context& context) const;
};

}  // namespace glassrank
