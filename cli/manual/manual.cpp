// glassrank manual: a manual page for the program and one for every command, from what they
// declare.

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/manual/command_options.h"
#include "cli/option_text.h"
#include "cli/registry.h"
#include "glassrank/base/folders.h"
#include "glassrank/base/output_file.h"
#include "glassrank/base/version.h"

namespace glassrank::cli {
namespace {

// Text as roff takes it: no dash becomes a hyphen, no line begins with a request.
std::string roff(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

std::string page_name(const std::string& command) {
  std::string name = "glassrank";
  if (!command.empty()) name += " " + command;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string page_head(const std::string& command, const std::string& summary) {
  std::string title = page_name(command);
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::toupper(c); });
  return fmt::format(
      ".TH \"{}\" 1 \"\" \"glassrank {}\" \"Glassrank\"\n.ad l\n.SH NAME\n{} \\- {}\n.SH "
      "SYNOPSIS\n",
      title, kVersion, roff(page_name(command)), roff(summary));
}

std::string option_text(const ParamInfo& info) {
  std::string flags;
  for (const std::string& flag : flags_of(info)) {
    flags += fmt::format("{}\\fB{}\\fR", flags.empty() ? "" : ", ", roff(flag));
  }
  if (!info.is_flag) flags += fmt::format(" \\fI{}\\fR", roff(value_name(info)));
  return fmt::format(".TP\n{}\n{}\n", flags, roff(option_help(info)));
}

std::string command_page(Command& command) {
  std::string text = page_head(command.name(), command.summary());
  text += fmt::format(".B glassrank {}\n", roff(command.name()));
  const std::vector<OptionGroup> groups = option_groups(command);
  for (const ParamInfo& info : groups.front().options) {
    if (info.style.positional) text += fmt::format(".I {}\n", roff(flag_name(info.name)));
  }
  text += ".RI [ options ]\n";
  for (const OptionGroup& group : groups) {
    if (group.options.empty()) continue;
    text += group.selection.empty()
                ? ".SH OPTIONS\n"
                : fmt::format(".SS With \\-\\-{} {}\n", command.selector(), roff(group.selection));
    for (const ParamInfo& info : group.options) text += option_text(info);
  }
  text +=
      ".SH CONFIGURATION\n\\fB\\-\\-config\\fR \\fIFILE\\fR reads options from a TOML file, under "
      "their names with underscores; \\fB\\-\\-set\\fR \\fIKEY=VALUE\\fR sets one. Options on the "
      "command line come last.\n";
  if (!command.examples().empty()) text += ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : command.examples()) text += roff(example) + "\n";
  if (!command.examples().empty()) text += ".fi\n";
  return text +
         ".SH EXIT STATUS\n0: done. 1: failed. 2: wrong usage. 130: stopped by Ctrl\\-C.\n"
         ".SH SEE ALSO\n.BR glassrank (1)\n";
}

std::string main_page(const CommandList& commands) {
  std::string text =
      page_head("", "learning to rank that can be trusted") +
      ".B glassrank\n.IR command \" [\" options ]\n.br\n.B glassrank help\n.I command\n"
      ".SH COMMANDS\n";
  for (const auto& command : commands) {
    text +=
        fmt::format(".TP\n\\fBglassrank {}\\fR\n{} (see \\fB{}\\fR(1))\n", roff(command->name()),
                    roff(command->summary()), roff(page_name(command->name())));
  }
  return text + ".SH EXIT STATUS\n0: done. 1: failed. 2: wrong usage. 130: stopped by Ctrl\\-C.\n";
}

class ManualCommand final : public Command {
 public:
  std::string name() const override { return "manual"; }
  std::string summary() const override { return "Write the manual pages (man 1 glassrank-train)"; }
  std::vector<std::string> examples() const override {
    return {"glassrank manual --out ~/.local/share/man/man1"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("out", out_, "folder for glassrank.1, glassrank-train.1, ...",
                  {.required = true, .value_name = "DIR"});
  }
  void run(const Context& /*context*/, Output& output) override {
    const CommandList commands = all_commands();
    make_folder(out_);
    std::vector<TextFile> pages = {page("", main_page(commands))};
    for (const auto& command : commands) {
      pages.push_back(page(command->name(), command_page(*command)));
    }
    write_text_files(pages);
    output.out << fmt::format("{} pages in {}\n", commands.size() + 1, out_);
  }

 private:
  TextFile page(const std::string& command, std::string text) const {
    const std::filesystem::path folder(out_);
    return {(folder / (page_name(command) + ".1")).string(), std::move(text)};
  }

  std::string out_;
};

}  // namespace

std::unique_ptr<Command> make_manual_command() { return std::make_unique<ManualCommand>(); }

}  // namespace glassrank::cli
