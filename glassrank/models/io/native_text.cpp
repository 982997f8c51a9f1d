#include "glassrank/models/io/native_text.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
}

void NativeReader::fail_here(std::string_view problem) const {
  fail(ErrorKind::kInput, "line {}: {}", lines_.line_number(), problem);
}

std::string_view NativeReader::line() {
  if (lines_.at_end()) fail_here("the model ends too early");
  return lines_.next();
}

std::string_view NativeReader::value(std::string_view key) {
  const std::string_view text = line();
  if (text == key) return {};
  if (!text.starts_with(key) || text.size() <= key.size() || text[key.size()] != ' ') {
    fail_here(fmt::format("'{} ...' is expected here", key));
  }
  return text.substr(key.size() + 1);
}

bool NativeReader::comes(std::string_view key) const {
  return !lines_.at_end() && lines_.peek().starts_with(key);
}

void NativeReader::check_count(std::size_t count) const {
  if (count > lines_.bytes_left()) {
    fail_here(
        fmt::format("{} lines cannot follow in the {} bytes left", count, lines_.bytes_left()));
  }
}

std::size_t NativeReader::count(std::string_view key) {
  const std::string_view text = value(key);
  std::uint64_t number = 0;
  if (!parse_number(text, number)) fail_here(fmt::format("'{}' is not a count", text));
  check_count(number);
  return number;
}

double NativeReader::number(std::string_view key) {
  const std::string_view text = value(key);
  double number = 0;
  if (!parse_number(text, number)) fail_here(fmt::format("'{}' is not a number", text));
  return number;
}

std::string NativeReader::unescape(std::string_view text) const {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    const char code = ++i < text.size() ? text[i] : '\0';
    if (code == '\\') {
      out += '\\';
    } else if (code == 't') {
      out += '\t';
    } else if (code == 'n') {
      out += '\n';
    } else if (code == 'r') {
      out += '\r';
    } else {
      fail_here("a backslash must be followed by one of \\ t n r");
    }
  }
  return out;
}

void write_native_features(std::string& out, std::size_t num_features,
                           std::span<const std::string> names) {
  out += fmt::format("features {}{}\n", num_features, names.empty() ? "" : " named");
  for (const std::string& name : names) {
    append_escaped(out, name);
    out += '\n';
  }
}

void read_native_features(NativeReader& reader, std::size_t& num_features,
                          std::vector<std::string>& names) {
  const std::vector<std::string_view> words = split_words(reader.value("features"));
  std::uint64_t count = 0;
  const bool named = words.size() == 2 && words[1] == "named";
  if (words.empty() || !parse_number(words[0], count) || words.size() != (named ? 2U : 1U)) {
    reader.fail_here("'features N' or 'features N named' is expected here");
  }
  num_features = count;
  if (!named) return;
  reader.check_count(count);
  names.reserve(count);
  for (std::size_t f = 0; f < count; ++f) names.push_back(reader.unescape(reader.line()));
}

void write_native_categories(std::string& out, const CategoryNames& categories) {
  const auto num_named =
      std::ranges::count_if(categories, [](const auto& own) { return !own.empty(); });
  if (num_named == 0) return;
  fmt::format_to(std::back_inserter(out), "categories {}\n", num_named);
  for (std::size_t f = 0; f < categories.size(); ++f) {
    if (categories[f].empty()) continue;
    fmt::format_to(std::back_inserter(out), "{} {}\n", f, categories[f].size());
    for (const std::string& name : categories[f]) {
      append_escaped(out, name);
      out += '\n';
    }
  }
}

CategoryNames read_native_categories(NativeReader& reader, std::size_t num_features) {
  if (!reader.comes("categories")) return {};
  CategoryNames categories(num_features);
  const std::size_t num_named = reader.count("categories");
  for (std::size_t i = 0; i < num_named; ++i) {
    NativeWords words(reader);
    std::uint64_t feature = 0;
    std::uint64_t size = 0;
    words.read(feature);
    words.read(size);
    words.finish();
    if (feature >= num_features || !categories[feature].empty() || size == 0) {
      reader.fail_here(fmt::format("feature {} cannot have {} categories here", feature, size));
    }
    reader.check_count(size);
    for (std::uint64_t c = 0; c < size; ++c) {
      categories[feature].push_back(reader.unescape(reader.line()));
    }
  }
  return categories;
}

}  // namespace glassrank
