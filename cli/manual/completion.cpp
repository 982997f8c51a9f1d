// glassrank completion: what a shell needs to complete commands, options and their values.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cli/manual/command_options.h"
#include "cli/option_text.h"
#include "cli/registry.h"

namespace glassrank {
namespace {

enum class Shell { kBash, kZsh, kFish };

}  // namespace

template <>
struct EnumNames<Shell> {
  static std::span<const std::pair<std::string_view, Shell>> table() {
    static constexpr std::array<std::pair<std::string_view, Shell>, 3> kTable{{
        {"bash", Shell::kBash},
        {"zsh", Shell::kZsh},
        {"fish", Shell::kFish},
    }};
    return kTable;
  }
};

namespace cli {
namespace {

struct Completed {
  std::vector<std::string> words;  // "data", "stats"
  std::string summary;
  std::vector<ParamInfo> options;

  std::string name() const { return fmt::format("{}", fmt::join(words, " ")); }
};

std::vector<Completed> completed_commands() {
  std::vector<Completed> all;
  for (const auto& command : all_commands()) {
    Completed each{.words = {}, .summary = command->summary(), .options = every_option(*command)};
    std::istringstream words(command->name());
    for (std::string word; words >> word;) each.words.push_back(word);
    all.push_back(std::move(each));
  }
  return all;
}

// Flags with dashes; positional names are no words to complete.
std::vector<std::string> dashed(const ParamInfo& info) {
  std::vector<std::string> flags = flags_of(info);
  std::erase_if(flags, [](const std::string& flag) { return !flag.starts_with('-'); });
  return flags;
}

bool takes_file(const ParamInfo& info) { return info.style.file != FileUse::kNone; }

// The words that may follow "glassrank" or "glassrank data".
std::map<std::string, std::vector<std::string>> next_words(const std::vector<Completed>& commands) {
  std::map<std::string, std::vector<std::string>> words;
  for (const Completed& command : commands) {
    std::string before;
    for (const std::string& word : command.words) {
      std::vector<std::string>& known = words[before];
      if (std::ranges::find(known, word) == known.end()) known.push_back(word);
      before += before.empty() ? word : " " + word;
    }
  }
  words[""].emplace_back("help");
  return words;
}

std::string bash_text(const std::vector<Completed>& commands) {
  std::string text =
      "# bash completion for glassrank, made by: glassrank completion bash\n"
      "_glassrank() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case ${COMP_WORDS[i]} in\n"
      "      -*) break ;;\n"
      "      help) ;;\n"
      "      *) command=${command:+$command }${COMP_WORDS[i]} ;;\n"
      "    esac\n"
      "    case $command in data|study) ;; ?*) break ;; esac\n"
      "  done\n"
      "  case \"$command $prev\" in\n";
  for (const Completed& command : commands) {
    for (const ParamInfo& info : command.options) {
      if (info.is_flag || info.choices.empty()) continue;
      for (const std::string& flag : dashed(info)) {
        text += fmt::format("    '{} {}') COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n",
                            command.name(), flag, fmt::join(info.choices, " "));
      }
    }
  }
  text += "  esac\n  if [[ $cur == -* ]]; then\n    case $command in\n";
  for (const Completed& command : commands) {
    std::string flags;
    for (const ParamInfo& info : command.options) {
      for (const std::string& flag : dashed(info)) flags += flag + " ";
    }
    text += fmt::format(
        "      '{}') COMPREPLY=($(compgen -W '{}--config --set --help --help-all' -- \"$cur\")) "
        ";;\n",
        command.name(), flags);
  }
  text +=
      "      '') COMPREPLY=($(compgen -W '--help --version' -- \"$cur\")) ;;\n    esac\n    "
      "return\n  fi\n  case $command in\n";
  for (const auto& [before, words] : next_words(commands)) {
    text += fmt::format("    '{}') COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return ;;\n", before,
                        fmt::join(words, " "));
  }
  return text +
         "  esac\n  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
         "complete -o filenames -F _glassrank glassrank\n";
}

std::string replaced(std::string_view text, const std::map<char, std::string>& replacements) {
  std::string result;
  for (const char c : text) {
    const auto found = replacements.find(c);
    result += found == replacements.end() ? std::string(1, c) : found->second;
  }
  return result;
}

// Within '...' and the [...] of an option.
std::string zsh_words(std::string_view text) {
  return replaced(text, {{'\'', "'\\''"}, {'[', "\\["}, {']', "\\]"}, {':', "\\:"}});
}

std::string zsh_option(const ParamInfo& info, const std::string& flag) {
  std::string text = fmt::format("'*{}[{}]", flag, zsh_words(info.doc));
  if (info.is_flag) return text + "'";
  text += fmt::format(":{}:", zsh_words(value_name(info)));
  if (!info.choices.empty()) {
    text += fmt::format("({})", fmt::join(info.choices, " "));
  } else if (takes_file(info)) {
    text += "_files";
  } else {
    text += " ";
  }
  return text + "'";
}

std::string zsh_text(const std::vector<Completed>& commands) {
  std::string text =
      "#compdef glassrank\n# zsh completion for glassrank, made by: glassrank completion zsh\n"
      "local command= word\n"
      "for word in ${words[2,CURRENT-1]}; do\n"
      "  [[ $word == -* ]] && break\n"
      "  [[ $word == help ]] && continue\n"
      "  command=${command:+$command }$word\n"
      "  [[ $command == (data|study) ]] || break\n"
      "done\n"
      "case $command in\n";
  for (const Completed& command : commands) {
    text += fmt::format("  '{}')\n    _arguments \\\n", command.name());
    for (const ParamInfo& info : command.options) {
      for (const std::string& flag : dashed(info)) {
        text += fmt::format("      {} \\\n", zsh_option(info, flag));
      }
    }
    text += "      '*:file:_files' ;;\n";
  }
  for (const auto& [before, words] : next_words(commands)) {
    text += fmt::format("  '{}') compadd -- {} ;;\n", before, fmt::join(words, " "));
  }
  return text + "esac\n";
}

std::string fish_words(std::string_view text) {
  return replaced(text, {{'\'', "\\'"}, {'\\', "\\\\"}});
}

std::string fish_option(const ParamInfo& info, const std::string& flag) {
  const bool is_short = !flag.starts_with("--");
  std::string text = fmt::format(" -{} {} -d '{}'", is_short ? "s" : "l",
                                 flag.substr(is_short ? 1 : 2), fish_words(info.doc));
  if (info.is_flag) return text;
  if (!info.choices.empty()) return text + fmt::format(" -x -a '{}'", fmt::join(info.choices, " "));
  return text + (takes_file(info) ? " -r -F" : " -x");
}

std::string fish_text(const std::vector<Completed>& commands) {
  std::string text = "# fish completion for glassrank, made by: glassrank completion fish\n";
  const std::map<std::string, std::vector<std::string>> next = next_words(commands);
  const std::string firsts = fmt::format("{}", fmt::join(next.at(""), " "));
  for (const Completed& command : commands) {
    std::string seen;
    for (const std::string& word : command.words) {
      seen += fmt::format("{}__fish_seen_subcommand_from {}", seen.empty() ? "" : "; and ", word);
    }
    const std::string before =
        command.words.size() == 1
            ? fmt::format("not __fish_seen_subcommand_from {}", firsts)
            : fmt::format("__fish_seen_subcommand_from {}", command.words.front());
    text += fmt::format("complete -c glassrank -n '{}' -f -a '{}' -d '{}'\n", before,
                        command.words.back(), fish_words(command.summary));
    for (const ParamInfo& info : command.options) {
      for (const std::string& flag : dashed(info)) {
        text += fmt::format("complete -c glassrank -n '{}'{}\n", seen, fish_option(info, flag));
      }
    }
  }
  for (const auto& [before, words] : next) {
    if (before.empty()) continue;
    text +=
        fmt::format("complete -c glassrank -n 'not __fish_seen_subcommand_from {}' -f -a '{}'\n",
                    firsts, before);
  }
  return text;
}

class CompletionCommand final : public Command {
 public:
  std::string name() const override { return "completion"; }
  std::string summary() const override {
    return "Print what bash, zsh or fish needs to complete commands and options";
  }
  std::vector<std::string> examples() const override {
    return {"source <(glassrank completion bash)",
            "glassrank completion fish > ~/.config/fish/completions/glassrank.fish"};
  }
  void visit(ParamVisitor& visitor) override {
    visitor.field("shell", shell_, "whose", {.required = true, .positional = true});
  }
  void run(const Context& /*context*/, Output& output) override {
    const std::vector<Completed> commands = completed_commands();
    switch (shell_) {
      case Shell::kBash:
        output.out << bash_text(commands);
        return;
      case Shell::kZsh:
        output.out << zsh_text(commands);
        return;
      case Shell::kFish:
        output.out << fish_text(commands);
        return;
    }
  }

 private:
  Shell shell_ = Shell::kBash;
};

}  // namespace

std::unique_ptr<Command> make_completion_command() { return std::make_unique<CompletionCommand>(); }

}  // namespace cli
}  // namespace glassrank
