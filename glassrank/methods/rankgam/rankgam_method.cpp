// RankGAM as a Method.

#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/counted.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/require_numbers.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

class RankgamMethod final : public Method {
 public:
  explicit RankgamMethod(RankgamParams params) : params_(std::move(params)) {}

  std::string name() const override { return "rankgam"; }
  MethodTraits traits() const override {
    return {.is_additive = true,
            .needs_values = true,
            .needs_numbers = true,
            .holds_out = true,
            .calls_back = true};
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<RankgamMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.watch; }
  BinParams bin_params() const override { return {}; }

  void check(const TrainSetting& /*setting*/) const override { stop_metric(params_.watch); }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    require_numbers(task.data.table().schema, "rankgam");
    const RankgamResult result =
        train_rankgam(task.data.values(context), task.data.valid(), params_, context,
                      {.log_every = task.log_every, .checkpoints = task.checkpoints});
    const std::string set = task.data.valid() == nullptr ? "held-out" : "valid";
    TrainResult trained;
    trained.model.body = result.gam;
    trained.is_interrupted = result.is_interrupted;
    trained.may_go_on = result.epochs.size() == rounds().most;
    trained.curve.names = {"loss", stopping_name(params_.watch, set)};
    for (const RankgamEpoch& epoch : result.epochs) {
      trained.curve.rounds.push_back({epoch.loss, epoch.metric});
    }
    TrainReport& report = trained.report;
    report.stop_metric = stopping_name(params_.watch, set);
    report.num_curves = result.gam.effects().size();
    report.towers = TowersReport{.num_epochs = result.epochs.size(),
                                 .best_epoch = result.best_epoch,
                                 .value = result.best_metric,
                                 .tables_value = result.table_metric};
    report.outcome = "stopped after " + counted(result.epochs.size(), "epoch");
    report.kept = fmt::format("epoch {}", result.best_epoch);
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.max_epochs),
            .stops_early = params_.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.max_epochs = static_cast<int>(std::ceil(share * params_.max_epochs));
  }
  // Without validation data it holds out queries of its own and stops on them.
  void fix_length(const TrainingLength& /*length*/) override {}

 private:
  RankgamParams params_;
};

}  // namespace

std::unique_ptr<Method> make_rankgam(RankgamParams params) {
  return std::make_unique<RankgamMethod>(std::move(params));
}

}  // namespace glassrank
