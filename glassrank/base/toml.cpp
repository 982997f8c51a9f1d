#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/params.h"

namespace glassrank {
namespace {

std::string scalar_text(const toml::node& node, const std::string& where) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  fail(ErrorKind::kInput, "{}: a value must be text, a number, true or false, or a list of these",
       where);
}

void collect(const toml::table& table, const std::string& prefix, const std::string& path,
             std::vector<ParamAssignment>& out) {
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    const auto line = static_cast<int>(node.source().begin.line);
    const std::string where = fmt::format("{}:{}", path, line);
    if (const auto* child = node.as_table()) {
      collect(*child, name + ".", path, out);
      continue;
    }
    ParamAssignment assignment{.name = name, .values = {}, .line = line};
    if (const auto* list = node.as_array()) {
      for (const toml::node& item : *list) assignment.values.push_back(scalar_text(item, where));
    } else {
      assignment.values.push_back(scalar_text(node, where));
    }
    out.push_back(std::move(assignment));
  }
}

// The reader goes into itself for every part of a key, a.b.c, as it does when it lets them go: keys
// of thousands of parts would run out of stack.
class KeyDepthCheck {
 public:
  KeyDepthCheck(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        if (c == '\n') ++line_;
        count(c);
        ++at_;
      }
    }
  }

 private:
  static constexpr int kMostParts = 16;

  // One of three quotes may span lines; a backslash hides what follows in "...".
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        if (!is_long) return;  // the reader will say so
        ++line_;
      } else if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (is_long ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return;
      }
    }
  }

  // Dots between names and blanks belong to one key, or to a number, which has but one.
  void count(char c) {
    const bool is_in_key = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
                           c == '-' || c == ' ' || c == '\t';
    if (c == '.') {
      if (++num_dots_ < kMostParts) return;
      fail(ErrorKind::kInput, "{}:{}: a key has more than {} parts", name_, line_, kMostParts);
    }
    if (!is_in_key) num_dots_ = 0;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
  int num_dots_ = 0;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      out += c;
    }
  }
  return out + '"';
}

// TOML wants a dot or an exponent in a float's text only where it matters to readers; ours take
// "1" for a float too.
std::string value_text(const ParamInfo& info, const std::string& text) {
  const bool is_bare = info.type == "int" || info.type == "float" || info.type == "bool" ||
                       info.type == "list of float";
  return is_bare ? text : quoted(text);
}

}  // namespace

std::string toml_text(std::span<const ParamInfo> infos) {
  std::string text;
  for (const ParamInfo& info : infos) {
    if (info.is_list) {
      std::string list;
      for (const std::string& item : info.items) {
        list += fmt::format("{}{}", list.empty() ? "" : ", ", value_text(info, item));
      }
      text += fmt::format("{} = [{}]\n", info.name, list);
    } else if (!info.value.empty()) {
      text += fmt::format("{} = {}\n", info.name, value_text(info, info.value));
    }
  }
  return text;
}

std::vector<ParamAssignment> parse_toml(std::string_view text, const std::string& name) {
  std::vector<ParamAssignment> assignments;
  KeyDepthCheck(text, name).run();
  try {
    collect(toml::parse(text, name), "", name, assignments);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    fail(ErrorKind::kInput, "{}:{}:{}: {}", name, at.line, at.column, error.description());
  }
  return assignments;
}

std::vector<ParamAssignment> read_toml(const std::string& path) {
  return parse_toml(read_text_file(path), path);
}

}  // namespace glassrank
