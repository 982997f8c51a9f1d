#pragma once
// The names an option answers to beyond its own: with underscores for dashes, with or without
// "read." before what concerns reading, its name in earlier versions, and what LightGBM, XGBoost
// and scikit-learn call it (methods/lambdamart/peer_names.h), of which a notice tells.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "glassrank/base/params.h"

namespace glassrank::cli {

class OptionNames {
 public:
  // `infos`: every option of the command as it is selected.
  OptionNames(Command& command, const std::vector<ParamInfo>& infos);

  // Writes the words of a command line under the names the command declares.
  void translate(std::vector<std::string>& words);
  // The same for assignments of config files and --set.
  std::vector<ParamAssignment> translate(ParamAssignment assignment);

  const std::vector<std::string>& notices() const { return notices_; }

 private:
  struct Resolved {
    std::string name;
    bool zero_if_negative = false;
    std::string also;
    std::string also_value;
  };
  // nullopt: by none of the names; "per_query" stays itself.
  std::optional<Resolved> resolve(const std::string& name);
  std::optional<Resolved> of_a_peer(const std::string& name);
  bool is_flag(const std::string& name) const;
  // Notes that the option was written as `word`; Error{kUsage} if another name gave it before.
  void note_spelling(const std::string& name, const std::string& word);

  struct Known {
    bool is_flag = false;
    bool is_list = false;
    std::string shown;  // what notices call it
  };
  Command& command_;
  std::map<std::string, Known> known_;            // own names and aliases
  std::map<std::string, std::string> spellings_;  // of the words of the command line
  std::vector<std::string> notices_;
};

// Throws Error{kUsage}: an option that is none of the command `full_name`, with guesses, or with
// whose it is.
[[noreturn]] void fail_unknown_option(const std::string& name, const std::string& full_name,
                                      Command& command, const std::vector<ParamInfo>& infos);

// "lambdamart or ilmart": the selections that have the parameter or option; empty: none has.
std::string selections_with(Command& command, const std::string& name);

}  // namespace glassrank::cli
