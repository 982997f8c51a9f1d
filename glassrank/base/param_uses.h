#pragma once
// Parameters that mean something only beside certain values of another one: sample.top belongs to
// sample.method goss, selective and high-low.
//
// Each module and each command lists its own in a table; one function refuses a parameter that a
// user gave and that would be ignored, naming what it belongs to. Only what is given on purpose
// counts: config files may hold the defaults of everything.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank {

// "sample.least_rows" -> "--sample.least-rows".
std::string flag_of(std::string name);
// "goss", "goss or selective", "goss, selective or high-low".
std::string or_list(std::span<const std::string_view> values);

struct ParamUse {
  std::string name;
  std::string needs;  // another parameter,
  // which must have one of these values (a list: hold one of them); none: be given, on or not 0.
  std::vector<std::string_view> values = {};
  bool excludes = false;  // the other way round: it must not
};

// Adds a line for each of the names.
void add_uses(std::vector<ParamUse>& uses, const std::vector<std::string>& names,
              const std::string& needs, const std::vector<std::string_view>& values = {});
// Adds lines of a group: "sample." before their names.
void add_group_uses(std::vector<ParamUse>& uses, const std::string& prefix,
                    std::span<const ParamUse> group);

// "read.format", "read.absent", ... of everything that is declared.
template <Parameters P>
std::vector<std::string> param_names(const P& params, std::string_view prefix = "") {
  std::vector<std::string> names;
  for (const ParamInfo& info : list_params(params)) {
    names.push_back(std::string(prefix) + info.name);
  }
  return names;
}

// Throws Error{kUsage} for the first given name that a line of the table says is not used; `infos`
// are all parameters with their values. Names of the table get `prefix` first ("sample."). Lines
// about parameters that are not there count for nothing.
void refuse_unused(std::span<const ParamUse> uses, std::string_view prefix,
                   std::span<const ParamInfo> infos, std::span<const std::string> given);

}  // namespace glassrank
