#include "glassrank/explain/global/dependence.h"

#include <algorithm>
#include <cmath>

#include "glassrank/base/error.h"
#include "glassrank/explain/global/accumulated_effects.h"
#include "glassrank/explain/global/dependence_axis.h"
#include "glassrank/explain/global/individual_curves.h"
#include "glassrank/explain/global/partial_dependence.h"
#include "glassrank/explain/subject_categories.h"
#include "glassrank/models/display_names.h"

namespace glassrank {
namespace {

// Where a number of points must be chosen and the user has not.
constexpr std::size_t kDefaultPoints = 50;
// Cells of a pair of features beyond which points are chosen.
constexpr std::size_t kMostCells = 20000;

void check_features(const Subject& subject, std::span<const std::uint32_t> features,
                    const DependenceParams& params) {
  if (features.empty() || features.size() > 2) {
    fail(ErrorKind::kUsage, "{} features; dependence is shown on one or two", features.size());
  }
  for (const std::uint32_t feature : features) {
    if (feature < subject.num_features()) continue;
    fail(ErrorKind::kUsage, "feature {} of a model with {}", feature + 1, subject.num_features());
  }
  if (features.size() == 1) return;
  if (features[0] == features[1]) {
    fail(ErrorKind::kUsage, "feature {} twice; a pair needs two features", features[0] + 1);
  }
  if (params.kind != DependenceKind::kPartial) {
    fail(ErrorKind::kUsage, "{} is of one feature; two together have pdp only",
         name_of(params.kind));
  }
}

// Differences from value to value mean nothing where values have no order.
void refuse_categories(const Subject& subject, std::span<const std::uint32_t> features) {
  const SubjectCategories categories = categories_of(subject);
  for (const std::uint32_t feature : features) {
    if (!categories.is_category[feature]) continue;
    fail(
        ErrorKind::kUsage,
        "ale goes from value to value, and the values of '{}' are categories, which have no order; "
        "pdp and ice take them",
        display_names(subject.scorer, subject.background.feature_names())[feature]);
  }
}

std::vector<DependenceAxis> axes_for(const Subject& subject,
                                     std::span<const std::uint32_t> features,
                                     const DependenceParams& params, const WeightedRows& data) {
  if (params.kind == DependenceKind::kAle) refuse_categories(subject, features);
  std::vector<DependenceAxis> axes;
  const bool by_cells =
      params.points == 0 && subject.step_model() != nullptr && params.kind != DependenceKind::kAle;
  if (by_cells) {
    std::size_t num_cells = 1;
    for (const std::uint32_t feature : features) {
      axes.push_back(cells_axis(subject, feature, data));
      num_cells *= axes.back().size();
    }
    if (features.size() == 1 || num_cells <= kMostCells) return axes;
    axes.clear();
  }
  const auto num_points =
      params.points == 0 ? kDefaultPoints : static_cast<std::size_t>(params.points);
  for (const std::uint32_t feature : features) {
    axes.push_back(
        quantile_axis(subject, feature, data, num_points, params.kind != DependenceKind::kAle));
  }
  return axes;
}

// The mean over the rows of the values that the curve has at the rows' own places.
double mean_over_rows(const Dependence& result, const WeightedRows& data) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    std::size_t place = 0;
    for (const DependenceAxis& axis : result.axes) {
      const float value = data.rows(r, axis.index);
      place = place * axis.size() + place_on(axis, value);
    }
    sum += data.weight(r) * result.values[place];
  }
  return sum / data.total();
}

double mean_score(const Subject& subject, const WeightedRows& data, const Context& context) {
  std::vector<double> scores(data.rows.num_rows());
  subject.scorer.score(data.rows, scores, context);
  double sum = 0;
  for (std::size_t r = 0; r < scores.size(); ++r) sum += data.weight(r) * scores[r];
  return sum / data.total();
}

void add_partial(const Subject& subject, const WeightedRows& data, Dependence& result,
                 const Context& context) {
  PointGrid grid;
  for (const DependenceAxis& axis : result.axes) {
    grid.features.push_back(axis.index);
    grid.values.push_back(axis.values());
  }
  result.values = mean_scores_at(subject, grid, data, context);
  if (result.centre == Centring::kNone) return;
  // Every row counts with its own query's mean: together they are the mean of all scores.
  const double off = result.centre == Centring::kMean ? mean_over_rows(result, data)
                                                      : mean_score(subject, data, context);
  for (double& value : result.values) value -= off;
}

}  // namespace

Dependence dependence(const Subject& subject, std::span<const std::uint32_t> features,
                      const DependenceParams& params, const Context& context) {
  check_params(params);
  check_subject(subject);
  check_features(subject, features, params);
  const WeightedRows data{subject.background.features(), subject.background.weights()};
  if (!(data.total() > 0)) {
    fail(ErrorKind::kInput, "the weights of all {} rows are 0", data.rows.num_rows());
  }
  Dependence result{.kind = params.kind,
                    .centre = params.centre,
                    .num_rows = data.rows.num_rows(),
                    .axes = axes_for(subject, features, params, data),
                    .values = {},
                    .curves = {}};
  switch (params.kind) {
    case DependenceKind::kPartial:
      add_partial(subject, data, result, context);
      break;
    case DependenceKind::kIce:
      add_individual_curves(subject, static_cast<std::size_t>(params.documents), result, context);
      break;
    case DependenceKind::kAle:
      add_accumulated_effects(subject, data, result, context);
      break;
  }
  return result;
}

}  // namespace glassrank
