#include "cli/arguments.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/file_check.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/base/version.h"

namespace glassrank::cli {
namespace {

using Values = std::vector<std::pair<std::string, std::vector<std::string>>>;

// "a,b(c,d),[e,f]" -> "a", "b(c,d)", "[e,f]": commas inside brackets belong to the item.
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

std::vector<std::string> split_lists(const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  for (const std::string& text : texts) {
    for (std::string& item : split_list(text)) items.push_back(std::move(item));
  }
  return items;
}

std::string flag_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string option_help(const ParamInfo& info) {
  std::string text = info.doc;
  const std::string range = range_text(info.range);
  if (!info.choices.empty() && !info.is_flag) {
    text += fmt::format(" [{}]", fmt::join(info.choices, "|"));
  } else if (!range.empty()) {
    text += fmt::format(" [{}]", range);
  }
  if (info.style.required) {
    text += " (required)";
  } else if (!info.value.empty() && info.value != "false") {
    text += fmt::format(" (default {})", info.value);
  }
  return text;
}

std::string value_name(const ParamInfo& info) {
  if (!info.style.value_name.empty()) return std::string(info.style.value_name);
  if (info.style.file != FileUse::kNone) return "FILE";
  if (info.type == "int") return "INT";
  if (info.type == "float" || info.type == "list of float") return "NUMBER";
  return "TEXT";
}

// "Model:" as a heading of --help. Advanced options are for --help-all.
std::string heading(const ParamInfo& info, bool shows_all) {
  if (info.section == "advanced" && !shows_all) return "";  // hidden
  if (info.section.empty() || info.section == "general") return "Options";
  std::string text(info.section);
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

// Declares one option that appends to `values`; returns nothing until parsing.
void add_option(CLI::App& app, const ParamInfo& info, Values& values, bool shows_all) {
  std::string flag = info.style.positional ? flag_name(info.name) : "--" + flag_name(info.name);
  if (!info.style.alias.empty()) flag += fmt::format(",--{}", info.style.alias);
  const auto store = [name = info.name, splits = info.is_list && !info.style.one_value,
                      &values](const std::vector<std::string>& texts) {
    values.emplace_back(name, splits ? split_lists(texts) : texts);
    return true;
  };
  if (info.is_flag) {
    // A flag that is on by default needs a way to turn it off.
    app.add_flag_function(
           info.value == "true" ? flag + ",!--no-" + flag_name(info.name) : flag,
           [name = info.name, &values](std::int64_t count) {
             values.emplace_back(name, std::vector<std::string>{count > 0 ? "true" : "false"});
           },
           option_help(info))
        ->group(heading(info, shows_all));
    return;
  }
  CLI::Option* option = app.add_option(flag, store, option_help(info));
  option->type_name(value_name(info));
  option->group(heading(info, shows_all));
  if (info.is_list) {
    option->expected(1, -1)->take_all()->allow_extra_args(info.style.positional);
  } else {
    option->expected(1)->take_last();
  }
}

// "lambdamart or ilmart": the selections that have the parameter or option; empty: none has.
std::string selections_with(Command& command, const std::string& name) {
  std::vector<std::string> found;
  for (const std::string& selection : command.selections()) {
    command.select(selection);
    ParamLister lister;
    command.visit(lister);
    const bool has_it = std::ranges::any_of(lister.infos, [&](const ParamInfo& info) {
      return info.name == name || flag_name(info.name) == name || info.style.alias == name ||
             fmt::format("no-{}", flag_name(info.name)) == name;
    });
    if (has_it) found.push_back(selection);
  }
  return fmt::format("{}", fmt::join(found, " or "));
}

// The parameters a command line and a config file may set: the command's and the global ones.
class Target {
 public:
  Target(Command& command, GlobalOptions& global) : command_(command), global_(global) {}

  void visit(ParamVisitor& visitor) {
    command_.visit(visitor);
    global_.visit(visitor);
  }
  std::vector<ParamInfo> infos() {
    ParamLister lister;
    visit(lister);
    return std::move(lister.infos);
  }
  std::string present_name(const std::string& name) {
    const std::string present = command_.present_name(name);
    return present.empty() ? name : present;
  }
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
};

struct Extras {
  std::string config;
  std::vector<std::string> set;
};

void apply_settings(Target& target, std::vector<ParamAssignment> settings, const std::string& path,
                    std::vector<std::string>& given) {
  for (ParamAssignment& assignment : settings) {
    try {
      assignment.name = target.present_name(assignment.name);
      target.set(assignment.name, std::move(assignment.values));
    } catch (Error& error) {
      error.add_context(assignment.line > 0 ? fmt::format("{}:{}", path, assignment.line) : path);
      throw;
    }
    given.push_back(assignment.name);
  }
}

void apply_set(Target& target, const std::string& text, std::vector<std::string>& given) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(ErrorKind::kUsage, "--set '{}' must be key=value", text);
  }
  const std::string name = target.present_name(text.substr(0, equals));
  const std::string value = text.substr(equals + 1);
  const auto infos = target.infos();
  const auto info = std::ranges::find(infos, name, &ParamInfo::name);
  const bool splits = info != infos.end() && info->is_list && !info->style.one_value;
  target.set(name, splits ? split_list(value) : std::vector<std::string>{value});
  given.push_back(name);
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
  command.read_given({given.begin() + static_cast<std::ptrdiff_t>(num_in_files), given.end()});
  const std::vector<ParamInfo> infos = target.infos();
  for (const ParamInfo& info : infos) {
    if (!info.style.required || std::ranges::find(given, info.name) != given.end()) continue;
    fail(ErrorKind::kUsage, "{}{} is required: {}", info.style.positional ? "" : "--",
         flag_name(info.name), info.doc);
  }
  check_files(infos, command, extras.config);
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

// The value of the command's selector in the words or in the config file they name; empty: none.
std::string selected_value(const Command& command, const std::vector<std::string>& words) {
  const std::string name = command.selector();
  if (name.empty()) return "";
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

// "--ebm.max-rounds" -> "--max-rounds", where the command says so.
void rename_options(Command& command, std::vector<std::string>& words) {
  for (std::string& word : words) {
    if (!word.starts_with("--")) continue;
    const std::size_t end = std::min(word.find('='), word.size());
    const bool is_off = word.starts_with("--no-");
    std::string name = word.substr(is_off ? 5 : 2, end - (is_off ? 5 : 2));
    std::ranges::replace(name, '-', '_');
    const std::string present = command.present_name(name);
    if (present.empty()) continue;
    word = fmt::format("--{}{}{}", is_off ? "no-" : "", flag_name(present), word.substr(end));
  }
}

[[noreturn]] void fail_unknown_argument(const CLI::App& app, const std::string& argument,
                                        Command& command, const std::vector<ParamInfo>& infos) {
  if (!argument.starts_with("--")) {
    fail(ErrorKind::kUsage, "'{}' is not expected here; see {} --help", argument, full_name(app));
  }
  std::vector<std::string> known = {"config", "set", "help"};
  for (const ParamInfo& info : infos) {
    known.push_back(flag_name(info.name));
    if (!info.style.alias.empty()) known.emplace_back(info.style.alias);
  }
  const std::string name = argument.substr(2, argument.find('=') - 2);
  if (const std::string owners = selections_with(command, name); !owners.empty()) {
    fail(ErrorKind::kUsage, "--{} is for --{} {}", name, command.selector(), owners);
  }
  throw Error(ErrorKind::kUsage, unknown_name_message("option", name, known));
}

}  // namespace

void GlobalOptions::visit(ParamVisitor& visitor) {
  visitor.field("threads", threads, "worker threads; 0 is one per core; never changes a result",
                Range{.low = 0, .high = 1024});
  visitor.field("seed", seed, "seed of everything random");
  visitor.field("quiet", quiet, "no progress and no notices; warnings are shown all the same");
  visitor.field("json", json, "print results as one JSON document");
  visitor.field("memory", memory,
                "memory the program may use, as 800M or 4G; more is an error; empty: no limit",
                ParamStyle{.value_name = "SIZE"});
  visitor.field("max_unpacked", max_unpacked,
                "what a .gz or .zst file may unpack to, as 4G; empty: 1G, or 100 times the file "
                "where that is more",
                ParamStyle{.value_name = "SIZE"});
}

ParsedArguments parse_arguments(int argc, const char* const* argv, const CommandList& commands) {
  ParsedArguments parsed;
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool shows_all = std::erase(words, "--help-all") > 0;
  if (shows_all) words.emplace_back("--help");
  if (Command* command = named_command(words, commands)) {
    const std::string selected = selected_value(*command, words);
    if (!selected.empty()) command->select(selected);
    rename_options(*command, words);
  }
  CLI::App root("Learning to rank that can be trusted: data, training, evaluation, explanation.",
                "glassrank");
  root.set_version_flag("--version", std::string("glassrank ") + kVersion);
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
    for (const ParamInfo& info : Target(*command, parsed.global).infos()) {
      add_option(app, info, entry.values, shows_all || !has_sections(*command));
    }
    const std::string general = has_sections(*command) ? "General" : "Options";
    app.get_help_ptr()->group(general);
    if (has_sections(*command)) {
      app.add_flag_function(
             "--help-all", [](std::int64_t) {}, "show every option, the advanced ones too")
          ->group(general);
    }
    app.add_option("--config", entry.extras.config, "TOML file with parameters")
        ->type_name("FILE")
        ->group(general);
    app.add_option("--set", entry.extras.set, "key=value: sets any parameter, nested ones too")
        ->type_name("KEY=VALUE")
        ->group(general)
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
    return parsed;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, error.what());
  }

  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) {
    const std::vector<std::string> before = app->remaining();
    app = app->get_subcommands().front();
    if (before.empty()) continue;
    fail(ErrorKind::kUsage, "'{}' stands before the command; write it behind {}", before.front(),
         full_name(*app));
  }
  const std::vector<std::string> extra = app->remaining();
  for (const auto& entry : entries) {
    if (entry->app != app) continue;
    Target target(*entry->command, parsed.global);
    if (!extra.empty()) fail_unknown_argument(*app, extra.front(), *entry->command, target.infos());
    apply(target, *entry->command, entry->extras, entry->values);
    parsed.command = entry->command;
    return parsed;
  }
  if (!extra.empty()) fail_unknown_command(*app, extra.front());
  parsed.text = help_text(*app);
  return parsed;
}

}  // namespace glassrank::cli
