// A linear model as the body of a native model file.
//
//   objective TEXT
//   intercept NUMBER
//   features N [named]           "named": N lines with the names follow
//   weights N                    then N lines
//   WEIGHT FILL                  one per feature

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "glassrank/models/io/native_text.h"
#include "glassrank/models/linear/linear.h"

namespace glassrank {

void write_native_body(std::string& out, const Linear& linear) {
  out += "objective ";
  append_escaped(out, linear.objective());
  out += fmt::format("\nintercept {}\n", linear.intercept());
  write_native_features(out, linear.num_features(), linear.feature_names());
  out += fmt::format("weights {}\n", linear.num_features());
  for (std::size_t f = 0; f < linear.num_features(); ++f) {
    fmt::format_to(std::back_inserter(out), "{} {}\n", linear.weights()[f], linear.fill(f));
  }
}

// Throws Error{kInput} "line N: ..." or, from Linear, what it finds.
void read_native_body(NativeReader& reader, Linear& linear) {
  LinearParts parts;
  parts.objective = reader.unescape(reader.value("objective"));
  parts.intercept = reader.number("intercept");
  std::size_t num_features = 0;
  read_native_features(reader, num_features, parts.feature_names);
  if (reader.count("weights") != num_features) {
    reader.fail_here(
        fmt::format("there must be a weight for each of the {} features", num_features));
  }
  parts.weights.resize(num_features);
  parts.fills.resize(num_features);
  bool any_fill = false;
  for (std::size_t f = 0; f < num_features; ++f) {
    NativeWords words(reader);
    words.read(parts.weights[f]);
    words.read(parts.fills[f]);
    words.finish();
    any_fill = any_fill || parts.fills[f] != 0;
  }
  if (!any_fill) parts.fills.clear();
  linear = Linear(std::move(parts));
}

}  // namespace glassrank
