#include "glassrank/methods/training/train_report.h"

#include <cmath>

#include <fmt/format.h>

namespace glassrank {

std::optional<double> known(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

void StageReport::visit(ResultVisitor& visitor) const {
  visitor.field("num_rounds", num_rounds, "rounds of boosting");
  visitor.field("kept_rounds", kept_rounds, "rounds up to the best visit");
  visitor.field("start_loss", start_loss, "held-out loss before the first round");
  visitor.field("best_loss", best_loss, "held-out loss of the rounds kept");
}

void BagReport::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", num_rows, "rows the bag trained on");
  visitor.field("num_held_out_rows", num_held_out_rows, "rows it held out");
  visitor.field("num_rounds", num_rounds, "rounds of its training");
  visitor.field("num_trees", num_trees, "trees it keeps");
  visitor.field("num_main_trees", num_main_trees, "of them, trees of main effects");
  visitor.field("value", value, "of the metric that stopped it, at its best");
  visitor.object("curves", curves, "boosting of its curves");
  visitor.object("surfaces", surfaces, "boosting of its surfaces");
}

void PairReport::visit(ResultVisitor& visitor) const {
  visitor.field("features", features, "names of the two features");
  visitor.field("statistic", statistic, "what ranked the pair");
  visitor.field("is_used", is_used, "whether the model uses the pair");
}

void MainEffectsReport::visit(ResultVisitor& visitor) const {
  visitor.field("num_features", num_features, "features with a main effect");
  visitor.field("num_trees", num_trees, "trees of main effects");
  visitor.field("num_rounds", num_rounds, "rounds of their training");
  visitor.field("value", value, "of the stop metric: main effects alone, validation data");
}

void TowersReport::visit(ResultVisitor& visitor) const {
  visitor.field("num_epochs", num_epochs, "epochs trained");
  visitor.field("best_epoch", best_epoch, "epoch that was kept");
  visitor.field("value", value, "of the stop metric: the network, validation data");
  visitor.field("tables_value", tables_value, "the same of the tables made of it");
}

void CleaningCell::visit(ResultVisitor& visitor) const {
  visitor.field("cleaner", cleaner, "the cleaner; none is the training without cleaning");
  visitor.field("type", type, "documents that may be dropped: neg, pos or all");
  visitor.field("start", start, "first round of the window");
  visitor.field("end", end, "last round of the window");
  visitor.field("p", p, "share of the rounds in which a document must be an outlier");
  visitor.field("threshold", threshold, "anomaly score from which a document is dropped");
  visitor.field("contamination", contamination, "share of the documents that are dropped");
  visitor.field("num_dropped", num_dropped, "documents dropped");
  visitor.field("share", share, "share of the documents dropped");
  visitor.field("num_rounds", num_rounds, "rounds kept by the model trained without them");
  visitor.field("value", value, "of its stop metric on the validation data");
  visitor.field("is_chosen", is_chosen, "whether this cleaning was chosen");
}

void CleaningReport::visit(ResultVisitor& visitor) const {
  visitor.field("summary", summary, "what the cleaner did, in words");
  visitor.field("num_dropped", num_dropped, "documents dropped from the training data");
  visitor.list("grid", grid, "every cleaning that was tried");
}

void TrainReport::visit(ResultVisitor& visitor) const {
  visitor.field("method", method, "the method");
  visitor.field("model", model, "file of the model");
  visitor.field("outcome", outcome,
                "how the training ended, in words; empty where nothing could end it early");
  visitor.field("num_trees", num_trees, "trees of the model");
  visitor.field("num_rounds", num_rounds, "rounds trained, kept or not");
  visitor.field("best_round", best_round, "rounds kept");
  visitor.field("num_curves", num_curves, "curves of an additive model");
  visitor.field("num_surfaces", num_surfaces, "surfaces of an additive model");
  visitor.object("cleaning", cleaning, "the cleaning of the training data");
  visitor.object("main_effects", main_effects, "main effects of an additive model of trees");
  visitor.field("num_interaction_rounds", num_interaction_rounds,
                "rounds trained on pairs of features");
  visitor.object("towers", towers, "the network an additive model was made of");
  if (!pairs.empty() || method.empty()) {
    visitor.list("pairs", pairs, "pairs of features that were chosen, best first");
  }
  if (!bags.empty() || method.empty()) visitor.list("bags", bags, "the bags of an ensemble");
  visitor.field("row_share", row_share, "share of the rows that a tree saw, mean");
  visitor.field("ms_per_tree", ms_per_tree, "milliseconds a tree took, mean");
  visitor.values("train", train, "metrics on the training data");
  visitor.values("valid", valid, "metrics on the validation data");
  visitor.values("test", test, "metrics on the test data");
  if (!out_of_bag.empty() || method.empty()) {
    visitor.values("out_of_bag", out_of_bag,
                   "metrics of a random forest on its training queries, each scored by the trees "
                   "that have not seen it");
  }
}

std::string curve_tsv(const TrainingCurve& curve) {
  std::string text = curve.places.empty() ? "round" : "bag\tround";
  for (const std::string& name : curve.names) text += fmt::format("\t{}", name);
  text += '\n';
  for (std::size_t r = 0; r < curve.rounds.size(); ++r) {
    text += curve.places.empty()
                ? fmt::format("{}", r + 1)
                : fmt::format("{}\t{}", curve.places[r].bag, curve.places[r].round);
    for (const double value : curve.rounds[r]) text += fmt::format("\t{}", value);
    text += '\n';
  }
  return text;
}

}  // namespace glassrank
