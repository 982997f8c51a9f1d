#include "glassrank/studies/leaf_score_study.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/models/forest/forest_scorer.h"
#include "glassrank/models/scorer.h"
#include "glassrank/studies/outlier_trace.h"

namespace glassrank {
namespace {

// The scores of one group by one model, as results name them.
struct GroupScores {
  std::vector<double> leaf;
  std::vector<double> so_far;
  void visit(ResultVisitor& visitor) const {
    visitor.field("leaf_scores", leaf, "mean value of the leaves most documents reach, by tree");
    visitor.field("scores_so_far", so_far, "mean score by the trees so far, by tree");
  }
};

std::vector<DocumentGroup> groups_of(const Forest& base, const Dataset& data,
                                     const LeafScoreParams& params, const Context& context) {
  const std::size_t end = window_end(params.start, params.end, base.trees().size());
  const OutlierRule rule = params.outliers.resolve();
  const std::vector<double> scores = score_all(ForestScorer(base), data, context);
  DocumentGroup outliers{
      .name = "O-",
      .rows = consistent_rows(trace_outliers(base, data, rule, context),
                              static_cast<std::size_t>(params.start), end, DocumentType::kNeg)};
  DocumentGroup others = other_negatives(data, outliers.rows, rule.negative_grade);
  return {relevant_at_top(data, scores, rule.cutoff, rule.negative_grade), std::move(outliers),
          std::move(others)};
}

std::string note_of(const LeafScoreStudy& study) {
  const std::string number = study.num_leaves == 0 ? "" : fmt::format("{} ", study.num_leaves);
  return fmt::format(
      "mean score of a group's documents by the first trees (the file also has the mean value of "
      "the {}leaves most of them reach in each tree); P_k: {} relevant documents in the top {}, "
      "O-: "
      "{} negative outliers, N: {} other documents that are not relevant",
      number, study.groups[0].num_rows, study.cutoff, study.groups[1].num_rows,
      study.groups[2].num_rows);
}

}  // namespace

void LeafScoreParams::visit(ParamVisitor& visitor) {
  visitor.field("start", start, "first tree of the window of outliers", Range{.low = 1});
  visitor.field("end", end, "last tree of the window; 0 is the last of the first model",
                kNotNegative);
  visitor.field("trees", trees, "trees to print; the files have all trees up to the last of these",
                Range{.low = 1});
  visitor.field("leaves", leaves,
                "number of leaves to average, those with most documents; 0 is 7.5 % of a tree's "
                "leaves, as the paper's 30 of 400",
                kNotNegative);
  outliers.visit(visitor);
}

std::vector<std::size_t> LeafScoreParams::shown_trees() const {
  std::vector<std::size_t> shown = tree_numbers("--trees", trees);
  if (shown.empty()) fail(ErrorKind::kUsage, "--trees names no tree");
  std::ranges::sort(shown);
  return shown;
}

void GroupSize::visit(ResultVisitor& visitor) const {
  visitor.field("group", group, "P_k: relevant at the top; O-: negative outliers; N: the rest");
  visitor.field("num_rows", num_rows, "documents of the group");
}

void ModelLeafScores::visit(ResultVisitor& visitor) const {
  visitor.field("model", model, "its name");
  std::vector<GroupScores> groups;
  for (std::size_t g = 0; g < scores.leaf.size(); ++g) {
    groups.push_back({.leaf = scores.leaf[g], .so_far = scores.so_far[g]});
  }
  visitor.list("groups", groups, "in the order of the study's groups");
}

void LeafScoreStudy::visit(ResultVisitor& visitor) const {
  visitor.field("num_leaves", num_leaves, "leaves averaged; 0: 7.5 % of a tree's");
  visitor.field("cutoff", cutoff, "ranks that are the top");
  visitor.list("groups", groups, "of documents");
  visitor.list("models", models, "one entry a model");
}

LeafScoreStudy study_leaf_scores(std::span<const NamedForest> models, const Dataset& data,
                                 const LeafScoreParams& params, const Context& context) {
  check_params(params);
  LeafScoreStudy study{.shown_trees = params.shown_trees(),
                       .num_leaves = params.leaves,
                       .cutoff = params.outliers.cutoff};
  const std::vector<DocumentGroup> groups = groups_of(models.front().forest, data, params, context);
  for (const DocumentGroup& group : groups) {
    study.groups.push_back({.group = group.name, .num_rows = group.rows.size()});
  }
  for (const NamedForest& each : models) {
    study.models.push_back(
        {.model = each.name,
         .scores = probe_leaves(each.forest, data, groups, study.shown_trees.back(),
                                static_cast<std::size_t>(params.leaves), context)});
  }
  return study;
}

StudyTables study_tables(const LeafScoreStudy& study) {
  Table data({{.name = "model"},
              {.name = "tree"},
              {.name = "group"},
              {.name = "leaf_score"},
              {.name = "score_so_far"}});
  std::vector<Column> columns = {{.name = "tree"}};
  for (const ModelLeafScores& model : study.models) {
    for (std::size_t g = 0; g < study.groups.size(); ++g) {
      columns.push_back({.name = fmt::format("{} {}", model.model, study.groups[g].group)});
      for (std::size_t t = 0; t < model.scores.leaf[g].size(); ++t) {
        data.add({cell(model.model), cell(t + 1), cell(study.groups[g].group),
                  cell(model.scores.leaf[g][t]), cell(model.scores.so_far[g][t])});
      }
    }
  }
  Table shown(std::move(columns));
  for (const std::size_t tree : study.shown_trees) {
    std::vector<Cell> cells = {cell(tree)};
    for (const ModelLeafScores& model : study.models) {
      for (const std::vector<double>& group : model.scores.so_far) {
        cells.push_back(cell(tree <= group.size() ? group[tree - 1] : kNoValue));
      }
    }
    shown.add(std::move(cells));
  }
  return {.data = std::move(data), .shown = std::move(shown), .notes = {note_of(study)}};
}

}  // namespace glassrank
