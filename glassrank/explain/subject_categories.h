#pragma once
// Which features of a subject are categories, and what these are called.

#include <cstddef>
#include <string>
#include <vector>

#include "glassrank/data/category_names.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

struct SubjectCategories {
  std::vector<bool> is_category;  // of every feature of the scorer
  CategoryNames names;            // by code; empty where codes have none

  // "red", "7", "missing".
  std::string text(std::size_t feature, float value) const;
};

// The model's where there is one, else those of the background data.
SubjectCategories categories_of(const Subject& subject);

}  // namespace glassrank
