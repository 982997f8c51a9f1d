#include "cli/arguments.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/file_check.h"
#include "cli/grouped_help.h"
#include "cli/option_names.h"
#include "cli/option_text.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/version.h"
#include "glassrank/methods/lambdamart/peer_names.h"

namespace glassrank::cli {
namespace {

using Values = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::vector<std::string> split_lists(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    for (std::string& item : split_list(text)) items.push_back(std::move(item));
  }
  return items;
}

// Declares one option that appends to `values`; returns nothing until parsing.
void add_option(CLI::App& app, const ParamInfo& info, Values& values) {
  std::vector<std::string> flags = flags_of(info);
  const auto store = [name = info.name, splits = info.is_list && !info.style.one_value,
                      &values](const std::vector<std::string>& texts) {
    values.emplace_back(name, splits ? split_lists(texts) : texts);
    return true;
  };
  if (info.is_flag) {
    for (std::string& flag : flags) {
      if (flag.starts_with("--no-") && info.value == "true") flag.insert(0, "!");
    }
    app.add_flag_function(
        fmt::format("{}", fmt::join(flags, ",")),
        [name = info.name, &values](std::int64_t count) {
          values.emplace_back(name, std::vector<std::string>{count > 0 ? "true" : "false"});
        },
        option_help(info));
    return;
  }
  CLI::Option* option =
      app.add_option(fmt::format("{}", fmt::join(flags, ",")), store, option_help(info));
  option->type_name(value_name(info));
  if (info.is_list) {
    option->expected(1, -1)->take_all()->allow_extra_args(info.style.positional);
  } else {
    option->expected(1)->take_last();
  }
}

// The parameters a command line and a config file may set: the command's and the global ones.
class Target {
 public:
  Target(Command& command, GlobalOptions& global)
      : command_(command), global_(global), names_(command, infos()) {}

  void visit(ParamVisitor& visitor) {
    command_.visit(visitor);
    global_.visit(visitor);
  }
  std::vector<ParamInfo> infos() {
    ParamLister lister;
    visit(lister);
    return std::move(lister.infos);
  }
  OptionNames& names() { return names_; }
  void set(const std::string& name, std::vector<std::string> values) {
    ParamSetter setter(name, std::move(values));
    visit(setter);
    if (setter.found()) return;
    const std::vector<ParamInfo> known = infos();
    if (const std::string owners = selections_with(command_, name); !owners.empty()) {
      fail(ErrorKind::kUsage, "{} is for --{} {}", name, command_.selector(), owners);
    }
    fail_unknown_param(name, known);
  }

 private:
  Command& command_;
  GlobalOptions& global_;
  OptionNames names_;
};

struct Extras {
  std::string config;
  std::vector<std::string> set;
};

void apply_settings(Target& target, std::vector<ParamAssignment> settings, const std::string& path,
                    std::vector<std::string>& given) {
  for (ParamAssignment& setting : settings) {
    const int line = setting.line;
    try {
      for (ParamAssignment& assignment : target.names().translate(std::move(setting))) {
        target.set(assignment.name, std::move(assignment.values));
        given.push_back(assignment.name);
      }
    } catch (Error& error) {
      error.add_context(line > 0 ? fmt::format("{}:{}", path, line) : path);
      throw;
    }
  }
}

void apply_set(Target& target, const std::string& text, std::vector<std::string>& given) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(ErrorKind::kUsage, "--set '{}' must be key=value", text);
  }
  const auto infos = target.infos();
  for (ParamAssignment& assignment : target.names().translate(
           {.name = text.substr(0, equals), .values = {text.substr(equals + 1)}})) {
    const auto info = std::ranges::find(infos, assignment.name, &ParamInfo::name);
    const bool splits = info != infos.end() && info->is_list && !info->style.one_value;
    if (splits) assignment.values = split_list(assignment.values.front());
    target.set(assignment.name, std::move(assignment.values));
    given.push_back(assignment.name);
  }
}

// The value of the command's import option: on the command line, by --set or in the config file.
std::string import_path(const std::string& option, const Values& values, const Extras& extras,
                        const std::vector<ParamAssignment>& config) {
  std::string path;
  for (const ParamAssignment& assignment : config) {
    if (assignment.name == option && !assignment.values.empty()) path = assignment.values.front();
  }
  for (const std::string& text : extras.set) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && text.substr(0, equals) == option) {
      path = text.substr(equals + 1);
    }
  }
  for (const auto& [name, texts] : values) {
    if (name == option) path = texts.back();
  }
  return path;
}

void apply(Target& target, Command& command, const Extras& extras, const Values& values) {
  std::vector<std::string> given;
  std::vector<ParamAssignment> config;
  if (!extras.config.empty()) config = read_toml(extras.config);
  const std::string option = command.import_option();
  if (const std::string path = import_path(option, values, extras, config); !path.empty()) {
    apply_settings(target, command.import_settings(path), path, given);
  }
  apply_settings(target, std::move(config), extras.config, given);
  const std::size_t num_in_files = given.size();
  for (const std::string& text : extras.set) apply_set(target, text, given);
  for (const auto& [name, texts] : values) {
    target.set(name, texts);
    given.push_back(name);
  }
  const std::vector<std::string> on_line(given.begin() + static_cast<std::ptrdiff_t>(num_in_files),
                                         given.end());
  command.read_given(on_line);
  const std::vector<ParamInfo> infos = target.infos();
  for (const ParamInfo& info : infos) {
    if (!info.style.required || std::ranges::find(given, info.name) != given.end()) continue;
    fail(ErrorKind::kUsage, "{}{} is required: {}", info.style.positional ? "" : "--",
         flag_name(info.name), info.doc);
  }
  refuse_unused(command.uses(), "", infos, on_line);
  check_files(infos, command, extras.config);
  check_reading(infos, on_line);
}

// The subcommand for "data stats" below `root`, made where it is missing.
CLI::App& subcommand(CLI::App& root, const std::string& name) {
  CLI::App* app = &root;
  std::istringstream words(name);
  for (std::string word; words >> word;) {
    const auto known = app->get_subcommands([&](CLI::App* a) { return a->get_name() == word; });
    if (known.empty()) app->require_subcommand(0, 1);
    app = known.empty() ? app->add_subcommand(word) : known.front();
  }
  return *app;
}

// "glassrank data stats".
std::string full_name(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* up = app.get_parent(); up != nullptr; up = up->get_parent()) {
    name = fmt::format("{} {}", up->get_name(), name);
  }
  return name;
}

// CLI11 names only the innermost command in its usage line.
std::string help_text(const CLI::App& app) {
  std::string text = app.help();
  const std::string wanted = "Usage: " + app.get_name();
  const std::size_t at = text.find(wanted);
  if (at != std::string::npos) text.replace(at, wanted.size(), "Usage: " + full_name(app));
  return text;
}

// A word that should have named a command but does not.
[[noreturn]] void fail_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(child->get_name());
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("command", word, known));
}

// Whether its options are shown under headings, the advanced ones with --help-all only.
bool has_sections(Command& command) { return !command.selector().empty(); }

// The command that the words begin with; null where they begin with none.
Command* named_command(const std::vector<std::string>& words, const CommandList& commands) {
  for (const auto& command : commands) {
    std::istringstream parts(command->name());
    std::size_t at = 0;
    bool is_it = true;
    for (std::string part; parts >> part; ++at) {
      is_it = is_it && at < words.size() && words[at] == part;
    }
    if (is_it) return command.get();
  }
  return nullptr;
}

// The value of a parameter in the words or in the config file they name; empty: none.
std::string given_value(const std::string& name, const std::vector<std::string>& words) {
  std::string config;
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto option = [&](const std::string& flag) -> const char* {
      if (words[i].starts_with(flag + "=")) return words[i].c_str() + flag.size() + 1;
      return words[i] == flag && i + 1 < words.size() ? words[i + 1].c_str() : nullptr;
    };
    if (const char* text = option("--" + name)) value = text;
    if (const char* text = option("--config")) config = text;
    if (const char* text = option("--set")) {
      const std::string assignment = text;
      if (assignment.starts_with(name + "=")) value = assignment.substr(name.size() + 1);
    }
  }
  if (!value.empty() || config.empty()) return value;
  for (const ParamAssignment& assignment : read_toml(config)) {
    if (assignment.name == name) value = fmt::format("{}", fmt::join(assignment.values, ","));
  }
  return value;
}

// The value of the command's selector; empty: its default.
std::string selected_value(const Command& command, const std::vector<std::string>& words) {
  if (command.selector().empty()) return "";
  const std::string value = given_value(command.selector(), words);
  const auto [other, selection] = command.selection_with();
  if (!value.empty() || other.empty() || given_value(other, words).empty()) return value;
  return selection;
}

[[noreturn]] void fail_unknown_argument(const CLI::App& app, const std::string& argument,
                                        Command& command, const std::vector<ParamInfo>& infos) {
  if (!argument.starts_with("--")) {
    if (const std::string hint = dash_hint(argument.substr(0, argument.find('='))); !hint.empty()) {
      fail(ErrorKind::kUsage, "{}; see {} --help", hint, full_name(app));
    }
    fail(ErrorKind::kUsage, "'{}' is not expected here; see {} --help", argument, full_name(app));
  }
  fail_unknown_option(argument.substr(2, argument.find('=') - 2), full_name(app), command, infos);
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

void GlobalOptions::visit(ParamVisitor& visitor) {
  visitor.field("threads", threads, "worker threads; 0 is one per core; never changes a result",
                Range{.low = 0, .high = 1024});
  visitor.field("seed", seed, "seed of everything random");
  visitor.field("quiet", quiet, "no progress and no notices; warnings are shown all the same");
  visitor.field("json", json, "print results as one JSON document");
  visitor.field("memory", memory,
                "memory that the program may use, as 800M or 4G; empty for no limit",
                ParamStyle{.value_name = "SIZE"});
  visitor.field("scratch", scratch,
                "folder for bins and rows that take more than a quarter of --memory; empty for the "
                "system's temporary folder",
                ParamStyle{.value_name = "FOLDER"});
  visitor.field("max_unpacked", max_unpacked,
                "maximum size that a .gz or .zst file may unpack to, as 4G; empty is 1G, or 100 "
                "times the file if that is more",
                ParamStyle{.value_name = "SIZE"});
}

std::vector<ParamInfo> all_options(Command& command) {
  GlobalOptions global;
  return Target(command, global).infos();
}

ParsedArguments parse_arguments(int argc, const char* const* argv, const CommandList& commands) {
  ParsedArguments parsed;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool shows_all = std::erase(words, "--help-all") > 0;
  if (shows_all) words.emplace_back("--help");
  // "help train" is "train --help".
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  Command* const named = named_command(words, commands);
  if (named != nullptr) {
    const std::string selected = selected_value(*named, words);
    if (!selected.empty()) named->select(selected);
    Target target(*named, parsed.global);
    target.names().translate(words);
    parsed.notices = target.names().notices();
  }
  CLI::App root("Learning to rank that can be trusted: data, training, evaluation, explanation.",
                "glassrank");
  root.set_version_flag("--version,-V", std::string("glassrank ") + kVersion);
  root.require_subcommand(0, 1);
  root.get_formatter()->column_width(34);

  struct Entry {
    Command* command;
    CLI::App* app;
    Values values;
    Extras extras;
  };
  std::vector<std::unique_ptr<Entry>> entries;
  for (const auto& command : commands) {
    CLI::App& app = subcommand(root, command->name());
    app.description(command->summary());
    app.allow_extras();
    auto& entry = *entries.emplace_back(std::make_unique<Entry>(command.get(), &app));
    // The options of all commands take longer to declare than many a command to run.
    if (command.get() != named) continue;
    for (const ParamInfo& info : Target(*command, parsed.global).infos()) {
      add_option(app, info, entry.values);
    }
    app.add_option("--config", entry.extras.config, "TOML file with parameters")->type_name("FILE");
    app.add_option("--set", entry.extras.set, "key=value: sets any parameter, nested ones too")
        ->type_name("KEY=VALUE")
        ->expected(1, -1)
        ->allow_extra_args(false);
    std::string footer;
    for (const std::string& example : command->examples()) footer += "\n  " + example;
    if (!footer.empty()) app.footer("Examples:" + footer);
  }
  root.allow_extras();
  for (CLI::App* group : root.get_subcommands([](const CLI::App*) { return true; })) {
    if (group->get_description().empty()) {
      group->description(group->get_name() == "data" ? "Commands on data files"
                                                     : "Analyses of the papers");
      group->allow_extras();
    }
  }

  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    root.parse(std::move(words));
  } catch (const CLI::CallForVersion& version) {
    parsed.text = std::string("glassrank ") + kVersion + "\n";
    return parsed;
  } catch (const CLI::Success&) {
    const CLI::App* app = &root;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
    parsed.text = help_text(*app);
    if (named != nullptr && has_sections(*named)) {
      const std::vector<ParamInfo> infos = Target(*named, parsed.global).infos();
      parsed.text = to_text({.command = full_name(*app),
                             .summary = named->summary(),
                             .examples = named->examples(),
                             .infos = infos,
                             .shows_all = shows_all});
    }
    return parsed;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, error.what());
  }

  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) {
    const std::vector<std::string> before = app->remaining();
    app = app->get_subcommands().front();
    if (before.empty()) continue;
    fail(ErrorKind::kUsage, "'{}' stands before the command; options follow it: {} {} ...",
         before.front(), full_name(*app), before.front());
  }
  const std::vector<std::string> extra = app->remaining();
  for (const auto& entry : entries) {
    if (entry->app != app) continue;
    Target target(*entry->command, parsed.global);
    if (!extra.empty()) fail_unknown_argument(*app, extra.front(), *entry->command, target.infos());
    apply(target, *entry->command, entry->extras, entry->values);
    const auto& notices = target.names().notices();
    parsed.notices.insert(parsed.notices.end(), notices.begin(), notices.end());
    parsed.command = entry->command;
    return parsed;
  }
  if (!extra.empty()) fail_unknown_command(*app, extra.front());
  parsed.text = help_text(*app);
  return parsed;
}

}  // namespace glassrank::cli
