#include "glassrank/explain/importance_json.h"

#include <algorithm>

namespace glassrank {

void add_importance(Json& document, const Importance& importance, std::size_t top) {
  if (importance.permutation) {
    const PermutationResult& result = *importance.permutation;
    Json& json = document["permutation"];
    json = {{"value", result.value},
            {"num_queries", result.num_queries},
            {"num_skipped", result.num_skipped}};
    for (const ParamInfo& info : list_params(result.params)) json[info.name] = info.value;
  }
  std::vector<std::size_t> features = importance.order();
  if (top > 0) features.resize(std::min(top, features.size()));
  Json& list = document["importance"];
  list = Json::array();
  for (const std::size_t f : features) {
    Json json = {{"feature", f}, {"name", importance.names[f]}};
    if (importance.splits) json["splits"] = (*importance.splits)[f];
    if (importance.gain) json["gain"] = (*importance.gain)[f];
    if (importance.permutation) {
      const FeatureDrop& drop = importance.permutation->features[f];
      json["drop"] = drop.mean;
      json["low"] = drop.interval.low;
      json["high"] = drop.interval.high;
      json["spread"] = drop.spread;
    }
    list.push_back(std::move(json));
  }
}

}  // namespace glassrank
