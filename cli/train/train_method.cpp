#include "cli/train/train_method.h"

#include <array>

namespace glassrank {

std::span<const std::pair<std::string_view, TrainMethod>> EnumNames<TrainMethod>::table() {
  static constexpr std::array<std::pair<std::string_view, TrainMethod>, 4> kNames = {
      {{"lambdamart", TrainMethod::kLambdamart},
       {"ilmart", TrainMethod::kIlmart},
       {"ebm", TrainMethod::kEbm},
       {"rankgam", TrainMethod::kRankgam}}};
  return kNames;
}

namespace cli {

std::span<const TrainMethodInfo> train_method_table() {
  static constexpr std::array<TrainMethodInfo, 4> kMethods = {{
      {"lambdamart", TrainMethod::kLambdamart, "boosted trees on ranking gradients"},
      {"ilmart", TrainMethod::kIlmart,
       "a glass box: LambdaMART of one feature a tree, then of a few chosen pairs"},
      {"ebm", TrainMethod::kEbm,
       "a glass box: bags of curves boosted in turn, and surfaces chosen by FAST (ebm.*)"},
      {"rankgam", TrainMethod::kRankgam,
       "a glass box: a small network a feature, trained for NDCG (rankgam.*)"},
  }};
  return kMethods;
}

}  // namespace cli
}  // namespace glassrank
