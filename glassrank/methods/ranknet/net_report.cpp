#include "glassrank/methods/ranknet/net_report.h"

#include <fmt/format.h>

#include "glassrank/base/counted.h"

namespace glassrank {

void visit_net_training(ParamVisitor& visitor, NetTrainingParams& training) {
  visitor.section("training");
  visitor.field("optimiser", training.optimiser, "adam, or plain steps against the gradient");
  visitor.field("learning_rate", training.learning_rate, "size of a step", kPositive);
  visitor.field("epochs", training.epochs, "maximum number of passes over the training data",
                Range{.low = 1});
  visitor.field("batch_queries", training.batch_queries, "queries per step", Range{.low = 1});
  visitor.field("l2", training.l2, "L2 penalty on the weights", kNotNegative);
  training.watch.visit(visitor);
  visitor.section("training");
  visitor.field("patience", training.patience,
                "stop after this many epochs without a better validation metric; 0 never stops. "
                "The best epoch is kept in any case",
                kNotNegative);
}

TrainResult network_result(const NetResult& result, const NetTrainingParams& training,
                           const TrainTask& task) {
  TrainResult trained;
  trained.best_metric = result.best_metric;
  trained.is_interrupted = result.is_interrupted;
  trained.may_go_on = result.num_epochs == static_cast<std::size_t>(training.epochs);
  trained.length = {{"epochs", result.best_epoch}};
  trained.curve = {.names = result.curve_names, .rounds = result.curve};
  TrainReport& report = trained.report;
  report.num_rounds = result.num_epochs;
  report.best_round = result.best_epoch;
  report.is_round_chosen = task.data.valid() != nullptr;
  report.stop_metric = stopping_name(training.watch);
  report.outcome = counted(result.num_epochs, "epoch");
  report.kept = fmt::format("epoch {}", result.best_epoch);
  const std::vector<double>& best = result.curve[result.best_epoch - 1];
  for (std::size_t m = 0; m < result.curve_names.size(); ++m) {
    const std::string& name = result.curve_names[m];
    (name.starts_with("train") ? report.train : report.valid)
        .emplace_back(name.substr(name.find(' ') + 1), best[m]);
  }
  return trained;
}

}  // namespace glassrank
