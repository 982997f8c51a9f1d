// glassrank study leaf-scores: what the trees of models give to relevant documents, outliers and
// the rest.

#include <algorithm>

#include <fmt/format.h>

#include "cli/registry.h"
#include "cli/study/study_output.h"
#include "glassrank/base/error.h"
#include "glassrank/models/scorer.h"
#include "glassrank/report/studies/leaf_score_study.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank::cli {
namespace {

class StudyLeafScores final : public Command {
 public:
  std::string name() const override { return "study leaf-scores"; }
  std::string summary() const override {
    return "What trees give to relevant documents at the top, to outliers and to the rest";
  }
  std::vector<std::string> examples() const override {
    return {
        "glassrank study leaf-scores --model base.txt --model cleaned.txt --data test.txt --out "
        "leaves"};
  }

  void visit(ParamVisitor& visitor) override {
    visitor.field("model", models_,
                  "models to probe; the first decides which documents are outliers and at the top",
                  {.required = true, .value_name = "FILE", .one_value = true});
    visitor.field("data", data_, "data file", {.required = true, .value_name = "FILE"});
    files_.visit(visitor);
    visitor.field("start", start_, "first tree of the window of outliers", Range{.low = 1});
    visitor.field("end", end_, "last tree of the window; 0: of the first model", kNotNegative);
    visitor.field("trees", trees_, "trees to print; all up to the last of them are in the files",
                  Range{.low = 1});
    visitor.field("leaves", leaves_,
                  "leaves to average: those most documents reach; 0: 7.5 % of a tree's, as the "
                  "paper's 30 of 400",
                  kNotNegative);
    outliers_.visit(visitor);
    visitor.group("read", read_);
  }

  void run(const Context& context, Output& output) override {
    std::vector<std::string> inputs = models_;
    inputs.push_back(data_);
    files_.check(inputs);
    const std::vector<std::size_t> trees = shown_trees();
    const StudyInputs loaded = load_study_inputs(models_, data_, read_, context);
    const std::vector<DocumentGroup> groups = groups_of(loaded, context);
    std::vector<ModelLeafScores> scores;
    for (std::size_t m = 0; m < loaded.models.size(); ++m) {
      scores.push_back({.model = loaded.names[m],
                        .scores = probe_leaves(loaded.forest(m), loaded.data, groups, trees.back(),
                                               static_cast<std::size_t>(leaves_), context)});
    }
    StudyResult result = leaf_score_study(scores, groups, trees);
    result.notes = {fmt::format(
        "mean value of the {}leaves most of a group's documents reach; P_k: {} relevant documents "
        "in the top {}, O-: {} negative outliers, N: {} other documents that are not relevant",
        leaves_ == 0 ? "" : fmt::format("{} ", leaves_), groups[0].rows.size(), outliers_.cutoff,
        groups[1].rows.size(), groups[2].rows.size())};
    files_.write(result, output);
  }

 private:
  std::vector<std::size_t> shown_trees() const {
    std::vector<std::size_t> trees;
    for (const double tree : trees_) {
      if (tree != static_cast<double>(static_cast<std::size_t>(tree))) {
        fail(ErrorKind::kUsage, "--trees {} is not the number of a tree, counted from 1", tree);
      }
      trees.push_back(static_cast<std::size_t>(tree));
    }
    if (trees.empty()) fail(ErrorKind::kUsage, "--trees names no tree");
    std::ranges::sort(trees);
    return trees;
  }

  std::vector<DocumentGroup> groups_of(const StudyInputs& loaded, const Context& context) const {
    const Forest base = loaded.forest(0);
    const std::size_t end = window_end(start_, end_, base.trees().size());
    const OutlierRule rule = outliers_.resolve();
    const std::vector<double> scores =
        score_all(*make_scorer(loaded.models[0]), loaded.data, context);
    DocumentGroup outliers{
        .name = "O-",
        .rows = consistent_rows(trace_outliers(base, loaded.data, rule, context),
                                static_cast<std::size_t>(start_), end, DocumentType::kNeg)};
    DocumentGroup others = other_negatives(loaded.data, outliers.rows, rule.negative_grade);
    return {relevant_at_top(loaded.data, scores, rule.cutoff, rule.negative_grade),
            std::move(outliers), std::move(others)};
  }

  std::vector<std::string> models_;
  std::string data_;
  StudyFiles files_;
  int start_ = 1;
  int end_ = 0;
  std::vector<double> trees_ = {1, 10, 20, 30, 40, 50};
  int leaves_ = 0;
  OutlierOptions outliers_;
  ReadParams read_;
};

}  // namespace

std::unique_ptr<Command> make_study_leaf_scores_command() {
  return std::make_unique<StudyLeafScores>();
}

}  // namespace glassrank::cli
