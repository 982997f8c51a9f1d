// Coordinate ascent as a Method.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/counted.h"
#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/require_numbers.h"

namespace glassrank {
namespace {

class CoordinateAscentMethod final : public Method {
 public:
  explicit CoordinateAscentMethod(CoordinateAscentParams params) : params_(std::move(params)) {}

  std::string name() const override { return "coordinate-ascent"; }
  MethodTraits traits() const override {
    return {.can_be_bagged = true, .needs_values = true, .needs_numbers = true, .calls_back = true};
  }
  std::unique_ptr<Method> clone() const override {
    return std::make_unique<CoordinateAscentMethod>(*this);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  WatchParams& watch() override { return params_.watch; }
  BinParams bin_params() const override { return {}; }

  void check(const TrainSetting& /*setting*/) const override { stop_metric(params_.watch); }
  void prepare(const TrainTask& task, const Context& context) const override {
    task.data.values(context);
  }

  TrainResult train(const TrainTask& task, const Context& context) const override {
    require_numbers(task.data.table().schema, "coordinate-ascent");
    const Dataset& data = task.data.values(context);
    const CoordinateAscentResult result =
        train_coordinate_ascent(data, task.data.valid(), params_, context,
                                {.name = task.name,
                                 .log_every = task.log_every,
                                 .checkpoints = task.checkpoints,
                                 .scaled_by = &task.data.whole().values(context)});
    TrainResult trained;
    trained.model.body = result.linear;
    trained.best_metric = result.valid_metric;
    trained.is_interrupted = result.is_interrupted;
    trained.may_go_on = !result.is_interrupted;
    trained.curve.names = {stopping_name(params_.watch, "train")};
    for (const double value : result.train_values) trained.curve.rounds.push_back({value});
    TrainReport& report = trained.report;
    report.outcome = fmt::format("climb {} of {} is best, {}", result.best_restart,
                                 params_.restarts, counted(result.train_values.size() - 1, "move"));
    report.kept = counted(num_parts_of(trained.model), "weight");
    const Context finishing = context.finishing();
    if (params_.watch.train_metric) {
      report.train = watched_values(trained.model, data, params_.watch, finishing);
    }
    if (task.data.valid() != nullptr) {
      report.valid = watched_values(trained.model, *task.data.valid(), params_.watch, finishing);
    }
    return trained;
  }

  Rounds rounds() const override {
    return {.most = static_cast<std::size_t>(params_.restarts), .stops_early = false};
  }
  void scale_rounds(double share) override {
    params_.restarts = static_cast<int>(std::ceil(share * params_.restarts));
  }
  void fix_length(const TrainingLength& /*length*/) override {}

 private:
  CoordinateAscentParams params_;
};

}  // namespace

std::unique_ptr<Method> make_coordinate_ascent(CoordinateAscentParams params) {
  return std::make_unique<CoordinateAscentMethod>(std::move(params));
}

}  // namespace glassrank
