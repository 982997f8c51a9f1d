// LambdaMART as a Method, and MART: the same trees on another gradient.

#include <cmath>

#include <fmt/format.h>

#include "glassrank/methods/lambdamart/boosted_runs.h"
#include "glassrank/methods/lambdamart/staged_training.h"
#include "glassrank/methods/registry.h"

namespace glassrank {
namespace {

class LambdamartMethod final : public Method {
 public:
  explicit LambdamartMethod(LambdamartParams params) : params_(std::move(params)) {}
  // Named otherwise, it has this one objective.
  LambdamartMethod(std::string name, const std::string& objective, LambdamartParams params)
      : params_(std::move(params)), name_(std::move(name)), chooses_objective_(false) {
    params_.objective.objective = objective;
  }

  std::string name() const override { return name_; }
  MethodTraits traits() const override {
    return {.shows_rounds = true,
            .has_stages = true,
            .warm_starts = true,
            .can_be_bagged = true,
            .calls_back = true,
            .alone_because = {}};
  }
  std::unique_ptr<Method> clone() const override {
    return std::make_unique<LambdamartMethod>(*this);
  }
  void visit(ParamVisitor& visitor) override {
    chooses_objective_ ? params_.visit(visitor) : params_.visit_without_objective(visitor);
  }
  WatchParams& watch() override { return params_.watch; }
  ObjectiveParams* objective() override {
    return chooses_objective_ ? &params_.objective : nullptr;
  }
  BinParams bin_params() const override { return params_.bins; }

  void settle(const TrainSetting& setting) override { settle_rounds(params_, setting.has_valid); }
  void check(const TrainSetting& setting) const override { check_boosted(params_, setting); }

  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.bins(params_.bins, task.start, context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    check_params(params_);
    const LambdamartData data = boosted_data(task, params_, context);
    const LambdamartRun run = phase_run(task, {});
    say_what_stops(params_, task, context);
    const LambdamartResult result = train_in_stages(data, task.stages, params_, run, context);
    if (result.end == BoostingEnd::kInterrupted && result.num_rounds == 0)
      context.check_stop_anywhere();
    if (result.end == BoostingEnd::kNoSplitLeft) warn_without_splits(result, context);
    warn_of_few_rows(result, params_, task, context);
    return boosted_result(result, params_, task);
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.boosting.num_trees),
            .stops_early = params_.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.boosting.num_trees = static_cast<int>(std::ceil(share * params_.boosting.num_trees));
  }
  void fix_length(const TrainingLength& length) override {
    params_.boosting.num_trees = static_cast<int>(length.front().second);
  }

  BoostingResult train_base(const TrainTask& task, const BaseTask& base,
                            const Context& context) const override {
    return glassrank::train_base(boosted_data(task, params_, context), params_,
                                 phase_run(task, kBasePhase), base, context);
  }

 private:
  LambdamartParams params_;
  std::string name_ = "lambdamart";
  bool chooses_objective_ = true;
};

}  // namespace

std::unique_ptr<Method> make_lambdamart(LambdamartParams params) {
  return std::make_unique<LambdamartMethod>(std::move(params));
}

std::unique_ptr<Method> make_mart(LambdamartParams params) {
  return std::make_unique<LambdamartMethod>("mart", "squared_error", std::move(params));
}

}  // namespace glassrank
