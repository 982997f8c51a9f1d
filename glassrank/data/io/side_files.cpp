#include "glassrank/data/io/side_files.h"

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include <fast_float/fast_float.h>

#include "glassrank/base/error.h"
#include "glassrank/data/io/input_text.h"
#include "glassrank/data/io/text_place.h"

namespace glassrank {
namespace {

bool has_side_file(const std::string& data_path, std::string_view ending) {
  std::error_code ignored;
  return data_path != "-" && std::filesystem::exists(data_path + std::string(ending), ignored);
}

// Calls number(word) for every word of the text between white space.
template <typename Number>
void for_each_word(std::string_view text, Number&& number) {
  constexpr std::string_view kBlank = " \t\r\n";
  for (std::size_t at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
    const std::size_t stop = std::min(text.find_first_of(kBlank, at), text.size());
    number(text.substr(at, stop - at));
    at = text.find_first_not_of(kBlank, stop);
  }
}

}  // namespace

bool has_query_file(const std::string& data_path) { return has_side_file(data_path, ".query"); }

std::optional<QueryGroups> read_query_file(const std::string& data_path, std::size_t num_rows,
                                           const Context& context) {
  if (!has_query_file(data_path)) return std::nullopt;
  const InputText input(data_path + ".query", context);
  const std::string_view text = skip_byte_order_mark(input.text());
  std::vector<std::string> ids;
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for_each_word(text, [&](std::string_view word) {
    std::uint32_t size = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, size);
    if (error != std::errc{} || stop != end || size == 0) {
      fail_at(input.name(), text, word.data(),
              fmt::format("'{}' is not a number of rows; each query has one or more", shown(word)));
    }
    sizes.push_back(size);
    ids.push_back(std::to_string(sizes.size()));
    total += size;
  });
  if (total != num_rows) {
    fail(ErrorKind::kInput, "{}: its queries have {} rows together, but '{}' has {}", input.name(),
         total, data_path, num_rows);
  }
  return QueryGroups(std::move(ids), sizes);
}

std::optional<std::vector<float>> read_weight_file(const std::string& data_path,
                                                   std::size_t num_rows, const Context& context) {
  if (!has_side_file(data_path, ".weight")) return std::nullopt;
  const InputText input(data_path + ".weight", context);
  const std::string_view text = skip_byte_order_mark(input.text());
  std::vector<float> weights;
  for_each_word(text, [&](std::string_view word) {
    float weight = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = fast_float::from_chars(word.data(), end, weight);
    if (error != std::errc{} || stop != end || !std::isfinite(weight) || weight < 0) {
      fail_at(input.name(), text, word.data(),
              fmt::format("'{}' is not a weight; a weight is a finite number >= 0", shown(word)));
    }
    weights.push_back(weight);
  });
  if (weights.size() != num_rows) {
    fail(ErrorKind::kInput, "{}: {} weights, but '{}' has {} rows", input.name(), weights.size(),
         data_path, num_rows);
  }
  return weights;
}

}  // namespace glassrank
