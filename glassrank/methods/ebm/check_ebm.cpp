#include "glassrank/methods/ebm/check_ebm.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "glassrank/base/params.h"
#include "glassrank/data/shard.h"
#include "glassrank/methods/training/same_features.h"

namespace glassrank {

void check_ebm_input(const Dataset& train, const Dataset* valid, const EbmParams& params,
                     const Context& context) {
  check_params(params);
  const Shard all = shard_of(train.queries(), *context.communicator);
  if (all.num_rows == 0) fail(ErrorKind::kInput, "the training data has no rows");
  if (train.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
  if (valid != nullptr) check_same_features(train.feature_names(), valid->feature_names());
  if (params.bagging.stop_on == StopOn::kValid &&
      !any_machine(*context.communicator, valid != nullptr && valid->num_rows() > 0)) {
    fail(ErrorKind::kUsage, "stop_on valid needs validation data");
  }
  const bool by_query = params.split == BagSplit::kQuery;
  if (params.bagging.valid_share > 0 && (by_query ? all.num_queries : all.num_rows) < 2) {
    fail(ErrorKind::kInput,
         "the training data has 1 {}; a bag needs two, one of them to hold out (or valid_share 0)",
         by_query ? "query" : "row");
  }
}

std::string stage_warning(const CyclicResult& result, std::string_view name, std::size_t num_judges,
                          double learning_rate) {
  const auto is_finite = [](const std::vector<double>& table) {
    return std::ranges::all_of(table, [](double value) { return std::isfinite(value); });
  };
  const bool has_loss = !std::isnan(result.start_loss);
  if (!std::ranges::all_of(result.tables, is_finite) || (result.has_diverged && !has_loss)) {
    fail(ErrorKind::kUsage,
         "{} grew beyond all numbers in {} rounds; learning_rate {} is too large", name,
         result.num_rounds, learning_rate);
  }
  if (result.has_diverged) {
    return fmt::format(
        "{} grew beyond all numbers in round {}; the best before stay. learning_rate {} is too "
        "large",
        name, result.num_rounds, learning_rate);
  }
  if (num_judges > 0 && !has_loss) {
    return fmt::format(
        "{}: the rows that should stop them have no loss, as when all of them weigh nothing; all "
        "rounds were done",
        name);
  }
  return "";
}

}  // namespace glassrank
