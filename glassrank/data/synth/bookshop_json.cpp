// The truth of the book shop as a JSON document.

#include "glassrank/base/json.h"
#include "glassrank/data/synth/bookshop.h"
#include "glassrank/data/synth/bookshop_features.h"

namespace glassrank {
namespace {

Json features_json() {
  Json list = Json::array();
  for (const BookFeature& feature : book_features()) {
    Json item = {{"name", feature.name}, {"role", name_of(feature.role)}};
    item[feature.role == BookRole::kFollows ? "follows" : "unit"] = feature.about;
    list.push_back(item);
  }
  return list;
}

Json effects_json() {
  Json list = Json::array();
  for (const BookEffect& effect : book_effects()) {
    Json points = Json::array();
    for (int i = 0; i < effect.num_points; ++i) {
      const double x = effect.low + (effect.high - effect.low) * i / (effect.num_points - 1);
      points.push_back({x, effect.curve(x)});
    }
    list.push_back({{"feature", effect.feature}, {"points", points}});
  }
  return list;
}

}  // namespace

std::string bookshop_truth_json(const Bookshop& shop) {
  Json json;
  json["scenario"] = "bookshop";
  json["features"] = features_json();
  json["main_effects"] = effects_json();
  json["interactions"] = Json::array();
  for (const BookInteraction& pair : book_interactions()) {
    json["interactions"].push_back(
        {{"features", {pair.first, pair.second}}, {"about", pair.about}});
  }
  json["thresholds"] = shop.thresholds;
  json["mistakes"] = Json::array();
  for (const JudgingMistake& mistake : shop.mistakes) {
    json["mistakes"].push_back({{"part", mistake.part},
                                {"query", mistake.query},
                                {"document", mistake.document},
                                {"row", mistake.row},
                                {"given_grade", mistake.given_grade},
                                {"true_grade", mistake.true_grade},
                                {"reason", mistake.reason}});
  }
  return json.dump(1) + "\n";
}

}  // namespace glassrank
