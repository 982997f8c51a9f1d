#pragma once
// For tests of what holds for every method of the registry: their names, data that all of them can
// learn from, and trainings that take no time.

#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/dataset.h"
#include "glassrank/methods/registry.h"
#include "testing/training_fixture.h"

namespace glassrank::testing {

inline std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& info : method_table()) names.emplace_back(info.name);
  return names;
}

// Of a test with such a name as its parameter.
inline std::string name_of_method(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
}

// 60 queries of 8 documents: the grade follows x0, x1 is noise, x2 is constant, x3 is often
// missing.
inline Dataset method_data(std::uint64_t seed, bool with_weights = false) {
  RandomSequence random(CounterRandom(seed, "every method"));
  DatasetParts parts;
  constexpr std::size_t kQueries = 60;
  constexpr std::size_t kDocuments = 8;
  parts.features = Buffer<float>(kQueries * kDocuments * 4);
  std::vector<std::string> ids;
  float* x = parts.features.data();
  for (std::size_t q = 0; q < kQueries; ++q) {
    ids.push_back(fmt::format("q{}", q));
    for (std::size_t d = 0; d < kDocuments; ++d, x += 4) {
      x[0] = static_cast<float>(random.uniform());
      x[1] = static_cast<float>(random.normal());
      x[2] = 7;
      x[3] = random.below(3) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                  : static_cast<float>(random.below(5));
      const double utility = 3 * x[0] + 0.3 * random.normal();
      parts.grades.push_back(utility > 2.2 ? 2.0F : utility > 1.2 ? 1.0F : 0.0F);
      if (with_weights) parts.weights.push_back(static_cast<float>(q % 2));
    }
  }
  parts.queries = QueryGroups(ids, std::vector<std::size_t>(kQueries, kDocuments));
  for (std::size_t f = 0; f < 4; ++f) parts.schema.add_feature(fmt::format("x{}", f));
  return Dataset(std::move(parts));
}

// Short trainings, whatever the method calls its length.
inline void shorten(Method& method) {
  const std::vector<ParamInfo> infos = list_params(method);
  const auto set_if_there = [&](const char* name, const char* value) {
    for (const ParamInfo& info : infos) {
      if (info.name == name) set(method, name, value);
    }
  };
  for (const char* name : {"num_trees", "num_rounds", "epochs", "max_epochs", "max_rounds"}) {
    set_if_there(name, "12");
  }
  set_if_there("num_leaves", "6");
  set_if_there("restarts", "2");
  set_if_there("min_leaf_rows", "2");
  set_if_there("num_interactions", "1");
}

}  // namespace glassrank::testing
