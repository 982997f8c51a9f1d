#include "glassrank/base/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

// Whole-text conversion; empty optional when anything is left over.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "0 <= x <= 1", "x > 0 and finite", "a finite number".
std::string requirement(const Range& range) {
  const std::string text = range_text(range);
  if (text.empty()) return "a finite number";
  return std::isfinite(range.low) && std::isfinite(range.high) ? text : text + " and finite";
}

template <typename T>
void check_range(std::string_view name, T number, const Range& range) {
  const auto value = static_cast<double>(number);
  const bool below = range.open_low ? value <= range.low : value < range.low;
  const bool above = range.open_high ? value >= range.high : value > range.high;
  if (!std::isfinite(value)) {
    fail(ErrorKind::kUsage, "{} = {} is out of range; it must be {}", name, value,
         requirement(range));
  }
  if (below || above) {
    fail(ErrorKind::kUsage, "{} = {} is out of range; it must be {}", name, value,
         range_text(range));
  }
}

void check_choice(std::string_view name, const std::string& text,
                  const std::vector<std::string>& choices, const ParamStyle& style) {
  if (std::ranges::find(choices, text) != choices.end()) return;
  const std::string_view hint = style.hint == nullptr ? std::string_view() : style.hint(text);
  if (!hint.empty()) fail(ErrorKind::kUsage, "{} = '{}': {}", name, text, hint);
  throw Error(ErrorKind::kUsage, unknown_name_message(name, text, choices));
}

template <typename T>
T number_from(const ParamInfo& info, const std::string& text, std::string_view expected) {
  const auto value = parse_number<T>(text);
  if (!value) {
    fail(ErrorKind::kUsage, "{} = '{}' is not {}{}", info.name, text, expected,
         range_text(info.range).empty() ? "" : " with " + range_text(info.range));
  }
  check_range(info.name, *value, info.range);
  return *value;
}

const std::string& single(const ParamInfo& info, const std::vector<std::string>& values) {
  if (values.size() != 1) {
    fail(ErrorKind::kUsage, "{} takes one value, not {}", info.name, values.size());
  }
  return values.front();
}

}  // namespace

std::string ParamVisitor::full_name(std::string_view name) const {
  std::string full;
  for (const std::string& part : prefix_) full += part + ".";
  return full.append(name);
}

ParamInfo ParamVisitor::describe(std::string_view name, std::string_view type, std::string value,
                                 std::string_view doc, ParamStyle style) const {
  return {.name = full_name(name),
          .type = std::string(type),
          .value = std::move(value),
          .items = {},
          .doc = std::string(doc),
          .section = section_,
          .range = kAny,
          .choices = {},
          .style = style};
}

template <typename T>
bool ParamVisitor::number_field(std::string_view name, T& value, std::string_view doc, Range range,
                                ParamStyle style) {
  constexpr bool kWhole = std::is_integral_v<T>;
  if (checks_values()) {
    check_range(full_name(name), value, range);
    return false;
  }
  ParamInfo info = describe(name, kWhole ? "int" : "float", fmt::format("{}", value), doc, style);
  info.range = range;
  const auto texts = on_field(info);
  if (texts) {
    value = number_from<T>(info, single(info, *texts), kWhole ? "a whole number" : "a number");
  }
  return texts.has_value();
}

bool ParamVisitor::field(std::string_view name, std::int64_t& value, std::string_view doc,
                         Range range, ParamStyle style) {
  return number_field(name, value, doc, range, style);
}

bool ParamVisitor::field(std::string_view name, int& value, std::string_view doc, Range range,
                         ParamStyle style) {
  return number_field(name, value, doc, range, style);
}

bool ParamVisitor::field(std::string_view name, std::uint64_t& value, std::string_view doc,
                         Range range, ParamStyle style) {
  return number_field(name, value, doc, range, style);
}

bool ParamVisitor::field(std::string_view name, double& value, std::string_view doc, Range range,
                         ParamStyle style) {
  return number_field(name, value, doc, range, style);
}

bool ParamVisitor::field(std::string_view name, bool& value, std::string_view doc,
                         ParamStyle style) {
  ParamInfo info = describe(name, "bool", value ? "true" : "false", doc, style);
  info.choices = {"true", "false"};
  info.is_flag = true;
  const auto texts = on_field(info);
  if (texts) {
    const std::string& text = single(info, *texts);
    if (text != "true" && text != "false") {
      fail(ErrorKind::kUsage, "{} = '{}' must be true or false", info.name, text);
    }
    value = text == "true";
  }
  return texts.has_value();
}

bool ParamVisitor::field(std::string_view name, std::string& value, std::string_view doc,
                         ParamStyle style) {
  const ParamInfo info = describe(name, "text", value, doc, style);
  auto texts = on_field(info);
  if (texts) value = single(info, *texts);
  return texts.has_value();
}

bool ParamVisitor::field(std::string_view name, std::vector<std::string>& value,
                         std::string_view doc, ParamStyle style) {
  ParamInfo info =
      describe(name, "list of text", fmt::format("{}", fmt::join(value, ",")), doc, style);
  info.items = value;
  info.is_list = true;
  auto texts = on_field(info);
  if (texts) value = std::move(*texts);
  return texts.has_value();
}

bool ParamVisitor::field(std::string_view name, std::vector<double>& value, std::string_view doc,
                         Range range, ParamStyle style) {
  if (checks_values()) {
    for (const double item : value) check_range(full_name(name), item, range);
    return false;
  }
  ParamInfo info =
      describe(name, "list of float", fmt::format("{}", fmt::join(value, ",")), doc, style);
  for (const double item : value) info.items.push_back(fmt::format("{}", item));
  info.range = range;
  info.is_list = true;
  const auto texts = on_field(info);
  if (texts) {
    value.clear();
    for (const std::string& text : *texts) {
      value.push_back(number_from<double>(info, text, "a number"));
    }
  }
  return texts.has_value();
}

bool ParamVisitor::choice_field(std::string_view name, std::string& value,
                                std::vector<std::string> choices, std::string_view doc,
                                ParamStyle style) {
  if (checks_values()) {
    if (!value.empty()) check_choice(full_name(name), value, choices, style);
    return false;
  }
  ParamInfo info = describe(name, "choice", value, doc, style);
  info.choices = std::move(choices);
  const auto texts = on_field(info);
  if (texts) {
    const std::string& text = single(info, *texts);
    if (!text.empty() || !value.empty()) check_choice(info.name, text, info.choices, style);
    value = text;
  }
  return texts.has_value();
}

std::optional<std::vector<std::string>> ParamLister::on_field(const ParamInfo& info) {
  infos.push_back(info);
  return std::nullopt;
}

std::optional<std::vector<std::string>> ParamSetter::on_field(const ParamInfo& info) {
  if (info.name != name_) return std::nullopt;
  found_ = true;
  return values_;
}

void fail_unknown_param(std::string_view name, std::span<const ParamInfo> known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const ParamInfo& info : known) names.push_back(info.name);
  throw Error(ErrorKind::kUsage, unknown_name_message("parameter", name, names));
}

std::string range_text(const Range& range) {
  const bool has_low = std::isfinite(range.low);
  const bool has_high = std::isfinite(range.high);
  if (has_low && has_high) {
    return fmt::format("{} {} x {} {}", range.low,
                       range.open_low ? "<" : "<=", range.open_high ? "<" : "<=", range.high);
  }
  if (has_low) return fmt::format("x {} {}", range.open_low ? ">" : ">=", range.low);
  if (has_high) return fmt::format("x {} {}", range.open_high ? "<" : "<=", range.high);
  return "";
}

std::string params_markdown(std::span<const ParamInfo> infos) {
  std::string text = "| parameter | type | default | range | meaning |\n|---|---|---|---|---|\n";
  for (const ParamInfo& info : infos) {
    const std::string range = info.choices.empty() || info.is_flag
                                  ? range_text(info.range)
                                  : fmt::format("{}", fmt::join(info.choices, ", "));
    std::string value = info.style.required  ? "required"
                        : info.value.empty() ? ""
                                             : fmt::format("`{}`", info.value);
    if (!info.style.default_note.empty()) value += fmt::format("; {}", info.style.default_note);
    const std::string alias =
        info.style.alias.empty() ? "" : fmt::format(" (`--{}` for short)", info.style.alias);
    text += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", info.name, info.type, value, range,
                        info.doc, alias);
  }
  return text;
}

}  // namespace glassrank
