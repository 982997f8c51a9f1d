#include "glassrank/report/plots/dependence_plot.h"

#include <gtest/gtest.h>

#include "glassrank/models/scorer.h"
#include "testing/rows_data.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++number;
  }
  return number;
}

Dependence dependence_of(const std::vector<std::uint32_t>& features,
                         const DependenceParams& params) {
  const Model model = small_forest();
  const auto scorer = make_scorer(model);
  const Dataset data = data_of_rows({{0, 0}, {1, 2}, {2, 3}});
  return dependence({*scorer, &model, data}, features, params, {});
}

TEST(DependencePlot, HasNoPlaceForMissingValuesThatNoRowHas) {
  const Picture picture = draw(dependence_of({1}, {}));
  EXPECT_NE(picture.body.find(">mean score<"), std::string::npos);
  EXPECT_EQ(picture.body.find("missing"), std::string::npos);
  EXPECT_EQ(picture.title, "b");
}

TEST(DependencePlot, DrawsAPaleLinePerDocumentAndTheirMean) {
  const Picture picture = draw(dependence_of({1}, {.kind = DependenceKind::kIce}));
  EXPECT_EQ(count(picture.body, "#b4c0cb"), 3U);
  EXPECT_NE(picture.body.find(">score<"), std::string::npos);
  // Of the mean only: one series needs no legend.
  EXPECT_EQ(picture.body.find(">mean<"), std::string::npos);
}

TEST(DependencePlot, DrawsPointsAndMatrices) {
  EXPECT_NE(draw(dependence_of({1}, {.kind = DependenceKind::kAle})).body.find("circle"),
            std::string::npos);
  const Picture matrix = draw(dependence_of({0, 1}, {.points = 3}));
  EXPECT_EQ(matrix.title, "a x b");
  const Picture surface = draw(dependence_of({0, 1}, {}));
  EXPECT_NE(surface.body, matrix.body);
  EXPECT_EQ(draw(dependence_of({0, 1}, {})).body, surface.body);
}

}  // namespace
}  // namespace glassrank
