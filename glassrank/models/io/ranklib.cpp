#include "glassrank/models/io/ranklib.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/models/io/number_text.h"
#include "glassrank/models/io/ranklib_net.h"
#include "glassrank/models/io/ranklib_weights.h"
#include "glassrank/models/io/ranklib_xml.h"
#include "glassrank/models/model_kinds.h"

namespace glassrank {
namespace {

constexpr std::string_view kPrefix = "ranklib.";

// To add a type of RankLib model: 1. its reader in a file of its own; 2. a line here; 3. its writer
// in write_ranklib.
struct RanklibType {
  std::string_view name;
  Model (*read)(std::string_view text);
};
constexpr std::array kTypes = {RanklibType{"LambdaMART", read_ranklib_xml},
                               RanklibType{"MART", read_ranklib_xml},
                               RanklibType{"Random Forests", read_ranklib_xml},
                               RanklibType{"Linear Regression", read_ranklib_linear},
                               RanklibType{"Coordinate Ascent", read_ranklib_linear},
                               RanklibType{"RankBoost", read_ranklib_boost},
                               RanklibType{"RankNet", read_ranklib_net}};

// "## No. of trees = 100" -> {"ranklib.No. of trees", "100"}.
void add_header_line(std::string_view line, Provenance& provenance) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) return;
  provenance.emplace_back(fmt::format("{}{}", kPrefix, trim_blanks(line.substr(0, equals))),
                          trim_blanks(line.substr(equals + 1)));
}

}  // namespace

RanklibHeader read_ranklib_header(std::string_view text) {
  LineReader lines(text);
  RanklibHeader header{.type = {}, .provenance = {{"format", "ranklib"}}, .body = {}};
  while (!lines.at_end() && (lines.peek().starts_with("##") || trim_blanks(lines.peek()).empty())) {
    const std::string_view line = lines.next();
    if (trim_blanks(line).empty()) continue;
    if (header.type.empty()) header.type = trim_blanks(line.substr(2));
    add_header_line(line.substr(2), header.provenance);
  }
  header.body = text.substr(text.size() - lines.bytes_left());
  return header;
}

std::string ranklib_header(std::string_view type, const Provenance& provenance,
                           const Provenance& own_lines) {
  std::string text = fmt::format("## {}\n", type);
  for (const auto& [key, value] : own_lines) text += fmt::format("## {} = {}\n", key, value);
  for (const auto& [key, value] : provenance) {
    if (!key.starts_with(kPrefix)) continue;
    const std::string_view name = std::string_view(key).substr(kPrefix.size());
    const auto is_own = [&](const auto& line) { return line.first == name; };
    if (std::ranges::any_of(own_lines, is_own)) continue;
    if (key.find('\n') != std::string::npos || value.find('\n') != std::string::npos) continue;
    text += fmt::format("## {} = {}\n", name, value);
  }
  return text;
}

Model read_ranklib(std::string_view text) {
  const std::string_view type = read_ranklib_header(text).type;
  std::vector<std::string_view> known;
  for (const RanklibType& own : kTypes) {
    if (own.name == type) return own.read(text);
    known.push_back(own.name);
  }
  fail(ErrorKind::kInput, "RankLib model of type '{}'; known: {}", type, fmt::join(known, ", "));
}

std::string write_ranklib(const Model& model, const Context& context) {
  return match(
      model, [&](const Forest&) { return write_ranklib_xml(model, context); },
      [&](const Gam& gam) {
        if (is_ranklib_boost(gam)) return write_ranklib_boost(model, context);
        return write_ranklib_xml({.body = as_forest(model), .provenance = model.provenance},
                                 context);
      },
      [&](const Linear&) { return write_ranklib_linear(model, context); },
      [&](const Mlp&) { return write_ranklib_net(model, context); },
      []<typename Body>(const Body&) -> std::string {
        fail(ErrorKind::kInput, "RankLib has no {}", Body::kKind);
      });
}

}  // namespace glassrank
