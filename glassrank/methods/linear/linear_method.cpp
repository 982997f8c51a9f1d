// Linear models as a Method.

#include "glassrank/methods/linear/linear_method.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/methods/linear/ridge_rows.h"
#include "glassrank/methods/ranknet/net_report.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/require_numbers.h"
#include "glassrank/methods/training/same_features.h"

namespace glassrank {
namespace {

constexpr double kLeastPenalty = 1e-10;

// What the normal equations do not look at.
const std::vector<std::string> kOfSteps = {"optimiser", "learning_rate", "epochs", "batch_queries",
                                           "patience"};

class LinearMethod final : public Method {
 public:
  explicit LinearMethod(LinearParams params) : params_(std::move(params)) {}

  std::string name() const override { return "linear"; }
  MethodTraits traits() const override {
    return {.can_be_bagged = true, .needs_values = true, .calls_back = !params_.is_exact()};
  }
  std::unique_ptr<Method> clone() const override { return std::make_unique<LinearMethod>(*this); }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.training.watch; }
  ObjectiveParams* objective() override { return &params_.training.objective; }
  BinParams bin_params() const override { return {}; }
  std::vector<ParamUse> uses() const override {
    std::vector<ParamUse> uses;
    add_uses(uses, kOfSteps, "objective", names_beside_least_squares(params_.training.objective));
    return uses;
  }

  void check(const TrainSetting& /*setting*/) const override {
    stop_metric(params_.training.watch);
    make_objective(objective_of(params_.training.objective, params_.training.watch), 0);
  }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    require_numbers(task.data.table().schema, "linear");
    check_params(params_);
    const Dataset& data = task.data.values(context);
    if (data.num_rows() == 0) fail(ErrorKind::kInput, "the training data has no rows");
    if (data.num_features() == 0) fail(ErrorKind::kInput, "the training data has no features");
    if (task.data.valid() != nullptr) {
      check_same_features(data.feature_names(), task.data.valid()->feature_names());
    }
    const FeatureScaling scaling =
        find_scaling(task.data.whole().values(context), params_.normalise, context);
    LinearParts rest;
    rest.feature_names = {data.feature_names().begin(), data.feature_names().end()};
    rest.objective = params_.training.objective.objective;
    return params_.is_exact() ? solve(data, scaling, std::move(rest), task, context)
                              : descend(data, scaling, std::move(rest), task, context);
  }

  Rounds rounds() const override {
    if (params_.is_exact()) return {.most = 1, .stops_early = false};
    return {.most = static_cast<std::size_t>(params_.training.epochs),
            .stops_early = params_.training.patience > 0};
  }
  void scale_rounds(double share) override {
    params_.training.epochs = static_cast<int>(std::ceil(share * params_.training.epochs));
  }
  void fix_length(const TrainingLength& length) override {
    if (!length.empty()) {
      params_.training.epochs = std::max(1, static_cast<int>(length.front().second));
    }
  }

 private:
  TrainResult solve(const Dataset& data, const FeatureScaling& scaling, LinearParts rest,
                    const TrainTask& task, const Context& context) const {
    const double l2 = std::max(params_.training.l2, kLeastPenalty);
    const RidgeFit fit = fit_ridge_rows(data, scaling, l2, context);
    if (fit.l2 > l2) {
      context.info(fmt::format(
          "some features follow from others: l2 raised from {} to {:.3g} for a unique solution", l2,
          fit.l2));
    }
    TrainResult trained;
    trained.model.body = unscaled_linear(fit.weights, fit.intercept, scaling, std::move(rest));
    trained.report.outcome = "normal equations solved";
    trained.report.kept = fmt::format("{} weights", num_parts_of(trained.model));
    const WatchParams& watch = params_.training.watch;
    if (watch.train_metric) {
      trained.report.train = watched_values(trained.model, data, watch, context);
    }
    if (task.data.valid() != nullptr) {
      trained.report.valid = watched_values(trained.model, *task.data.valid(), watch, context);
    }
    return trained;
  }

  TrainResult descend(const Dataset& data, const FeatureScaling& scaling, LinearParts rest,
                      const TrainTask& task, const Context& context) const {
    const NetworkShape shape{.sizes = {data.num_features(), 1}};
    const NetResult result = train_network(
        data, task.data.valid(), scaling, shape, params_.training, context,
        {.name = task.name, .log_every = task.log_every, .checkpoints = task.checkpoints});
    TrainResult trained = network_result(result, params_.training, task);
    const MlpLayer layer = layers_of(shape, result.parameters).front();
    trained.model.body =
        unscaled_linear(layer.weights, layer.biases.front(), scaling, std::move(rest));
    trained.report.kept = fmt::format("{} weights", num_parts_of(trained.model));
    return trained;
  }

  LinearParams params_;
};

}  // namespace

LinearParams::LinearParams() {
  training.objective.objective = "squared_error";
  training.learning_rate = 0.01;
}

bool LinearParams::is_exact() const {
  const ObjectiveInfo* info = find_objective(training.objective);
  return info != nullptr && info->is_least_squares;
}

void LinearParams::visit(ParamVisitor& visitor) {
  visitor.section("model");
  visitor.field("normalise", normalise,
                "put features on a common scale: standardise to mean 0 and deviation 1, or none");
  training.objective.visit(visitor);
  visit_net_training(visitor, training);
}

std::unique_ptr<Method> make_linear(LinearParams params) {
  return std::make_unique<LinearMethod>(std::move(params));
}

}  // namespace glassrank
