#include "cli/train_method.h"

#include <array>

namespace glassrank {

std::span<const std::pair<std::string_view, TrainMethod>> EnumNames<TrainMethod>::table() {
  static constexpr std::array<std::pair<std::string_view, TrainMethod>, 2> kNames = {
      {{"lambdamart", TrainMethod::kLambdamart}, {"ilmart", TrainMethod::kIlmart}}};
  return kNames;
}

namespace cli {

std::span<const TrainMethodInfo> train_method_table() {
  static constexpr std::array<TrainMethodInfo, 2> kMethods = {{
      {"lambdamart", TrainMethod::kLambdamart, "boosted trees on ranking gradients"},
      {"ilmart", TrainMethod::kIlmart,
       "a glass box: LambdaMART of one feature a tree, then of a few chosen pairs"},
  }};
  return kMethods;
}

}  // namespace cli
}  // namespace glassrank
