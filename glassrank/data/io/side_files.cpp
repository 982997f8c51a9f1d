#include "glassrank/data/io/side_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/trim.h"
#include "glassrank/data/io/number_scanner.h"
#include "glassrank/data/io/svmlight/svmlight_line.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    lines.push_back(trim_blanks(text.substr(0, newline)));
    text.remove_prefix(std::min(newline + 1, text.size()));
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

QueryGroups parse_query_counts(std::string_view text, std::string_view name, std::size_t num_rows) {
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for (const std::string_view line : lines_of(text)) {
    std::size_t size = 0;
    const char* const line_end = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data(), line_end, size);
    if (error != std::errc{} || end != line_end || size == 0 || size > num_rows) {
      fail(ErrorKind::kInput,
           "{}:{}:1: {} is not the number of rows of a query; it is a whole number from 1 to {}",
           name, sizes.size() + 1, quote_text(line), num_rows);
    }
    sizes.push_back(size);
    ids.push_back(std::to_string(sizes.size()));
    total += size;
  }
  if (total != num_rows) {
    fail(ErrorKind::kInput, "{}: {} rows in all, but the data file has {}; the counts must add up",
         name, total, num_rows);
  }
  return QueryGroups(std::move(ids), sizes);
}

std::vector<float> parse_weights(std::string_view text, std::string_view name,
                                 std::size_t num_rows) {
  std::vector<float> weights;
  for (const std::string_view line : lines_of(text)) {
    float weight = 0;
    if (parse_float(line, weight) != NumberStatus::kOk || !(weight >= 0)) {
      fail(ErrorKind::kInput, "{}:{}:1: {} is not a weight; it is a finite number of 0 or more",
           name, weights.size() + 1, quote_text(line));
    }
    weights.push_back(weight);
  }
  if (weights.size() != num_rows) {
    fail(ErrorKind::kInput, "{}: {} weights, but the data file has {} rows; there is one a row",
         name, weights.size(), num_rows);
  }
  return weights;
}

std::vector<std::string> parse_feature_names(std::string_view text, std::string_view name,
                                             std::size_t least) {
  const std::vector<std::string_view> names = lines_of(text);
  if (names.size() < least) {
    fail(ErrorKind::kInput,
         "{}: {} names, but the data file has {} features; there is one a feature", name,
         names.size(), least);
  }
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) {
      fail(ErrorKind::kInput, "{}:{}:1: the name of a feature is empty", name, i + 1);
    }
    const auto [earlier, is_new] = seen.emplace(names[i], i + 1);
    if (!is_new) {
      fail(ErrorKind::kInput, "{}:{}:1: {} is the name in line {} already; names must differ", name,
           i + 1, quote_text(names[i]), earlier->second);
    }
  }
  return {names.begin(), names.end()};
}

std::vector<SideFile> SideFiles::all() const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kKinds = {{
      {"weights", ".weight"},
      {"numbers of rows of queries", ".query"},
      {"numbers of rows of queries", ".group"},
      {"feature names", ".names"},
  }};
  std::vector<SideFile> files;
  for (const auto& [what, suffix] : kKinds) {
    files.push_back({what, fmt::format("{}{}", path, suffix)});
  }
  return files;
}

std::vector<SideFile> SideFiles::present() const {
  if (path.empty() || path == "-") return {};
  std::vector<SideFile> files = all();
  std::error_code error;
  std::erase_if(files,
                [&](const SideFile& file) { return !std::filesystem::exists(file.path, error); });
  return files;
}

void SideFiles::refuse_foreign(std::string_view suffix) const {
  if (!has(suffix)) return;
  fail(ErrorKind::kUsage,
       "{0}{1} is there and would be read with {0}, but is not of the data written; move it away "
       "or give another name",
       path, suffix);
}

bool SideFiles::has(std::string_view suffix) const {
  std::error_code error;
  return !path.empty() && path != "-" &&
         std::filesystem::exists(fmt::format("{}{}", path, suffix), error);
}

std::optional<InputText> SideFiles::open(std::string_view suffix, const Context& context) const {
  if (!has(suffix)) return std::nullopt;
  return InputText(fmt::format("{}{}", path, suffix), context);
}

QueryGroups SideFiles::queries(std::size_t num_rows, const Context& context) const {
  const auto input = open(query_suffix(), context);
  return input ? parse_query_counts(input->text(), input->name(), num_rows) : QueryGroups();
}

std::vector<float> SideFiles::weights(std::size_t num_rows, const Context& context) const {
  const auto input = open(".weight", context);
  return input ? parse_weights(input->text(), input->name(), num_rows) : std::vector<float>();
}

std::vector<std::string> SideFiles::feature_names(std::size_t least, const Context& context) const {
  const auto input = open(".names", context);
  if (!input) return {};
  return parse_feature_names(input->text(), input->name(), least);
}

void SideFiles::warn_unused(std::string_view suffix, std::string_view reason,
                            const Context& context) const {
  if (!has(suffix)) return;
  context.warn(fmt::format("{}{} is not used: {}", path, suffix, reason));
}

}  // namespace glassrank
