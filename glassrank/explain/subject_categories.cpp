#include "glassrank/explain/subject_categories.h"

#include "glassrank/models/model_categories.h"

namespace glassrank {

std::string SubjectCategories::text(std::size_t feature, float value) const {
  return category_of_value(names_of(names, feature), value);
}

SubjectCategories categories_of(const Subject& subject) {
  if (subject.model != nullptr) {
    return {.is_category = category_features_of(*subject.model),
            .names = category_names_of(*subject.model)};
  }
  const Schema& schema = subject.background.schema();
  SubjectCategories found{.is_category = {}, .names = schema.category_names()};
  for (std::size_t f = 0; f < subject.num_features(); ++f) {
    found.is_category.push_back(f < schema.num_features() && schema.is_category(f));
  }
  return found;
}

}  // namespace glassrank
