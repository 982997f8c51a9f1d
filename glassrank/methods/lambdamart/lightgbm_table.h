#pragma once
// LightGBM 4's parameters and what becomes of each here: the table behind lightgbm_config.h.
//
// To add one: a line in kRows with its name, aliases, rule and our name. A name that is not in the
// table is refused; tests/compat/test_lightgbm_config.py asks LightGBM itself for all of them.

#include <span>
#include <string_view>

namespace glassrank {

enum class LightgbmRule {
  kSame,            // ours has the same meaning and values
  kFlag,            // the same, as true or false
  kZeroIfNegative,  // the same, but "none" is 0 here
  kTogether,        // means something only with others: see lightgbm_config.cpp
  kNoEffect,        // cannot change a model
  kOfRefused,       // means something only beside what is refused: dart, linear trees, huber, ...
  kCannot,          // changes the model, and nothing like it is here; refused unless `harmless`
  kOther,           // another way to the same kind of model: noted unless the value is `harmless`
};

struct LightgbmRow {
  std::string_view name;
  std::string_view aliases;  // separated by blanks
  LightgbmRule rule;
  std::string_view ours = {};
  std::string_view harmless = {};
};

std::span<const LightgbmRow> lightgbm_rows();

// By name or alias; null when unknown.
const LightgbmRow* find_lightgbm_row(std::string_view name);
// By name; it must exist.
const LightgbmRow& lightgbm_row(std::string_view name);

// Our name of one of LightGBM's metrics; empty when there is none.
std::string_view lightgbm_metric(std::string_view name);

}  // namespace glassrank
