#include "glassrank/models/mean_model.h"

#include <vector>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

template <typename Body>
Body mean_of_kind(std::span<const Model> bags) {
  std::vector<Body> bodies;
  for (const Model& bag : bags) {
    match(
        bag, [&](const Body& body) { bodies.push_back(body); },
        [&](const auto&) {
          fail(ErrorKind::kUsage, "a {} and a {} have no mean", kind_of(bags.front()),
               kind_of(bag));
        });
  }
  return mean_of(std::span<const Body>(bodies));
}

}  // namespace

Model mean_model(std::span<const Model> bags) {
  if (bags.size() == 1) return bags.front();
  return match(bags.front(), [&]<typename Body>(const Body&) {
    return Model{.body = mean_of_kind<Body>(bags), .provenance = {}};
  });
}

}  // namespace glassrank
