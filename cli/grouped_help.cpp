#include "cli/grouped_help.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/option_text.h"

namespace glassrank::cli {
namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kNumExamples = 1;  // of the short help

// "--[no-]norm", "--sample METRIC,...": one name, the shortest that is a word.
std::string short_name(const ParamInfo& info) {
  std::string name = flag_name(info.name);
  if (info.style.alias.size() > 1) name = flag_name(std::string(info.style.alias));
  const bool is_on = info.is_flag && info.value == "true";
  const std::string value = value_name(info);
  return fmt::format("--{}{}{}{}", is_on ? "[no-]" : "", name, value.empty() ? "" : " ", value);
}

std::string all_names(const ParamInfo& info) {
  const std::string value = value_name(info);
  return fmt::format("{}{}{}", fmt::join(flags_of(info), ", "), value.empty() ? "" : " ", value);
}

std::string short_line(const ParamInfo& info) {
  std::string line = fmt::format("  {:<{}}", short_name(info), kNameColumns - 2);
  if (!line.ends_with(' ')) line += ' ';
  const std::string after = info.is_flag ? "" : default_text(info);
  const std::size_t taken = line.size() + after.size();
  const std::size_t room = kHelpColumns - std::min(taken, kHelpColumns - 20);
  return line + shortened(info.doc, room) + after + "\n";
}

// The name, then the text beside it, in lines.
std::string full_lines(const ParamInfo& info) {
  const std::string indent(kNameColumns, ' ');
  std::string text = fmt::format("  {:<{}}", all_names(info), kNameColumns - 2);
  if (!text.ends_with(' ')) text += "\n" + indent;
  std::size_t column = kNameColumns;
  std::string_view rest;
  const std::string help = option_help(info);
  rest = help;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (column > kNameColumns && column + 1 + end > kHelpColumns) {
      text += "\n" + indent;
      column = kNameColumns;
    } else if (column > kNameColumns) {
      text += ' ';
      ++column;
    }
    text += rest.substr(0, end);
    column += end;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text + "\n";
}

std::string heading(const std::string& section) {
  std::string text = section == "general" ? "options" : section;
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

// In the order in which they first appear.
std::vector<std::string> sections_of(std::span<const ParamInfo> infos, bool shows_all) {
  std::vector<std::string> sections;
  for (const ParamInfo& info : infos) {
    if (info.section == "advanced" && !shows_all) continue;
    if (std::ranges::find(sections, info.section) == sections.end()) {
      sections.push_back(info.section);
    }
  }
  return sections;
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  for (const char* mark : {"; ", ": ", " (", ", "}) {
    const std::size_t at = text.find(mark);
    if (at > width / 3 && at <= width) return text.substr(0, at);
  }
  const std::string_view more = " ...";
  const std::size_t space = width < more.size() ? 0 : text.rfind(' ', width - more.size());
  return text.substr(0, space == std::string::npos ? 0 : space) + std::string(more);
}

std::string to_text(const GroupedHelp& help) {
  std::string text = fmt::format("{}\nUsage: {} [OPTIONS]\n", help.summary, help.command);
  for (const std::string& section : sections_of(help.infos, help.shows_all)) {
    text += fmt::format("\n{}:\n", heading(section));
    for (const ParamInfo& info : help.infos) {
      if (info.section != section) continue;
      text += help.shows_all ? full_lines(info) : short_line(info);
    }
  }
  text += "\nGeneral:\n";
  const auto line = [&](std::string_view name, std::string_view what) {
    text += fmt::format("  {:<{}}{}\n", name, kNameColumns - 2, what);
  };
  line("-h, --help", "this text");
  line("--help-all", "every option, with its range and its whole description");
  line("--config FILE", "TOML file with parameters");
  line("--set KEY=VALUE", "sets any parameter, nested ones too; may be repeated");
  if (help.examples.empty()) return text;
  text += "\nExamples:\n";
  std::size_t num_shown = 0;
  for (const std::string& example : help.examples) {
    const bool fits = example.size() + 2 <= kHelpColumns && num_shown < kNumExamples;
    if (!fits && !help.shows_all) continue;
    text += fmt::format("  {}\n", example);
    ++num_shown;
  }
  return text;
}

}  // namespace glassrank::cli
