#include "glassrank/models/io/category_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/known_categories.h"
#include "glassrank/models/io/json_text.h"
#include "glassrank/models/io/number_text.h"

namespace glassrank {
namespace {

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The number that a name is, if it is written the shortest way.
bool is_plain_number(const std::string& name, double& number) {
  return parse_number(name, number) && std::isfinite(number) && fmt::format("{}", number) == name;
}

std::int64_t whole_number(const Json& value) {
  if (!value.is_number_integer()) {
    fail(ErrorKind::kInput, "'cats' holds {}, which is not possible there", value.dump());
  }
  return value.get<std::int64_t>();
}

// The texts whose bytes follow each other, each from its offset to the next one.
std::vector<std::string> texts_between(const Json& bytes, const Json& offsets) {
  std::vector<std::string> texts;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::int64_t end = whole_number(offsets[i]);
    if (end < begin || end > static_cast<std::int64_t>(bytes.size())) {
      fail(ErrorKind::kInput, "'cats': offset {} is out of range", end);
    }
    if (i > 0) {
      std::string text;
      for (std::int64_t b = begin; b < end; ++b) {
        text += static_cast<char>(whole_number(bytes[static_cast<std::size_t>(b)]) & 0xFF);
      }
      texts.push_back(std::move(text));
    }
    begin = end;
  }
  return texts;
}

// Whether XGBoost may keep them as whole numbers.
bool are_whole(std::span<const std::string> names) {
  return std::ranges::all_of(names, [](const std::string& name) {
    double number = 0;
    return is_plain_number(name, number) && number == std::floor(number);
  });
}

// Codes in the order of the values: XGBoost looks values up in it.
std::vector<std::size_t> sorted_codes(std::span<const std::string> names, bool as_numbers) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> numbers(as_numbers ? names.size() : 0);
  for (std::size_t c = 0; c < numbers.size(); ++c) parse_number(names[c], numbers[c]);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return as_numbers ? numbers[a] < numbers[b] : names[a] < names[b];
  });
  return order;
}

Json encoded(std::span<const std::string> names, bool as_numbers) {
  constexpr int kWholeNumbers = 15;  // XGBoost's mark of an array of int64
  Json values = Json::array();
  if (as_numbers) {
    for (const std::string& name : names) {
      double number = 0;
      parse_number(name, number);
      values.push_back(static_cast<std::int64_t>(number));
    }
    return {{"type", kWholeNumbers}, {"values", std::move(values)}};
  }
  Json offsets = Json::array();
  if (!names.empty()) offsets.push_back(0);
  for (const std::string& name : names) {
    for (const char c : name) values.push_back(static_cast<int>(static_cast<signed char>(c)));
    offsets.push_back(values.size());
  }
  return {{"offsets", std::move(offsets)}, {"values", std::move(values)}};
}

}  // namespace

std::vector<std::string> category_names_from(const Json& values) {
  if (!values.is_array()) fail(ErrorKind::kInput, "the categories are not an array");
  std::vector<std::string> names;
  for (const Json& value : values) {
    if (value.is_string()) {
      names.push_back(value.get<std::string>());
    } else if (value.is_boolean()) {
      names.emplace_back(value.get<bool>() ? "True" : "False");
    } else if (value.is_number_integer()) {
      names.push_back(value.dump());
    } else if (value.is_number()) {
      names.push_back(fmt::format("{}", value.get<double>()));
    } else {
      fail(ErrorKind::kInput, "a category is {}, not a text or a number", value.dump());
    }
  }
  return names;
}

Json category_values(std::span<const std::string> names) {
  Json numbers = Json::array();
  Json texts = Json::array();
  for (const std::string& name : names) {
    texts.push_back(name);
    double number = 0;
    if (!is_plain_number(name, number)) continue;
    if (number == std::floor(number) && std::abs(number) < 1e15) {
      numbers.push_back(static_cast<std::int64_t>(number));
    } else {
      numbers.push_back(number);
    }
  }
  return numbers.size() == names.size() ? numbers : texts;
}

CategoryNames read_pandas_categorical(const Json& lists, std::span<const std::size_t> features,
                                      std::size_t num_features) {
  if (!lists.is_array() || lists.size() != features.size() || features.empty()) return {};
  CategoryNames categories(num_features);
  for (std::size_t i = 0; i < features.size(); ++i) {
    std::vector<std::string> names = category_names_from(lists[i]);
    // Its own codes are no names: numbers as they are mean the same.
    if (!are_own_codes(names)) categories[features[i]] = std::move(names);
  }
  const bool any = std::ranges::any_of(categories, [](const auto& own) { return !own.empty(); });
  return any ? categories : CategoryNames();
}

std::string pandas_categorical_text(const CategoryNames& categories,
                                    std::span<const std::size_t> features,
                                    std::span<const std::size_t> num_codes) {
  if (categories.empty()) return "null";
  Json lists = Json::array();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const auto names = names_of(categories, features[i]);
    if (!names.empty()) {
      lists.push_back(category_values(names));
      continue;
    }
    Json codes = Json::array();
    for (std::size_t c = 0; c < num_codes[i]; ++c) codes.push_back(c);
    lists.push_back(std::move(codes));
  }
  return dumped(lists);
}

CategoryNames read_xgboost_cats(const Json& cats, std::size_t num_features) {
  const Json& features = array_member(cats, "enc");
  if (features.size() != num_features) {
    if (features.empty()) return {};
    fail(ErrorKind::kInput, "'cats' has {} features, the model {}", features.size(), num_features);
  }
  CategoryNames categories(num_features);
  bool any = false;
  for (std::size_t f = 0; f < num_features; ++f) {
    const Json& values = array_member(features[f], "values");
    const bool is_text = features[f].contains("offsets");
    std::vector<std::string> names =
        is_text ? texts_between(values, array_member(features[f], "offsets"))
                : category_names_from(values);
    if (!is_text && are_own_codes(names)) continue;
    any |= !names.empty();
    categories[f] = std::move(names);
  }
  return any ? categories : CategoryNames();
}

std::string xgboost_cats_text(const CategoryNames& categories, std::size_t num_features) {
  Json features = Json::array();
  Json segments = Json::array({0});
  Json sorted = Json::array();
  std::size_t end = 0;
  for (std::size_t f = 0; f < num_features; ++f) {
    const auto names = names_of(categories, f);
    const bool as_numbers = !names.empty() && are_whole(names);
    features.push_back(encoded(names, as_numbers));
    for (const std::size_t code : sorted_codes(names, as_numbers)) sorted.push_back(code);
    end += names.size();
    segments.push_back(end);
  }
  return dumped({{"enc", std::move(features)},
                 {"feature_segments", std::move(segments)},
                 {"sorted_idx", std::move(sorted)}});
}

}  // namespace glassrank
