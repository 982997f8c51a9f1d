#include "glassrank/methods/training/require_numbers.h"

#include "glassrank/base/error.h"
#include "glassrank/methods/registry.h"

namespace glassrank {

void require_numbers(const Schema& schema, std::string_view method) {
  for (std::size_t f = 0; f < schema.num_features(); ++f) {
    if (!schema.is_category(f)) continue;
    fail(ErrorKind::kUsage,
         "--method {} computes with feature values, and the values of '{}' are categories; leave "
         "the feature out, or train a method that takes categories: {}",
         method, schema.feature_names()[f],
         methods_with([](const MethodTraits& traits) { return !traits.needs_numbers; }));
  }
}

}  // namespace glassrank
