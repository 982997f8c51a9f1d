// RankBoost as a Method.

#include <cmath>

#include "glassrank/base/counted.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/require_numbers.h"

namespace glassrank {
namespace {

class RankboostMethod final : public Method {
 public:
  explicit RankboostMethod(RankboostParams params) : params_(std::move(params)) {}

  std::string name() const override { return "rankboost"; }
  MethodTraits traits() const override {
    return {.can_be_bagged = true,
            .is_additive = true,
            .needs_values = true,
            .needs_numbers = true,
            .calls_back = true};
  }
  std::unique_ptr<Method> clone() const override {
    return std::make_unique<RankboostMethod>(*this);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.watch; }
  BinParams bin_params() const override { return {}; }

  void check(const TrainSetting& /*setting*/) const override { stop_metric(params_.watch); }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    require_numbers(task.data.table().schema, "rankboost");
    const RankboostResult result = train_rankboost(
        task.data.values(context), task.data.valid(), params_, context,
        {.name = task.name, .log_every = task.log_every, .checkpoints = task.checkpoints});
    TrainResult trained;
    trained.model.body = result.gam;
    trained.best_metric = result.best_metric;
    trained.is_interrupted = result.is_interrupted;
    trained.may_go_on = result.rounds.size() == rounds().most;
    trained.length = {{"rounds", result.best_round}};
    trained.curve = {.names = result.curve_names, .rounds = result.curve};
    TrainReport& report = trained.report;
    report.num_curves = result.gam.effects().size();
    report.num_rounds = result.rounds.size();
    report.best_round = result.best_round;
    report.is_round_chosen = task.data.valid() != nullptr;
    report.stop_metric = stopping_name(params_.watch);
    report.outcome = counted(result.rounds.size(), "round");
    report.kept = counted(result.best_round, "round");
    const std::vector<double>* best =
        result.best_round == 0 ? nullptr : &result.curve[result.best_round - 1];
    for (std::size_t m = 0; best != nullptr && m < result.curve_names.size(); ++m) {
      const std::string& name = result.curve_names[m];
      const std::size_t blank = name.find(' ');
      (name.starts_with("train") ? report.train : report.valid)
          .emplace_back(name.substr(blank + 1), (*best)[m]);
    }
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.num_rounds),
            .stops_early = params_.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.num_rounds = static_cast<int>(std::ceil(share * params_.num_rounds));
  }
  void fix_length(const TrainingLength& length) override {
    params_.num_rounds = std::max(1, static_cast<int>(length.front().second));
  }

 private:
  RankboostParams params_;
};

}  // namespace

std::unique_ptr<Method> make_rankboost(RankboostParams params) {
  return std::make_unique<RankboostMethod>(std::move(params));
}

}  // namespace glassrank
