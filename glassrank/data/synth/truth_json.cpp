// The truth of a synthetic problem as a JSON document.

#include "glassrank/base/json.h"
#include "glassrank/data/synth/synthetic.h"

namespace glassrank {
namespace {

// The curve over the values the data shows, from the 2.5 % to the 97.5 % point of the base value.
Json curve_points(const SyntheticFeature& feature, const MainEffect& effect) {
  Json points = Json::array();
  float last_x = 0;
  for (int i = -20; i <= 20; ++i) {
    const float base = static_cast<float>(i) * 0.1F;
    const float x = feature.unit * shown_value(feature.kind, base);
    if (!points.empty() && x == last_x) continue;  // counts and zeros repeat
    points.push_back({x, effect(standardised_value(feature.kind, base))});
    last_x = x;
  }
  return points;
}

Json features_json(const SyntheticTruth& truth, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t f = 0; f < truth.features.size(); ++f) {
    const SyntheticFeature& feature = truth.features[f];
    Json item = {{"name", names[f]},
                 {"role", name_of(feature.role)},
                 {"kind", name_of(feature.kind)},
                 {"missing", feature.missing}};
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
  const auto& names = source.table().feature_names;
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
    json["interactions"].push_back({{"features", {names[effect.first], names[effect.second]}},
                                    {"kind", name_of(effect.kind)},
                                    {"weight", effect.weight}});
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
