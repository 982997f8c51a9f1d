#include "glassrank/studies/outlier_study.h"

#include <algorithm>

namespace glassrank {

void WindowOutliers::visit(ResultVisitor& visitor) const {
  visitor.field("start", count.start, "first tree of the window");
  visitor.field("end", count.end, "last tree");
  visitor.field("num_negative", count.negative, "outliers that are not relevant");
  visitor.field("num_positive", count.positive, "outliers that are");
  visitor.field("num_outliers", count.all(), "both");
  visitor.field("share", share, "of all rows");
}

void OutlierStudy::visit(ResultVisitor& visitor) const {
  visitor.field("num_rows", num_rows, "rows of the data");
  visitor.field("num_trees", num_trees, "trees of the model");
  visitor.list("by_start", by_start, "windows from a start to the last tree");
  visitor.list("by_end", by_end, "windows from the first tree to an end");
}

OutlierStudy study_outliers(const OutlierTrace& trace, std::size_t num_rows, std::size_t steps) {
  const auto window = [&](std::size_t start, std::size_t end) {
    const WindowCount count = count_consistent(trace, start, end);
    return WindowOutliers{.count = count,
                          .share = static_cast<double>(count.all()) /
                                   static_cast<double>(std::max<std::size_t>(num_rows, 1))};
  };
  OutlierStudy study{.num_rows = num_rows, .num_trees = trace.num_rounds};
  for (const std::size_t round : even_rounds(trace.num_rounds, steps)) {
    study.by_start.push_back(window(round, trace.num_rounds));
    study.by_end.push_back(window(1, round));
  }
  return study;
}

StudyTables study_tables(const OutlierStudy& study) {
  StudyTables tables{
      .data = Table({{.name = "start"},
                     {.name = "end"},
                     {.name = "neg"},
                     {.name = "pos"},
                     {.name = "all"},
                     {.name = "share"}}),
      .shown = Table({{.name = "start"},
                      {.name = "end"},
                      {.name = "neg"},
                      {.name = "pos"},
                      {.name = "all"},
                      {.name = "of all documents", .notation = Notation::kPercent, .digits = 2}}),
      .notes = {}};
  const auto add = [&](const WindowOutliers& window) {
    const WindowCount& count = window.count;
    for (Table* table : {&tables.data, &tables.shown}) {
      table->add({cell(count.start), cell(count.end), cell(count.negative), cell(count.positive),
                  cell(count.all()), cell(window.share)});
    }
  };
  for (const WindowOutliers& window : study.by_start) add(window);
  for (const WindowOutliers& window : study.by_end) {
    if (&window != &study.by_end.back()) add(window);  // the last, all trees, is there already
  }
  return tables;
}

}  // namespace glassrank
