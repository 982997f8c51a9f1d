#include "cli/option_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "cli/option_text.h"
#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"
#include "glassrank/methods/lambdamart/lightgbm_table.h"
#include "glassrank/methods/lambdamart/peer_names.h"

namespace glassrank::cli {
namespace {

constexpr std::string_view kRead = "read.";

std::string with_underscores(std::string text) {
  std::ranges::replace(text, '-', '_');
  return text;
}

// With "read." before it, or without.
std::string toggled(const std::string& name) {
  return name.starts_with(kRead) ? name.substr(kRead.size()) : std::string(kRead) + name;
}

// "--no-norm=x" in parts.
struct Word {
  bool is_off = false;
  std::string name;  // with underscores
  std::string rest;  // "=x" or nothing
};

Word split_word(const std::string& word) {
  const std::size_t end = std::min(word.find('='), word.size());
  const bool is_off = word.starts_with("--no-");
  const std::size_t begin = is_off ? 5 : 2;
  return {.is_off = is_off,
          .name = with_underscores(word.substr(begin, end - begin)),
          .rest = word.substr(end)};
}

bool is_truth(const std::string& text) {
  static constexpr std::array<std::string_view, 4> kTruths = {"true", "false", "1", "0"};
  return std::ranges::find(kTruths, text) != kTruths.end();
}

bool is_negative(std::string_view text) {
  return text.size() > 1 && text[0] == '-' &&
         std::isdigit(static_cast<unsigned char>(text[1])) != 0;
}

// Also what is read from a config and refused there beside some objectives.
bool has_no_counterpart(const LightgbmRow& row) {
  const bool is_lost = row.rule == LightgbmRule::kCannot || row.rule == LightgbmRule::kOfRefused;
  return is_lost ||
         (row.rule == LightgbmRule::kTogether && row.ours.empty() && !row.harmless.empty());
}

// Whether an option of the group of `name` ("sample.method") is among the words.
bool names_group(const std::vector<std::string>& words, const std::string& name) {
  const std::string group = "--" + name.substr(0, name.find('.'));
  return std::ranges::any_of(words, [&](const std::string& word) {
    const std::string flag = word.substr(0, word.find('='));
    return flag == group || flag == "--" + flag_name(name);
  });
}

}  // namespace

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

OptionNames::OptionNames(Command& command, const std::vector<ParamInfo>& infos)
    : command_(command) {
  for (const ParamInfo& info : infos) {
    const std::string alias = with_underscores(std::string(info.style.alias));
    const Known known{.is_flag = info.is_flag,
                      .is_list = info.is_list,
                      .shown = alias.size() > 1 ? alias : info.name};
    known_.emplace(info.name, known);
    if (!alias.empty()) known_.emplace(alias, known);
  }
}

bool OptionNames::is_flag(const std::string& name) const {
  const auto found = known_.find(name);
  return found != known_.end() && found->second.is_flag;
}

std::optional<OptionNames::Resolved> OptionNames::resolve(const std::string& name) {
  if (known_.contains(name)) {
    // A name of LightGBM's too: there "none" is -1.
    const LightgbmRow* row = find_lightgbm_row(name);
    const bool is_theirs = row != nullptr && row->ours == name;
    return Resolved{.name = name,
                    .zero_if_negative = is_theirs && row->rule == LightgbmRule::kZeroIfNegative};
  }
  if (const std::string present = command_.present_name(name); !present.empty()) {
    return Resolved{.name = present};
  }
  if (const std::string other = toggled(name); known_.contains(other)) {
    return Resolved{.name = other};
  }
  return of_a_peer(name);
}

std::optional<OptionNames::Resolved> OptionNames::of_a_peer(const std::string& name) {
  std::optional<PeerName> peer = find_peer_name(name);
  if (peer && !known_.contains(peer->ours)) peer->ours = toggled(peer->ours);
  if (!peer || !known_.contains(peer->ours)) return std::nullopt;
  const std::string also = known_.contains(peer->also) ? peer->also : "";
  notices_.push_back(fmt::format("{} is called {} here", name, known_.at(peer->ours).shown));
  return Resolved{.name = peer->ours,
                  .zero_if_negative = peer->zero_if_negative,
                  .also = also,
                  .also_value = peer->also_value};
}

void OptionNames::note_spelling(const std::string& name, const std::string& word) {
  const auto known = known_.find(name);
  if (known == known_.end() || known->second.is_list) return;
  const auto [before, is_new] = spellings_.emplace(name, word);
  if (is_new || before->second == word) return;
  fail(ErrorKind::kUsage, "--{} and --{} are both --{}; give one of them",
       flag_name(before->second), flag_name(word), flag_name(name));
}

void OptionNames::translate(std::vector<std::string>& words) {
  std::vector<std::string> translated;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      translated.push_back(words[i]);
      continue;
    }
    Word word = split_word(words[i]);
    const std::optional<Resolved> resolved = resolve(word.name);
    if (!resolved) {
      translated.push_back(words[i]);
      continue;
    }
    note_spelling(resolved->name, word.name);
    if (!resolved->also.empty() && !names_group(words, resolved->also)) {
      translated.push_back(fmt::format("--{}={}", resolved->also, resolved->also_value));
      notices_.push_back(
          fmt::format("{} is set to {}, which it needs", resolved->also, resolved->also_value));
    }
    const bool is_renamed = resolved->name != word.name;
    const bool has_next = word.rest.empty() && i + 1 < words.size();
    if (is_renamed && has_next && is_flag(resolved->name) && is_truth(words[i + 1])) {
      word.rest = "=" + words[++i];
    }
    if (resolved->zero_if_negative && word.rest.starts_with('=') &&
        is_negative(word.rest.substr(1))) {
      word.rest = "=0";
    }
    if (resolved->zero_if_negative && has_next && is_negative(words[i + 1])) {
      word.rest = "=0";
      ++i;
    }
    translated.push_back(
        fmt::format("--{}{}{}", word.is_off ? "no-" : "", flag_name(resolved->name), word.rest));
  }
  words = std::move(translated);
}

std::vector<ParamAssignment> OptionNames::translate(ParamAssignment assignment) {
  const std::optional<Resolved> resolved = resolve(assignment.name);
  if (!resolved) return {std::move(assignment)};
  std::vector<ParamAssignment> result;
  if (!resolved->also.empty()) {
    result.push_back(
        {.name = resolved->also, .values = {resolved->also_value}, .line = assignment.line});
  }
  assignment.name = resolved->name;
  if (resolved->zero_if_negative && assignment.values.size() == 1 &&
      is_negative(assignment.values.front())) {
    assignment.values.front() = "0";
  }
  result.push_back(std::move(assignment));
  return result;
}

void fail_unknown_option(const std::string& name, const std::string& full_name, Command& command,
                         const std::vector<ParamInfo>& infos) {
  std::vector<std::string> known = {"config", "set", "help"};
  for (const ParamInfo& info : infos) {
    known.push_back(flag_name(info.name));
    if (info.style.alias.size() > 1) known.emplace_back(info.style.alias);
  }
  if (const std::string owners = selections_with(command, name); !owners.empty()) {
    fail(ErrorKind::kUsage, "--{} is for --{} {}", name, command.selector(), owners);
  }
  const std::string plain = with_underscores(name);
  if (const auto peer = find_peer_name(plain)) {
    if (const std::string owners = selections_with(command, peer->ours); !owners.empty()) {
      fail(ErrorKind::kUsage, "--{} is called --{} here, and is for --{} {}", name,
           flag_name(peer->ours), command.selector(), owners);
    }
  }
  const LightgbmRow* theirs = command.selections().empty() ? nullptr : find_lightgbm_row(plain);
  if (theirs != nullptr && theirs->rule == LightgbmRule::kNoEffect) {
    fail(ErrorKind::kUsage, "--{}: {} of LightGBM changes nothing here; leave it out", name,
         theirs->name);
  }
  if (theirs != nullptr && has_no_counterpart(*theirs)) {
    fail(ErrorKind::kUsage, "--{}: {} of LightGBM has no counterpart here", name, theirs->name);
  }
  throw Error(ErrorKind::kUsage,
              unknown_name_message("option", name, known, fmt::format("see {} --help", full_name)));
}

}  // namespace glassrank::cli
