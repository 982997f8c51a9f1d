#include "glassrank/evaluation/load_rows.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "testing/message_of.h"
#include "testing/small_models.h"

namespace glassrank {
namespace {

class Notices final : public LogSink {
 public:
  void log(LogLevel, std::string_view message) override { lines.emplace_back(message); }
  std::vector<std::string> lines;
};

struct Loaded {
  Dataset data;
  std::vector<std::string> notices;
};

struct File {
  std::string text;
  std::string ending = ".txt";
  ReadParams read = {};
};

template <typename Models>
Loaded load(const Models& models, const File& file) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / ("load_rows" + file.ending)).string();
  write_text_file(path, file.text);
  const auto notices = std::make_shared<Notices>();
  Loaded loaded{.data = load_rows_for(models, path, file.read, {.log_sink = notices}),
                .notices = {}};
  std::filesystem::remove(path);
  for (std::string& line : notices->lines) {
    const std::size_t at = line.find(path);
    loaded.notices.push_back(at == std::string::npos ? line : line.replace(at, path.size(), "F"));
  }
  return loaded;
}

std::vector<float> row(const Loaded& loaded, std::size_t r) {
  return {loaded.data.row(r).begin(), loaded.data.row(r).end()};
}

// Names, and no column that LightGBM found empty.
Model lightgbm_model(std::size_t num_features, std::uint32_t feature, const std::string& infos) {
  const Tree tree{.nodes = {{.feature = feature, .threshold = 1, .left = ~0, .right = ~1}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  return {.body = Forest({.trees = {tree}, .num_features = num_features}),
          .provenance = {{"format", "lightgbm v4"},
                         {"lightgbm.feature_infos", infos},
                         {"lightgbm.boosting", "gbdt"}}};
}

TEST(LoadRows, PutsColumnsInTheOrderOfTheModel) {
  // The model's features are a and b.
  const Loaded loaded = load(small_forest(), {"grade,query,b,x,a\n1,1,2,7,4\n", ".csv"});
  EXPECT_EQ(row(loaded, 0), (std::vector<float>{4, 2}));
  EXPECT_EQ(loaded.notices,
            std::vector<std::string>{"F: columns are matched to those of the model by name; 1 of "
                                     "the data's 3 features are not in the model"});
  const Loaded by_place = load(
      small_forest(), {"grade,query,b,a\n1,1,2,4\n", ".csv", {.match = MatchColumns::kPosition}});
  EXPECT_EQ(row(by_place, 0), (std::vector<float>{2, 4}));
}

TEST(LoadRows, RefusesDataWithoutTheModelsFeatures) {
  const std::string message =
      message_of([] { load(small_forest(), {"grade,query,a,c\n1,1,0,2\n", ".csv"}); });
  EXPECT_NE(message.find("does not have 1 of the 2 features of the model: 'b'"), std::string::npos)
      << message;
  // A dense file of other data.
  const std::string other = message_of([] { load(small_gam(), {"1 qid:1 1:4\n0 qid:1 1:5\n"}); });
  EXPECT_NE(other.find("has 1 features, the model has 3"), std::string::npos) << other;
}

TEST(LoadRows, FillsSparseRowsUp) {
  const Loaded loaded = load(small_gam(), {"1 qid:1 1:4\n0 qid:1 2:5\n"});
  EXPECT_EQ(row(loaded, 1), (std::vector<float>{0, 5, 0}));
  EXPECT_EQ(loaded.notices, std::vector<std::string>{
                                "F has 2 features, the model has 3: the rest count as absent"});
}

TEST(LoadRows, LetsFilesHaveMoreThanModelsThatNameWhatTheyUse) {
  Model foreign = small_gam();
  for (const char* format : {"ranklib", "quickrank"}) {
    foreign.provenance = {{"format", format}};
    const Loaded loaded = load(foreign, {"1 qid:1 1:4 2:1 3:1 4:9\n"});
    EXPECT_EQ(loaded.data.num_features(), 4U);
    EXPECT_TRUE(loaded.notices.empty());
  }
}

TEST(LoadRows, KnowsModelsThatCountTheColumnsOfTextFromZero) {
  const File file{"1 qid:1 1:4 2:1\n0 qid:1 1:0 2:3\n"};
  // Column 0 was empty in training: feature 1 of the file is column 1.
  EXPECT_EQ(row(load(lightgbm_model(3, 2, "none [0:1] [0:4]"), file), 1),
            (std::vector<float>{0, 0, 3}));
  EXPECT_EQ(load(lightgbm_model(3, 2, "none [0:1] [0:4]"), file).notices.front().substr(0, 42),
            "F: the model counts the columns of such te");
  // It had values, or a tree uses it: then a feature is missing.
  for (const Model& model :
       {lightgbm_model(3, 2, "[0:1] [0:1] [0:4]"), lightgbm_model(3, 0, "none [0:1] [0:4]")}) {
    EXPECT_NE(message_of([&] { load(model, file); }).find("has 2 features, the model has 3"),
              std::string::npos);
  }
  // XGBoost does not say whether it was empty.
  Model xgboost = lightgbm_model(3, 2, "");
  xgboost.provenance = {{"format", "xgboost 3.2.0"}};
  EXPECT_EQ(row(load(xgboost, file), 1), (std::vector<float>{0, 0, 3}));
}

TEST(LoadRows, WarnsOfAbsentValuesThatXgboostTakesAsMissing) {
  Model model = small_gam();
  model.provenance = {{"format", "xgboost 3.2.0"}};
  File file{"1 qid:1 1:4 3:1\n0 qid:1 2:5 3:1\n"};
  EXPECT_EQ(load(model, file).notices,
            std::vector<std::string>{
                "F is sparse: absent features count as 0, while XGBoost takes them as missing; "
                "absent = missing does the same"});
  file.read.absent = AbsentValue::kMissing;
  EXPECT_TRUE(load(model, file).notices.empty());
}

TEST(LoadRows, TakesSeveralModelsOfTheSameFeatures) {
  Model other = small_gam();
  const std::vector<Model> models = {small_forest(), other};
  // a and b are places 1 and 2 of a model without names.
  EXPECT_EQ(load(models, {"1 qid:1 1:4\n0 qid:1 2:5\n"}).data.num_features(), 3U);
  const std::string message =
      message_of([&] { load(models, {"grade,query,b,a,c\n1,1,2,3,4\n", ".csv"}); });
  EXPECT_EQ(message,
            "the models do not have the same features in the same order: each must be looked at "
            "alone");
}

}  // namespace
}  // namespace glassrank
