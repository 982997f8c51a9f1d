// An additive model as the body of a native model file.
//
//   objective TEXT
//   intercept NUMBER
//   features N [named]           "named": N lines with the names follow
//   [categories ...]             as native_text.h says
//   effects N
//   effect AXES [errors] [weights]      for each effect; what the lines of its cells carry
//   axis FEATURE EDGES                  for each axis; then EDGES lines, one per edge
//   VALUE [ERROR] [WEIGHT]              one line per cell, in the order of gam.h

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "glassrank/models/gam/gam.h"
#include "glassrank/models/io/native_text.h"

namespace glassrank {
namespace {

void write_effect(std::string& out, const GamEffect& effect) {
  const auto end = std::back_inserter(out);
  fmt::format_to(end, "effect {}{}{}\n", effect.axes.size(), effect.errors.empty() ? "" : " errors",
                 effect.weights.empty() ? "" : " weights");
  for (const GamAxis& axis : effect.axes) {
    fmt::format_to(end, "axis {} {}\n", axis.feature, axis.edges.size());
    for (const float edge : axis.edges) fmt::format_to(end, "{}\n", edge);
  }
  for (std::size_t c = 0; c < effect.values.size(); ++c) {
    fmt::format_to(end, "{}", effect.values[c]);
    if (!effect.errors.empty()) fmt::format_to(end, " {}", effect.errors[c]);
    if (!effect.weights.empty()) fmt::format_to(end, " {}", effect.weights[c]);
    out += '\n';
  }
}

void expect_word(NativeReader& reader, NativeWords& words, std::string_view word) {
  if (words.next() != word) reader.fail_here(fmt::format("'{} ...' is expected here", word));
}

GamAxis read_axis(NativeReader& reader) {
  GamAxis axis;
  std::uint64_t num_edges = 0;
  NativeWords words(reader);
  expect_word(reader, words, "axis");
  words.read(axis.feature);
  words.read(num_edges);
  words.finish();
  reader.check_count(num_edges);
  axis.edges.resize(num_edges);
  for (float& edge : axis.edges) {
    NativeWords line(reader);
    line.read(edge);
    line.finish();
  }
  return axis;
}

// The line "effect AXES [errors] [weights]" and the axes: cells of the right number, yet to be
// filled.
GamEffect read_effect_header(NativeReader& reader) {
  NativeWords words(reader);
  std::uint64_t num_axes = 0;
  bool errors = false;
  bool weights = false;
  expect_word(reader, words, "effect");
  words.read(num_axes);
  if (num_axes == 0 || num_axes > 2) reader.fail_here("an effect has one or two features");
  while (!words.at_end()) {
    const std::string_view word = words.next();
    if (word != "errors" && word != "weights") {
      reader.fail_here(fmt::format("'{}' must be errors or weights", word));
    }
    (word == "errors" ? errors : weights) = true;
  }
  GamEffect effect;
  for (std::uint64_t a = 0; a < num_axes; ++a) effect.axes.push_back(read_axis(reader));
  const std::size_t num_cells = effect.num_cells();
  reader.check_count(num_cells);
  effect.values.resize(num_cells);
  if (errors) effect.errors.resize(num_cells);
  if (weights) effect.weights.resize(num_cells);
  return effect;
}

GamEffect read_effect(NativeReader& reader) {
  GamEffect effect = read_effect_header(reader);
  for (std::size_t c = 0; c < effect.values.size(); ++c) {
    NativeWords words(reader);
    words.read(effect.values[c]);
    if (!effect.errors.empty()) words.read(effect.errors[c]);
    if (!effect.weights.empty()) words.read(effect.weights[c]);
    words.finish();
  }
  return effect;
}

}  // namespace

void write_native_body(std::string& out, const Gam& gam) {
  out += "objective ";
  append_escaped(out, gam.objective());
  out += fmt::format("\nintercept {}\n", gam.intercept());
  write_native_features(out, gam.num_features(), gam.feature_names());
  write_native_categories(out, gam.categories());
  out += fmt::format("effects {}\n", gam.effects().size());
  for (const GamEffect& effect : gam.effects()) write_effect(out, effect);
}

// Throws Error{kInput} "line N: ..." or, from Gam, "effect E: ...".
void read_native_body(NativeReader& reader, Gam& gam) {
  GamParts parts;
  parts.objective = reader.unescape(reader.value("objective"));
  parts.intercept = reader.number("intercept");
  read_native_features(reader, parts.num_features, parts.feature_names);
  parts.categories = read_native_categories(reader, parts.num_features);
  const std::size_t num_effects = reader.count("effects");
  for (std::size_t e = 0; e < num_effects; ++e) parts.effects.push_back(read_effect(reader));
  gam = Gam(std::move(parts));
}

}  // namespace glassrank
