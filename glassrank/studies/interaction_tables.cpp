#include <fmt/format.h>

#include "glassrank/studies/interaction_study.h"

namespace glassrank {

void InteractionPoint::visit(ResultVisitor& visitor) const {
  visitor.field("num_pairs", num_pairs, "pairs allowed");
  visitor.field("num_used", num_used, "pairs that trees of the model use");
  visitor.field("num_trees", num_trees, "trees of the model");
  visitor.field("valid", valid, "the metric on the validation data");
  visitor.field("test", test, "on the test data");
  visitor.field("added", added, "the last pair; empty for none");
}

void InteractionStudy::visit(ResultVisitor& visitor) const {
  visitor.field("metric", metric, "what quality is measured by");
  visitor.field("num_main_effects", num_main_effects, "features with a main effect");
  visitor.field("lambdamart_valid", black_box_valid, "the black box on the validation data");
  visitor.field("lambdamart_test", black_box_test, "on the test data");
  visitor.list("points", points, "ilmart by the number of its pairs");
}

StudyTables study_tables(const InteractionStudy& study) {
  const std::vector<Column> columns = {{.name = "pairs"}, {.name = "used"}, {.name = "trees"},
                                       {.name = "valid"}, {.name = "test"}, {.name = "last pair"}};
  StudyTables tables{
      .data = Table(columns),
      .shown = Table(columns),
      .notes = {fmt::format("{} of {} main effects and so many pairs at most", study.metric,
                            study.num_main_effects),
                fmt::format("lambdamart with the same parameters: valid {:.4f}, test {:.4f}",
                            study.black_box_valid, study.black_box_test)}};
  for (const InteractionPoint& point : study.points) {
    for (Table* table : {&tables.data, &tables.shown}) {
      table->add({cell(point.num_pairs), cell(point.num_used), cell(point.num_trees),
                  cell(point.valid), cell(point.test), cell(point.added)});
    }
  }
  tables.data.add({cell("all"),
                   {},
                   {},
                   cell(study.black_box_valid),
                   cell(study.black_box_test),
                   cell("lambdamart")});
  return tables;
}

}  // namespace glassrank
