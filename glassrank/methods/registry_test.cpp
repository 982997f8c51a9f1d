#include "glassrank/methods/registry.h"

#include <set>

#include <gtest/gtest.h>

#include "glassrank/methods/training/pipeline.h"
#include "testing/message_of.h"
#include "testing/training_fixture.h"

namespace glassrank {
namespace {

const ParamInfo* find(const std::vector<ParamInfo>& infos, std::string_view name) {
  for (const ParamInfo& info : infos) {
    if (info.name == name) return &info;
  }
  return nullptr;
}

TEST(Registry, MakesEveryMethodByItsName) {
  std::set<std::string> names;
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    EXPECT_TRUE(names.emplace(info.name).second);
    EXPECT_FALSE(info.doc.empty());
    EXPECT_EQ(make_method(info.name)->name(), info.name);
    EXPECT_EQ(info.make()->name(), info.name);
    EXPECT_EQ(make_pipeline(info.name)->name(), info.name);
    EXPECT_GT(make_method(info.name)->rounds().most, 0U);
    EXPECT_FALSE(make_method(info.name)->watch().metric.empty());
    EXPECT_EQ(message_of([&] { make_pipeline(info.name)->check({.has_valid = true}); }),
              "no error");
  }
  EXPECT_FALSE(names.empty());
}

TEST(Registry, SuggestsTheNearestName) {
  for (const bool with_all : {false, true}) {
    const auto message = [&](const char* name) {
      return message_of([&] { with_all ? make_pipeline(name) : make_method(name); });
    };
    EXPECT_EQ(message("lambdamrat"), "unknown method 'lambdamrat'; did you mean 'lambdamart'?");
    EXPECT_EQ(message("ilmat"), "unknown method 'ilmat'; did you mean 'ilmart'?");
    EXPECT_EQ(message("forest"), "unknown method 'forest'; did you mean 'random-forest'?");
    EXPECT_EQ(message("spaceship"), "unknown method 'spaceship'; known: " +
                                        methods_with([](const MethodTraits&) { return true; }));
  }
}

TEST(Registry, ParametersHaveNamesOfTheirOwn) {
  for (const MethodInfo& info : method_table()) {
    const std::vector<ParamInfo> infos = list_params(*make_pipeline(info.name));
    std::set<std::string> names;
    std::set<std::string_view> aliases;
    for (const ParamInfo& param : infos) {
      EXPECT_TRUE(names.insert(param.name).second) << info.name << " " << param.name;
      EXPECT_FALSE(param.doc.empty()) << info.name << " " << param.name;
      if (param.style.alias.empty()) continue;
      EXPECT_TRUE(aliases.insert(param.style.alias).second) << info.name << " " << param.name;
    }
    // Those that everybody has under the same name.
    for (const char* shared : {"metric", "stop_metric", "train_metric", "clean.method"}) {
      EXPECT_TRUE(names.contains(shared)) << info.name << " " << shared;
    }
    // What every method does in bags of its own or has around it, RankGAM apart.
    EXPECT_EQ(names.contains("bags"), info.name != "rankgam");
    EXPECT_EQ(names.contains("stop_on"), info.name != "rankgam");
    for (const std::string& alias : std::set<std::string>(aliases.begin(), aliases.end())) {
      EXPECT_FALSE(names.contains(alias)) << info.name << " " << alias;
    }
  }
}

TEST(Registry, ParametersComeBackAsTheyWereSet) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    const auto method = make_pipeline(info.name);
    for (const ParamInfo& param : list_params(*method)) {
      SCOPED_TRACE(param.name);
      if (param.is_list && param.items.empty()) continue;
      set_param(*method, param.name, param.is_list ? param.items : std::vector{param.value});
      const std::vector<ParamInfo> after = list_params(*method);
      EXPECT_EQ(find(after, param.name)->value, param.value);
      EXPECT_EQ(find(after, param.name)->items, param.items);
    }
    // And so do others: every choice, every number next to the default.
    for (const ParamInfo& param : list_params(*method)) {
      SCOPED_TRACE(param.name);
      std::vector<std::string> values = param.choices;
      if (param.type == "bool") values = {"true", "false"};
      if (param.type == "int") {
        const long long now = std::stoll(param.value);
        const bool is_highest = static_cast<double>(now) >= param.range.high;
        values = {std::to_string(is_highest ? now - 1 : now + 1)};
      }
      for (const std::string& value : values) {
        set_param(*method, param.name, {value});
        EXPECT_EQ(find(list_params(*method), param.name)->value, value);
      }
    }
    EXPECT_EQ(message_of([&] { testing::set(*method, "metrik", "map"); }),
              "unknown parameter 'metrik'; did you mean 'metric'?");
  }
}

TEST(Registry, ACloneIsAMethodOfItsOwn) {
  for (const MethodInfo& info : method_table()) {
    SCOPED_TRACE(info.name);
    const auto method = make_pipeline(info.name);
    testing::set(*method, "train_metric", "false");
    testing::set(*method, "clean.method", "isolation-forest");
    const auto clone = method->clone();
    EXPECT_EQ(clone->name(), info.name);
    const auto value = [](const Method& of, const char* name) {
      return find(list_params(of), name)->value;
    };
    EXPECT_EQ(value(*clone, "train_metric"), "false");
    EXPECT_EQ(value(*clone, "clean.method"), "isolation-forest");
    const std::size_t rounds = method->rounds().most;
    testing::set(*clone, "train_metric", "true");
    testing::set(*clone, "clean.method", "none");
    clone->watch().metric = {"map"};
    clone->scale_rounds(0.5);
    EXPECT_EQ(value(*method, "train_metric"), "false");
    EXPECT_EQ(value(*method, "clean.method"), "isolation-forest");
    EXPECT_EQ(value(*method, "metric"), "ndcg@10");
    EXPECT_EQ(method->rounds().most, rounds);
    EXPECT_EQ(clone->rounds().most, (rounds + 1) / 2);
    testing::set(*method, "stop_metric", "ndcg@10");
    EXPECT_EQ(value(*clone, "stop_metric"), "");
    EXPECT_TRUE(method->traits().needs_values);
  }
}

}  // namespace
}  // namespace glassrank
