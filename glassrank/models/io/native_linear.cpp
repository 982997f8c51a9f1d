#include "glassrank/models/io/native_linear.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace glassrank {

void write_native_linear(std::string& out, const Linear& linear) {
  out += "objective ";
  append_escaped(out, linear.objective());
  out += fmt::format("\nintercept {}\n", linear.intercept());
  write_native_features(out, linear.num_features(), linear.feature_names());
  out += fmt::format("weights {}\n", linear.num_features());
  for (std::size_t f = 0; f < linear.num_features(); ++f) {
    fmt::format_to(std::back_inserter(out), "{} {}\n", linear.weights()[f], linear.fill(f));
  }
}

Linear read_native_linear(NativeReader& reader) {
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
  return Linear(std::move(parts));
}

}  // namespace glassrank
