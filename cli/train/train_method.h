#pragma once
// What `glassrank train --method` knows.
//
// To add one: 1. its name here and in train_method.cpp, with a line for `glassrank list methods`;
// 2. its parameters in TrainOptions, as a group of its own; 3. what it does not go with in
// check_method (train_options.cpp); 4. how it is run in TrainCommand::run (train.cpp).

#include <span>
#include <string_view>
#include <utility>

#include "glassrank/base/params.h"

namespace glassrank {

enum class TrainMethod { kLambdamart, kIlmart, kEbm, kRankgam };
template <>
struct EnumNames<TrainMethod> {
  static std::span<const std::pair<std::string_view, TrainMethod>> table();
};

namespace cli {

struct TrainMethodInfo {
  std::string_view name;
  TrainMethod method;
  std::string_view doc;
};
std::span<const TrainMethodInfo> train_method_table();

}  // namespace cli
}  // namespace glassrank
