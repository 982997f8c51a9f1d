#include "glassrank/models/io/gam_json.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

constexpr std::string_view kMark = "glassrank-gam";
constexpr int kGamVersion = 1;

// A key that is not read is a misspelt one: the model would lack what it stands for.
void check_keys(const Json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return;  // for member() to say
  const std::vector<std::string> known(keys.begin(), keys.end());
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    throw Error(ErrorKind::kInput, unknown_name_message("key", key, known));
  }
}

// Edits would find only the first of two.
void check_names(std::span<const std::string> names) {
  constexpr std::string_view kNotUtf8 = "\xEF\xBF\xBD";  // different bytes, written alike
  std::map<std::string_view, std::size_t> places;
  for (std::size_t f = 0; f < names.size(); ++f) {
    const auto [first, is_new] = places.emplace(names[f], f);
    if (is_new || names[f].find(kNotUtf8) != std::string::npos) continue;
    fail(ErrorKind::kInput, "features {} and {} are both named '{}'; names must differ",
         first->second, f, names[f]);
  }
}

std::string json_string(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename T>
std::string json_number(T value) {
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  if (value == 0 && std::signbit(value)) return "-0.0";  // "-0" would be read as a whole number
  std::string text = fmt::format("{}", value);
  if constexpr (std::is_same_v<T, float>) {
    // Read as a double and then rounded: the fewest digits do unless that rounds twice.
    double read = 0;
    parse_number(text, read);
    if (static_cast<float>(read) != value) text = fmt::format("{}", static_cast<double>(value));
  }
  return text;
}

template <typename T>
std::string json_array(std::span<const T> numbers) {
  std::string text = "[";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", json_number(numbers[i]));
  }
  return text + "]";
}

// A row for every cell of the first axis where there are two.
std::string json_cells(const GamEffect& effect, const std::vector<double>& cells) {
  if (!effect.is_pair()) return json_array(std::span(cells));
  std::string text = "[";
  const std::size_t row_size = effect.axes[1].num_cells();
  for (std::size_t start = 0; start < cells.size(); start += row_size) {
    text += fmt::format("{}\n        {}", start == 0 ? "" : ",",
                        json_array(std::span(cells).subspan(start, row_size)));
  }
  return text + "]";
}

std::string effect_text(const Gam& gam, std::size_t e) {
  const GamEffect& effect = gam.effects()[e];
  std::string features;
  std::string edges;
  for (const GamAxis& axis : effect.axes) {
    features += fmt::format("{}{}", features.empty() ? "" : ", ", axis.feature);
    edges +=
        fmt::format("{}{}", edges.empty() ? "" : ",\n        ", json_array(std::span(axis.edges)));
  }
  std::string text = fmt::format(
      "    {{\n      \"name\": {},\n      \"features\": [{}],\n      \"edges\": [{}],\n"
      "      \"values\": {}",
      json_string(gam.effect_name(e)), features, edges, json_cells(effect, effect.values));
  if (!effect.errors.empty()) {
    text += fmt::format(",\n      \"errors\": {}", json_cells(effect, effect.errors));
  }
  if (!effect.weights.empty()) {
    text += fmt::format(",\n      \"weights\": {}", json_cells(effect, effect.weights));
  }
  return text + "\n    }";
}

std::string text_of(const Json& value, std::string_view what) {
  if (!value.is_string()) fail(ErrorKind::kInput, "'{}' must hold texts", what);
  return value.get<std::string>();
}

double number_of(const Json& value, std::string_view what) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  fail(ErrorKind::kInput, "'{}' must hold numbers", what);
}

std::uint64_t count_of(const Json& value, std::string_view what) {
  if (!value.is_number_unsigned()) {
    fail(ErrorKind::kInput, "'{}' must hold whole numbers from 0 on", what);
  }
  return value.get<std::uint64_t>();
}

// Rows are put one behind the other; Gam says whether their number is right, this whether each is
// as long as the second axis has cells.
std::vector<double> cells_of(const Json& object, std::string_view key, const GamEffect& effect) {
  std::vector<double> cells;
  const Json& array = array_member(object, key);
  if (!effect.is_pair()) {
    for (const Json& value : array) cells.push_back(number_of(value, key));
    return cells;
  }
  for (std::size_t r = 0; r < array.size(); ++r) {
    if (!array[r].is_array() || array[r].size() != effect.axes[1].num_cells()) {
      fail(ErrorKind::kInput, "'{}': row {} must be an array of {} numbers", key, r,
           effect.axes[1].num_cells());
    }
    for (const Json& value : array[r]) cells.push_back(number_of(value, key));
  }
  return cells;
}

GamEffect effect_of(const Json& object) {
  check_keys(object, {"name", "features", "edges", "values", "errors", "weights"});
  GamEffect effect;
  const Json& features = array_member(object, "features");
  const Json& edges = array_member(object, "edges");
  if (features.empty() || features.size() > 2 || edges.size() != features.size()) {
    fail(ErrorKind::kInput, "{} features and {} lists of edges; there must be one or two of both",
         features.size(), edges.size());
  }
  for (std::size_t a = 0; a < features.size(); ++a) {
    const std::uint64_t feature = count_of(features[a], "features");
    if (feature > std::numeric_limits<std::uint32_t>::max()) {
      fail(ErrorKind::kInput, "there is no feature {}", feature);
    }
    GamAxis axis{.feature = static_cast<std::uint32_t>(feature), .edges = {}};
    if (!edges[a].is_array()) fail(ErrorKind::kInput, "'edges' must hold an array per feature");
    for (const Json& edge : edges[a]) {
      axis.edges.push_back(static_cast<float>(number_of(edge, "edges")));
    }
    effect.axes.push_back(std::move(axis));
  }
  effect.values = cells_of(object, "values", effect);
  if (object.contains("errors")) effect.errors = cells_of(object, "errors", effect);
  if (object.contains("weights")) effect.weights = cells_of(object, "weights", effect);
  return effect;
}

std::string categories_text(const CategoryNames& categories) {
  std::string text;
  for (std::size_t f = 0; f < categories.size(); ++f) {
    if (categories[f].empty()) continue;
    std::string names;
    for (const std::string& name : categories[f]) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", json_string(name));
    }
    text += fmt::format("{}\n    {{\"feature\": {}, \"names\": [{}]}}", text.empty() ? "" : ",", f,
                        names);
  }
  return fmt::format("  \"categories\": [{}],\n", text);
}

CategoryNames categories_of(const Json& document, const GamParts& parts) {
  CategoryNames categories(parts.num_features);
  for (const Json& own : array_member(document, "categories")) {
    check_keys(own, {"feature", "names"});
    const std::uint64_t feature = count_of(member(own, "feature"), "feature");
    if (feature >= parts.num_features || !categories[feature].empty()) {
      fail(ErrorKind::kInput, "'categories': feature {} is not one, or is there twice", feature);
    }
    for (const Json& name : array_member(own, "names")) {
      categories[feature].push_back(text_of(name, "names"));
    }
  }
  return categories;
}

Provenance provenance_of(const Json& object) {
  Provenance provenance;
  if (!object.contains("provenance")) return provenance;
  for (const Json& line : array_member(object, "provenance")) {
    if (!line.is_array() || line.size() != 2) {
      fail(ErrorKind::kInput, "'provenance' must hold pairs of a key and a value");
    }
    provenance.emplace_back(text_of(line[0], "provenance"), text_of(line[1], "provenance"));
  }
  return provenance;
}

}  // namespace

bool is_gam_json(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 4096);
  return trim_blanks(start).starts_with('{') &&
         start.find(fmt::format("\"{}\"", kMark)) != std::string_view::npos;
}

std::string write_gam_json(const Model& model) {
  const Gam gam = require_gam(model, "a gam-json file");
  check_names(gam.feature_names());
  std::string text = fmt::format(
      "{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"objective\": {},\n"
      "  \"num_features\": {},\n",
      kMark, kGamVersion, json_string(gam.objective()), gam.num_features());
  if (!gam.feature_names().empty()) {
    std::string names;
    for (const std::string& name : gam.feature_names()) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", json_string(name));
    }
    text += fmt::format("  \"feature_names\": [{}],\n", names);
  }
  if (!gam.categories().empty()) text += categories_text(gam.categories());
  text += fmt::format("  \"intercept\": {},\n  \"provenance\": [", json_number(gam.intercept()));
  for (std::size_t i = 0; i < model.provenance.size(); ++i) {
    const auto& [key, value] = model.provenance[i];
    text +=
        fmt::format("{}\n    [{}, {}]", i == 0 ? "" : ",", json_string(key), json_string(value));
  }
  text += "],\n  \"effects\": [";
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    text += fmt::format("{}\n{}", e == 0 ? "" : ",", effect_text(gam, e));
  }
  return text + "]\n}\n";
}

Model read_gam_json(std::string_view text) {
  const Json document = parse_json_text(text);
  if (member(document, "format") != kMark) {
    fail(ErrorKind::kInput, "'format' must be \"{}\"", kMark);
  }
  if (member(document, "version") != kGamVersion) {
    fail(ErrorKind::kInput, "the model has format version {}; this program reads version {}",
         member(document, "version").dump(), kGamVersion);
  }
  check_keys(document, {"format", "version", "objective", "num_features", "feature_names",
                        "categories", "intercept", "provenance", "effects"});
  GamParts parts;
  parts.num_features = count_of(member(document, "num_features"), "num_features");
  parts.intercept = number_of(member(document, "intercept"), "intercept");
  if (document.contains("objective")) {
    parts.objective = text_of(document["objective"], "objective");
  }
  if (document.contains("feature_names")) {
    for (const Json& name : array_member(document, "feature_names")) {
      parts.feature_names.push_back(text_of(name, "feature_names"));
    }
    check_names(parts.feature_names);
  }
  if (document.contains("categories")) parts.categories = categories_of(document, parts);
  const Json& effects = array_member(document, "effects");
  for (std::size_t e = 0; e < effects.size(); ++e) {
    try {
      parts.effects.push_back(effect_of(effects[e]));
    } catch (Error& error) {
      error.add_context(fmt::format("effect {}", e));
      throw;
    }
  }
  Model model;
  model.provenance = provenance_of(document);
  model.body = Gam(std::move(parts));
  return model;
}

}  // namespace glassrank
