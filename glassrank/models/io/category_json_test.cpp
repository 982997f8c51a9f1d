#include "glassrank/models/io/category_json.h"

#include <gtest/gtest.h>

#include "glassrank/models/io/formats.h"
#include "glassrank/models/io/gam_csv.h"
#include "glassrank/models/io/gam_json.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/xgboost_json.h"
#include "glassrank/models/model_kinds.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

struct Warnings : LogSink {
  void log(LogLevel, std::string_view message) override { messages += message; }
  std::string messages;
};

using Texts = std::vector<std::string>;

// A split on two of three colours, one on a size, and a feature of categories in no tree.
Model shop_model() {
  const CategorySet warm(std::vector<std::uint32_t>{0, 2});
  const CategorySet small(std::vector<std::uint32_t>{5});
  Tree colours{.nodes = {{.feature = 1, .left = ~0, .right = ~1, .categories = warm}},
               .leaf_values = {1, -1},
               .statistics = {}};
  Tree sizes{.nodes = {{.feature = 3, .left = ~0, .right = ~1, .categories = small}},
             .leaf_values = {0.5, 0},
             .statistics = {}};
  return {.body = Forest({.trees = {colours, sizes},
                          .num_features = 4,
                          .feature_names = {"price", "colour", "kind", "size"},
                          .categories = {{}, {"red", "bl\"ue", "gr\xC3\xBCn"}, {"7", "3"}, {}}}),
          .provenance = {}};
}

TEST(CategoryJson, KeepsNumbersAsNumbersAndTextsAsTexts) {
  EXPECT_EQ(category_values(Texts{"1", "7", "2.5"}).dump(), "[1,7,2.5]");
  EXPECT_EQ(category_values(Texts{"1", "07"}).dump(), R"(["1","07"])");
  EXPECT_EQ(category_names_from(Json::parse(R"([1, 2.5, 3.0, true, "x"])")),
            (Texts{"1", "2.5", "3", "True", "x"}));
  EXPECT_EQ(message_of([] { category_names_from(Json::parse("[null]")); }),
            "a category is null, not a text or a number");
}

TEST(CategoryJson, LightgbmFilesKeepNamesAlsoOfUnusedFeatures) {
  const Model model = shop_model();
  const std::string text = write_lightgbm_text(model);
  EXPECT_NE(text.find("\npandas_categorical:[[\"red\",\"bl\\\"ue\",\"gr\xC3\xBCn\"],[7,3],"
                      "[0,1,2,3,4,5]]\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(category_names_of(read_lightgbm_text(text)), category_names_of(model));
}

TEST(CategoryJson, XgboostFilesKeepNames) {
  const Model model = shop_model();
  const std::string text = write_xgboost_json(model);
  EXPECT_EQ(category_names_of(read_xgboost_json(text, {})), category_names_of(model));
  EXPECT_NE(text.find(R"("sorted_idx":[1,2,0,1,0])"), std::string::npos) << text;
}

TEST(CategoryJson, ListsThatNobodyCanAssignAreLackingAndSaid) {
  std::string text = write_lightgbm_text(shop_model());
  text.replace(text.find(",[7,3]"), 6, "");
  const Model read = read_lightgbm_text(text);
  EXPECT_TRUE(category_names_of(read).empty());
  EXPECT_EQ(read.provenance.back().second,
            "the names of categories: it has 2 lists of them for 3 features of categories, so that "
            "the codes have no names");
}

TEST(CategoryJson, FilesOfAdditiveModelsKeepNames) {
  const Model gam = model_for(model_format("gam-json"), shop_model());
  const Model again = read_gam_json(write_gam_json(gam));
  EXPECT_EQ(category_names_of(again), category_names_of(gam));
  // Codes without names have become their own.
  EXPECT_EQ(category_names_of(gam)[3], (Texts{"0", "1", "2", "3", "4", "5"}));
  EXPECT_NE(write_gam_csv(gam).find("\ncolour,colour,red,red,,,,1,,\n"), std::string::npos)
      << write_gam_csv(gam);
}

TEST(CategoryJson, FormatsWithoutNamesSaySo) {
  const auto warnings = std::make_shared<Warnings>();
  Context context;
  context.log_sink = warnings;
  const std::string path = testing::TempDir() + "categories.model";
  const Model gam = model_for(model_format("gam-json"), shop_model());
  save_model(path, model_for(model_format("ranklib"), {.body = as_forest(gam)}), "ranklib",
             context);
  const std::string& said = warnings->messages;
  EXPECT_NE(said.find("ranklib files hold no names of categories: whoever uses it must give codes "
                      "for colour; native, lightgbm and xgboost files hold the names"),
            std::string::npos)
      << said;
}

}  // namespace
}  // namespace glassrank
