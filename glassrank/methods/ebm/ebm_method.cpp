// EBM as a Method.

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/registry.h"
#include "glassrank/metrics/metric.h"

namespace glassrank {
namespace {

StageReport report_of(const EbmStage& stage) {
  return {.num_rounds = stage.num_rounds,
          .kept_rounds = stage.kept_rounds,
          .start_loss = known(stage.start_loss),
          .best_loss = known(stage.best_loss)};
}

class EbmMethod final : public Method {
 public:
  explicit EbmMethod(EbmParams params) : params_(std::move(params)) {}

  std::string name() const override { return "ebm"; }
  MethodTraits traits() const override {
    return {.is_additive = true, .needs_values = true, .calls_back = true};
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<EbmMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::vector<ParamUse> uses() const override {
    return {{"pair_bins", "num_interactions"},
            {"gradients_every", "objective", names_beside_least_squares(params_.objective)}};
  }
  WatchParams& watch() override { return params_.watch; }
  ObjectiveParams* objective() override { return &params_.objective; }
  BinParams bin_params() const override { return {}; }

  void check(const TrainSetting& setting) const override {
    stop_metric(params_.watch);
    make_objective(objective_of(params_.objective, params_.watch), 0);
    if (params_.bagging.stop_on == StopOn::kValid && !setting.has_valid) {
      fail(ErrorKind::kUsage, "stop_on valid needs validation data");
    }
  }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    const EbmResult result =
        train_ebm(task.data.values(context), task.data.valid(), params_, context,
                  {.log_every = task.log_every, .checkpoints = task.checkpoints});
    TrainResult trained;
    trained.model.body = result.gam;
    trained.is_interrupted = result.is_interrupted;
    trained.may_go_on = std::ranges::any_of(result.bags, [&](const EbmBag& bag) {
      return std::max(bag.curves.num_rounds, bag.surfaces.num_rounds) == rounds().most;
    });
    describe(result, task, trained.report);
    trained.curve.names = {trained.report.stop_metric};
    for (std::size_t b = 0; b < result.bags.size(); ++b) {
      const std::vector<double>& losses = result.bags[b].losses;
      for (std::size_t r = 0; r < losses.size(); ++r) {
        trained.curve.rounds.push_back({is_squared_error() ? losses[r] : -losses[r]});
        trained.curve.places.push_back({.bag = b + 1, .round = r + 1});
      }
    }
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.max_rounds),
            .stops_early = params_.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.max_rounds = static_cast<int>(std::ceil(share * params_.max_rounds));
  }
  // Without validation data its bags stop on the rows they hold out.
  void fix_length(const TrainingLength& /*length*/) override {
    params_.bagging.stop_on = StopOn::kBag;
  }

 private:
  bool is_squared_error() const { return params_.objective.objective == "squared_error"; }

  void describe(const EbmResult& result, const TrainTask& task, TrainReport& report) const {
    const auto names = task.data.feature_names();
    report.stop_metric =
        fmt::format("{} {}", params_.bagging.stop_on == StopOn::kValid ? "valid" : "held-out",
                    is_squared_error() ? "squared error" : "metric");
    report.num_surfaces = result.pairs.size();
    report.num_curves = result.gam.effects().size() - result.pairs.size();
    for (const EbmBag& bag : result.bags) {
      report.bags.push_back({.num_rows = bag.num_train_rows,
                             .num_held_out_rows = bag.num_held_out_rows,
                             .curves = report_of(bag.curves)});
      if (!result.pairs.empty()) report.bags.back().surfaces = report_of(bag.surfaces);
    }
    for (const RankedFeaturePair& pair : result.pairs) {
      report.pairs.push_back({.features = {names[pair.first], names[pair.second]},
                              .statistic = 1 - pair.statistic});  // the mean rank over bags, from 1
    }
    report.outcome = "every bag ended";
    if (!result.is_interrupted) return;
    const bool is_bare = result.pairs.empty();
    report.outcome = fmt::format("stopped while boosting {}", is_bare ? "curves" : "surfaces");
    report.kept = fmt::format("{} of {} bags{}", result.bags.size(), params_.bagging.bags,
                              is_bare && params_.num_interactions > 0 ? " without surfaces" : "");
  }

  EbmParams params_;
};

}  // namespace

std::unique_ptr<Method> make_ebm(EbmParams params) {
  return std::make_unique<EbmMethod>(std::move(params));
}

}  // namespace glassrank
