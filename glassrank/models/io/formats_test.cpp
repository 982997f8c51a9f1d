#include "glassrank/models/io/formats.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "testing/message_of.h"
#include "testing/random_forests.h"

namespace glassrank {
namespace {

std::string path_of(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("glassrank_formats_test_" + name)).string();
}

Model small_model() {
  const Tree tree{.nodes = {{.threshold = 1, .left = ~0, .right = ~1, .missing_left = true}},
                  .leaf_values = {0.5, 2},
                  .statistics = {}};
  return {.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
}

TEST(ModelFormats, AreKnownByTheirContent) {
  const std::string path = path_of("any");
  for (const ModelFormat& format : model_formats()) {
    if (format.write == nullptr || format.read == nullptr) continue;
    save_model(path, small_model(), format.name, {});
    EXPECT_EQ(detect_model_format(read_text_file(path)).name, format.name);
    const Model read = load_model(path, {});
    EXPECT_EQ(score_row(read, std::vector{1.0F}), 0.5) << format.name;
    EXPECT_EQ(score_row(read, std::vector{1.5F}), 2) << format.name;
    EXPECT_EQ(kind_of(read) == Gam::kKind, format.body == FormatBody::kGam);
  }
  std::filesystem::remove(path);
  EXPECT_EQ(detect_model_format(" {\n \"learner\": 1}").name, "xgboost");
  EXPECT_EQ(detect_model_format("{L").name, "xgboost-ubj");
  EXPECT_EQ(detect_model_format("tree\r\nversion=v4").name, "lightgbm");
  EXPECT_EQ(detect_model_format("\n<ranker>").name, "quickrank");
}

TEST(ModelFormats, TakeAdditiveModelsAsForests) {
  const GamEffect curve{.axes = {{.feature = 0, .edges = {1, 3}}},
                        .values = {0.5, 2, 4, 0.5},
                        .errors = {},
                        .weights = {}};
  const Model model{.body = Gam({.effects = {curve}, .num_features = 1, .intercept = 0.25}),
                    .provenance = {}};
  const std::string path = path_of("gam");
  for (const ModelFormat& format : model_formats()) {
    if (format.write == nullptr || format.read == nullptr) continue;
    save_model(path, model, format.name, {});
    const Model read = load_model(path, {});
    for (const float x : {-1.0F, 1.0F, 2.0F, 3.5F}) {
      EXPECT_EQ(score_row(read, std::vector{x}), score_row(model, std::vector{x})) << format.name;
    }
    // RankLib has a file for the additive models of RankBoost only.
    const bool holds_tables = format.body != FormatBody::kForest && format.name != "ranklib";
    EXPECT_EQ(kind_of(read) == Gam::kKind, holds_tables);
  }
  std::filesystem::remove(path);
}

TEST(ModelFormats, SayWhatIsWrong) {
  EXPECT_EQ(message_of([] { model_format("lightgmb"); }),
            "unknown model format 'lightgmb'; did you mean 'lightgbm'?");
  EXPECT_EQ(message_of([] { save_model("x", small_model(), "xgboost-ubj", {}); }),
            "format 'xgboost-ubj' is only read; written are: native, gam-json, lightgbm, "
            "lightgbm-dump, xgboost, xgboost-dump, ranklib, quickrank, solr, csv");
  const std::string path = path_of("wrong");
  write_text_file(path, "");
  EXPECT_EQ(message_of([&] { load_model(path, {}); }), path + ": the file is empty");
  write_text_file(path, "1 qid:1 1:0.5\n");
  EXPECT_EQ(message_of([&] { load_model(path, {}); }),
            path +
                ": not a model in a known format; known: native, gam-json, lightgbm, "
                "lightgbm-dump, xgboost, xgboost-ubj, xgboost-dump, ranklib, quickrank, solr, "
                "catboost");
  save_model(path, {.body = Forest({.trees = {}, .num_features = 1 << 25}), .provenance = {}},
             "native", {});
  EXPECT_EQ(message_of([&] { load_model(path, {}); }),
            path + ": 33554432 features are more than the 16777216 supported");
  std::filesystem::remove(path);
}

TEST(ModelFormats, LeaveNoFileOfAModelTheyCannotExpress) {
  const Tree tree{.nodes = {{.threshold = 1, .left = ~0, .right = ~1}},
                  .leaf_values = {1e300, 2},
                  .statistics = {}};
  const Model model{.body = Forest({.trees = {tree}, .num_features = 1}), .provenance = {}};
  const std::string path = path_of("none");
  EXPECT_NE(message_of([&] { save_model(path, model, "xgboost", {}); }), "no error");
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace glassrank
