#include "glassrank/data/io/side_files.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "glassrank/base/error.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/svmlight_line.h"

namespace glassrank {

bool SideFiles::read_lines(const char* suffix, const Context& context,
                           std::vector<std::string>& lines) const {
  std::error_code error;
  if (path.empty() || path == "-" || !std::filesystem::exists(path + suffix, error)) return false;
  const InputText input(path + suffix, context);
  std::string_view rest = input.text();
  while (!rest.empty()) {
    const std::size_t newline = std::min(rest.find('\n'), rest.size());
    lines.emplace_back(trim_blanks(rest.substr(0, newline)));
    rest.remove_prefix(std::min(newline + 1, rest.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return true;
}

bool SideFiles::has_queries() const {
  std::error_code error;
  return !path.empty() && path != "-" && std::filesystem::exists(path + ".query", error);
}

QueryGroups SideFiles::queries(std::size_t num_rows, const Context& context) const {
  std::vector<std::string> lines;
  if (!read_lines(".query", context, lines)) return {};
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for (const std::string& line : lines) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), size);
    if (error != std::errc{} || end != line.data() + line.size() || size == 0 || size > num_rows) {
      fail(ErrorKind::kInput,
           "{}.query:{}:1: {} is not the number of rows of a query; it is a whole number from 1 "
           "to {}",
           path, sizes.size() + 1, quote_text(line), num_rows);
    }
    sizes.push_back(size);
    ids.push_back(std::to_string(sizes.size()));
    total += size;
  }
  if (total != num_rows) {
    fail(ErrorKind::kInput, "{}.query: {} rows in all, but {} has {}; the counts must add up", path,
         total, path, num_rows);
  }
  return QueryGroups(std::move(ids), sizes);
}

std::vector<float> SideFiles::weights(std::size_t num_rows, const Context& context) const {
  std::vector<std::string> lines;
  if (!read_lines(".weight", context, lines)) return {};
  std::vector<float> weights;
  for (const std::string& line : lines) {
    float weight = 0;
    if (parse_float(line, weight) != NumberStatus::kOk || !(weight >= 0)) {
      fail(ErrorKind::kInput,
           "{}.weight:{}:1: {} is not a weight; it is a finite number of 0 or more", path,
           weights.size() + 1, quote_text(line));
    }
    weights.push_back(weight);
  }
  if (weights.size() != num_rows) {
    fail(ErrorKind::kInput, "{}.weight: {} weights, but {} has {} rows; there is one a row", path,
         weights.size(), path, num_rows);
  }
  return weights;
}

std::vector<std::string> SideFiles::feature_names(std::size_t num_features,
                                                  const Context& context) const {
  std::vector<std::string> names;
  if (!read_lines(".names", context, names)) return {};
  if (names.size() != num_features) {
    fail(ErrorKind::kInput, "{}.names: {} names, but {} has {} features; there is one a feature",
         path, names.size(), path, num_features);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      fail(ErrorKind::kInput, "{}.names:{}:1: the name of a feature is empty", path, i + 1);
    }
  }
  return names;
}

}  // namespace glassrank
