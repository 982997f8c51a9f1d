// The truth of a synthetic problem as a JSON document.

#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/json.h"
#include "glassrank/data/synth/synthetic.h"

namespace glassrank {
namespace {

struct GridPoint {
  float x = 0;             // as the data shows it
  float standardised = 0;  // as effects read it
};

// The values the data shows, from the 2.5 % to the 97.5 % point of the base value.
std::vector<GridPoint> grid_of(const SyntheticFeature& feature) {
  std::vector<GridPoint> grid;
  for (int i = -20; i <= 20; ++i) {
    const float base = static_cast<float>(i) * 0.1F;
    const float x = feature.unit * shown_value(feature.kind, base);
    if (!grid.empty() && x == grid.back().x) continue;  // counts and zeros repeat
    grid.push_back({x, standardised_value(feature.kind, base)});
  }
  return grid;
}

Json curve_points(const SyntheticFeature& feature, const MainEffect& effect) {
  Json points = Json::array();
  for (const auto& [x, standardised] : grid_of(feature)) {
    points.push_back({x, effect(standardised)});
  }
  return points;
}

// Five digits: a surface has up to 41 x 41 values.
double short_number(float value) { return std::stod(fmt::format("{:.5g}", value)); }

void add_surface(Json& item, const SyntheticTruth& truth, const PairEffect& effect) {
  const std::vector<GridPoint> first = grid_of(truth.features[effect.first]);
  const std::vector<GridPoint> second = grid_of(truth.features[effect.second]);
  item["points"] = {Json::array(), Json::array()};
  for (const GridPoint& point : first) item["points"][0].push_back(point.x);
  for (const GridPoint& point : second) item["points"][1].push_back(point.x);
  item["values"] = Json::array();
  for (const GridPoint& a : first) {
    Json row = Json::array();
    for (const GridPoint& b : second) {
      row.push_back(short_number(effect(a.standardised, b.standardised)));
    }
    item["values"].push_back(std::move(row));
  }
}

Json features_json(const SyntheticTruth& truth, std::span<const std::string> names) {
  Json list = Json::array();
  for (std::size_t f = 0; f < truth.features.size(); ++f) {
    const SyntheticFeature& feature = truth.features[f];
    Json item = {{"name", names[f]},
                 {"role", name_of(feature.role)},
                 {"kind", name_of(feature.kind)},
                 {"missing", feature.missing}};
    // Effects take a missing value for the base value 0.
    if (feature.missing > 0) item["missing_as"] = feature.unit * shown_value(feature.kind, 0);
    if (feature.role == FeatureRole::kCorrelated) {
      Json sources = Json::array();
      for (const Loading& loading : feature.loadings) {
        if (loading.weight != 0) sources.push_back({names[loading.index], loading.weight});
      }
      item["sources"] = sources;
    }
    list.push_back(item);
  }
  return list;
}

}  // namespace

std::string truth_json(const SyntheticSource& source, bool with_utilities) {
  const SyntheticTruth& truth = source.truth();
  const auto names = source.table().feature_names();
  Json json;
  json["parameters"] = Json::object();
  for (const ParamInfo& info : list_params(source.params())) {
    json["parameters"][info.name] = info.value;
  }
  json["features"] = features_json(truth, names);
  json["main_effects"] = Json::array();
  for (const MainEffect& effect : truth.main_effects) {
    json["main_effects"].push_back(
        {{"feature", names[effect.feature]},
         {"shape", name_of(effect.shape)},
         {"weight", effect.weight},
         {"points", curve_points(truth.features[effect.feature], effect)}});
  }
  json["interactions"] = Json::array();
  for (const PairEffect& effect : truth.interactions) {
    Json item = {{"features", {names[effect.first], names[effect.second]}},
                 {"kind", name_of(effect.kind)},
                 {"weight", effect.weight}};
    add_surface(item, truth, effect);
    json["interactions"].push_back(std::move(item));
  }
  json["query_shift"] = truth.query_shift;
  json["noise"] = truth.noise;
  json["thresholds"] = source.thresholds();
  json["flipped"] = Json::array();
  for (const GradeFlip& flip : source.flips()) {
    json["flipped"].push_back(
        {{"row", flip.row}, {"old_grade", flip.old_grade}, {"new_grade", flip.new_grade}});
  }
  if (with_utilities) json["utilities"] = source.utilities();
  return json.dump(1) + "\n";
}

}  // namespace glassrank
