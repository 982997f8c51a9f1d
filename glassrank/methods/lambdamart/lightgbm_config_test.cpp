#include "glassrank/methods/lambdamart/lightgbm_config.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/methods/lambdamart/lambdamart.h"
#include "glassrank/methods/lambdamart/lightgbm_table.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Notes = std::vector<std::string>;
using Settings = std::map<std::string, std::string>;

Settings settings_of(std::string_view text) {
  Settings settings;
  for (const ParamAssignment& setting : import_lightgbm_config(text).settings) {
    settings[setting.name] = fmt::format("{}", fmt::join(setting.values, ";"));
  }
  return settings;
}

Notes notes_of(std::string_view text) { return import_lightgbm_config(text).notes; }
Notes lost_of(std::string_view text) { return import_lightgbm_config(text).lost; }

TEST(LightgbmConfig, TranslatesAConfigOfTheLightgbmExamples) {
  const Settings settings = settings_of(
      "task = train\n"
      "boosting_type = gbdt\n"
      "objective = lambdarank\n"
      "metric = ndcg\n"
      "ndcg_eval_at = 1,3,5\n"
      "metric_freq = 1\n"
      "is_training_metric = true\n"
      "label_gain =\n"
      "max_bin = 127  # fewer\n"
      "data = rank.train\n"
      "valid_data = rank.test\n"
      "early_stopping = 50\n"
      "num_trees = 100\n"
      "learning_rate = 0.1\n"
      "num_leaves = 31\n"
      "tree_learner = serial\n"
      "min_data_in_leaf = 50\n"
      "min_sum_hessian_in_leaf = 5.0\n"
      "output_model = LightGBM_model.txt\n");
  const Settings wanted = {{"objective", "lambdarank"},  {"train", "rank.train"},
                           {"valid", "rank.test"},       {"out", "LightGBM_model.txt"},
                           {"model_format", "lightgbm"}, {"metric", "ndcg@1;ndcg@3;ndcg@5"},
                           {"log_every", "1"},           {"train_metric", "true"},
                           {"max_bins", "127"},          {"patience", "50"},
                           {"num_trees", "100"},         {"learning_rate", "0.1"},
                           {"num_leaves", "31"},         {"min_leaf_rows", "50"},
                           {"min_leaf_hessian", "5.0"},  {"for_text", "true"}};
  EXPECT_EQ(settings, wanted);
}

TEST(LightgbmConfig, KeepsEveryTreeWithoutEarlyStoppingAsLightgbmDoes) {
  EXPECT_EQ(settings_of("objective=lambdarank")["patience"], "0");
  EXPECT_EQ(settings_of("objective=lambdarank\nearly_stopping_round=-1")["patience"], "0");
}

TEST(LightgbmConfig, QuantizedGradientsAreTheFastModeOnAllRows) {
  Settings settings = settings_of("use_quantized_grad=true\nquant_train_renew_leaf=true");
  EXPECT_EQ(settings["precision"], "fast");
  EXPECT_EQ(settings["active"], "all");
  EXPECT_EQ(settings_of("use_quantized_grad=false").count("precision"), 0U);
  EXPECT_EQ(settings_of("objective=lambdarank").count("active"), 0U);
  EXPECT_EQ(notes_of("objective=lambdarank\nuse_quantized_grad=1\nnum_grad_quant_bins=4\n"
                     "stochastic_rounding=true"),
            Notes{});
  EXPECT_EQ(notes_of("objective=lambdarank\nuse_quantized_grad=1\nnum_grad_quant_bins=16\n"
                     "stochastic_rounding=false"),
            (Notes{"line 3: num_grad_quant_bins = 16 has no counterpart; gradients have our own "
                   "steps",
                   "line 4: stochastic_rounding = false has no counterpart"}));
  // Without the flag they mean nothing there either.
  EXPECT_EQ(notes_of("objective=lambdarank\nnum_grad_quant_bins=16"), Notes{});
}

TEST(LightgbmConfig, BagsOnlyWithShareAndFrequency) {
  EXPECT_EQ(settings_of("bagging_fraction=0.5").count("sample.method"), 0U);
  EXPECT_EQ(settings_of("bagging_freq=2").count("sample.method"), 0U);
  Settings rows = settings_of("subsample=0.5\nsubsample_freq=2");
  EXPECT_EQ(rows["sample.method"], "rows");
  EXPECT_EQ(rows["sample.fraction"], "0.5");
  EXPECT_EQ(rows["sample.every"], "2");
  EXPECT_EQ(settings_of("bagging=0.5\nbagging_freq=1\nbagging_by_query=true")["sample.method"],
            "queries");
  Settings goss = settings_of("data_sample_strategy=goss\ntop_rate=0.3");
  EXPECT_EQ(goss["sample.method"], "goss");
  EXPECT_EQ(goss["sample.top"], "0.3");
  EXPECT_EQ(goss["sample.other"], "0.1");
  EXPECT_EQ(settings_of("boosting=goss")["sample.method"], "goss");
}

TEST(LightgbmConfig, NumbersFeaturesAsTheDataDoes) {
  // Position 0 is the first column of a CSV file, but the id 0 of a LETOR file.
  EXPECT_EQ(settings_of("data=a.csv\nmonotone_constraints=1,0,-1")["monotone"], "+1;-3");
  EXPECT_EQ(settings_of("data=a.txt\nmonotone_constraints=[0,1,0,-1]")["monotone"], "+1;-3");
  EXPECT_EQ(settings_of("data=a.csv.gz\ninteraction_constraints=[0,1],[2]")["interactions"],
            "[1,2];[3]");
}

TEST(LightgbmConfig, TranslatesObjectives) {
  EXPECT_EQ(settings_of("objective=rank_xendcg")["objective"], "rank_xendcg");
  EXPECT_EQ(settings_of("objective=binary")["objective"], "logistic");
  EXPECT_EQ(settings_of("num_leaves=3")["objective"], "squared_error");  // LightGBM's default
}

TEST(LightgbmConfig, NotesWhatItCannotDo) {
  EXPECT_EQ(notes_of("objective=lambdarank\nvalid=a,b"),
            Notes{"line 2: valid = b; only the first validation file is watched"});
  EXPECT_EQ(notes_of("objective=lambdarank\nmetric=rmse"),
            Notes{"line 2: metric rmse has no counterpart"});
  EXPECT_EQ(notes_of("objective=lambdarank\neval_at=1,5\nearly_stopping=9"),
            Notes{"early stopping watches the first metric, ndcg@1, only (LightGBM's "
                  "first_metric_only)"});
  EXPECT_EQ(notes_of("objective=lambdarank\neval_at=1,5\nearly_stopping=9\nfirst_metric_only=1"),
            Notes{});
}

TEST(LightgbmConfig, RefusesNamesThatLightgbmDoesNotHave) {
  EXPECT_EQ(lost_of("objective=lambdarank\nnum_leafs=3"),
            Notes{"line 2: 'num_leafs' is not a parameter of LightGBM"});
}

TEST(LightgbmConfig, RefusesWhatChangesTheObjective) {
  EXPECT_EQ(lost_of("objective=binary\nis_unbalance=true\nscale_pos_weight=2\nsigmoid=2\n"
                    "boost_from_average=false\ncegb_penalty_split=0.5\ncegb_tradeoff=2"),
            (Notes{"line 6: cegb_penalty_split = 0.5 has no counterpart",
                   "line 7: cegb_tradeoff = 2 has no counterpart",
                   "line 4: sigmoid = 2 has no counterpart with objective = binary",
                   "line 2: is_unbalance = true has no counterpart with objective = binary",
                   "line 3: scale_pos_weight = 2 has no counterpart with objective = binary",
                   "line 5: boost_from_average = false has no counterpart with objective = "
                   "binary"}));
  EXPECT_EQ(lost_of("objective=l2\nreg_sqrt=true\nnum_class=3"),
            (Notes{"line 3: num_class = 3 has no counterpart",
                   "line 2: reg_sqrt = true has no counterpart with objective = l2"}));
  const std::string_view harmless =
      "objective=binary\nis_unbalance=false\nscale_pos_weight=1\nsigmoid=1\ncegb_tradeoff=1\n"
      "boost_from_average=true\ncegb_penalty_split=0\nnum_class=1\nreg_sqrt=false\ndrop_rate=0.3";
  EXPECT_EQ(lost_of(harmless), Notes{});
  EXPECT_EQ(notes_of(harmless), Notes{});
}

TEST(LightgbmConfig, NotesWhatChangesNothingWithTheObjective) {
  const std::string_view text =
      "objective=lambdarank\nis_unbalance=true\nboost_from_average=false\nreg_sqrt=true";
  EXPECT_EQ(lost_of(text), Notes{});
  EXPECT_EQ(notes_of(text),
            (Notes{"line 2: is_unbalance = true changes nothing with objective = lambdarank",
                   "line 3: boost_from_average = false changes nothing with objective = lambdarank",
                   "line 4: reg_sqrt = true changes nothing with objective = lambdarank"}));
}

TEST(LightgbmConfig, TakesTheGainsOfGrades) {
  Settings settings = settings_of("objective=lambdarank\nlabel_gain=0,1,3,7,15,31");
  EXPECT_EQ(settings["gain"], "table");
  EXPECT_EQ(settings["gain_table"], "0;1;3;7;15;31");
  EXPECT_EQ(lost_of("objective=lambdarank\nlabel_gain=0,1,3"), Notes{});
  EXPECT_EQ(settings_of("objective=lambdarank\nlabel_gain=").count("gain"), 0U);
}

TEST(LightgbmConfig, RefusesAMetricThatWouldStopTraining) {
  EXPECT_EQ(lost_of("objective=binary\nmetric=binary_logloss\nearly_stopping=9"),
            Notes{"line 2: metric binary_logloss, which may stop training, has no counterpart"});
}

TEST(LightgbmConfig, ListsWhatChangesTheModelAndCannotBeHad) {
  EXPECT_EQ(lost_of("objective=lambdarank\nextra_trees=true\npath_smooth=0"),
            Notes{"line 2: extra_trees = true has no counterpart"});
  EXPECT_EQ(lost_of("objective=poisson"),
            Notes{"objective = poisson has no counterpart; trained is lambdarank"});
  EXPECT_EQ(lost_of("objective=lambdarank\nboosting=dart"),
            Notes{"line 2: boosting = dart has no counterpart"});
  EXPECT_EQ(lost_of("objective=lambdarank\ntask=predict"),
            Notes{"line 2: task = predict; only training is imported"});
  EXPECT_EQ(lost_of("objective=lambdarank\ndata=a.csv\ncat_feature=0,1\nlinear_tree=1"),
            (Notes{"line 4: linear_tree = 1 has no counterpart",
                   "line 3: categorical_feature = 0,1: write name:COLUMN; numbers of columns are "
                   "not understood"}));
  // Another way to the same kind of model.
  EXPECT_EQ(lost_of("objective=lambdarank\nbagging_seed=9\nnum_machines=2"), Notes{});
  EXPECT_EQ(notes_of("objective=lambdarank\nbagging_seed=9\nnum_machines=2").size(), 2U);
}

TEST(LightgbmConfig, TakesColumnsByName) {
  auto settings = settings_of(
      "data=a.csv\nlabel=name:clicks\nquery=name:q\nweight=name:w\nignore_column=name:a,b\n"
      "categorical_feature=name:brand,colour");
  EXPECT_EQ(settings["read.grade_column"], "clicks");
  EXPECT_EQ(settings["read.query_column"], "q");
  EXPECT_EQ(settings["read.weight_column"], "w");
  EXPECT_EQ(settings["read.ignore_columns"], "a;b");
  EXPECT_EQ(settings["read.categorical"], "brand;colour");
  // Text has ids, as the first column has the label.
  EXPECT_EQ(settings_of("data=a.txt\ncategorical_feature=3,4")["read.categorical"], "3;4");
  EXPECT_EQ(lost_of("data=a.csv\nlabel_column=0"), Notes{});
  EXPECT_EQ(lost_of("data=a.csv\ngroup_column=1"),
            Notes{"line 2: group_column = 1: write name:COLUMN; numbers of columns are not "
                  "understood"});
}

TEST(LightgbmConfig, CountsTheColumnsOfTextAsLightgbmDoes) {
  EXPECT_EQ(settings_of("data=a.txt\noutput_model=m.txt")["for_text"], "true");
  EXPECT_EQ(settings_of("data=a.csv\noutput_model=m.txt").count("for_text"), 0U);
  EXPECT_EQ(settings_of("data=a.txt").count("for_text"), 0U);
}

TEST(LightgbmConfig, SeesATableWhateverTheLengthOfItsName) {
  // Around 16 characters a name moves from the string object to the heap.
  for (std::size_t length = 5; length < 70; ++length) {
    const std::string name = std::string(length - 4, 'a') + ".csv";
    EXPECT_EQ(settings_of(fmt::format("data = {}\nmonotone_constraints=0,1", name))["monotone"],
              "+2")
        << name;
  }
}

TEST(LightgbmConfig, ReadsFlagsAsLightgbmDoes) {
  for (const std::string_view yes : {"true", "True", "TRUE", "+", "1"}) {
    EXPECT_EQ(settings_of(fmt::format("lambdarank_norm={}", yes))["norm"], "true") << yes;
    EXPECT_EQ(settings_of(fmt::format("use_missing={}", yes)).count("read.missing"), 0U) << yes;
  }
  for (const std::string_view no : {"false", "False", "FALSE", "-", "0"}) {
    EXPECT_EQ(settings_of(fmt::format("lambdarank_norm={}", no))["norm"], "false") << no;
    EXPECT_EQ(lost_of(fmt::format("objective=l2\nextra_trees={}", no)), Notes{}) << no;
    EXPECT_EQ(settings_of(fmt::format("use_missing={}", no))["read.missing"], "zero") << no;
  }
  EXPECT_EQ(settings_of("bagging=0.5\nbagging_freq=1\nbagging_by_query=True")["sample.method"],
            "queries");
  EXPECT_EQ(settings_of("lambdarank_norm=").count("norm"), 0U);  // the default, as there
}

TEST(LightgbmConfig, TakesTheSigmoidOfRankingObjectivesOnly) {
  EXPECT_EQ(settings_of("objective=lambdarank\nsigmoid=2")["sigma"], "2");
  EXPECT_EQ(notes_of("objective=lambdarank\nsigmoid=2"), Notes{});
  EXPECT_EQ(settings_of("objective=binary\nsigmoid=2").count("sigma"), 0U);
  EXPECT_EQ(lost_of("objective=binary\nsigmoid=2"),
            Notes{"line 2: sigmoid = 2 has no counterpart with objective = binary"});
  EXPECT_EQ(lost_of("objective=binary\nsigmoid=1.0"), Notes{});
  EXPECT_EQ(notes_of("objective=l2\nsigmoid=2"),
            Notes{"line 2: sigmoid = 2 changes nothing with objective = l2"});
}

TEST(LightgbmConfig, TakesTheFirstOfAKeyGivenTwice) {
  EXPECT_EQ(settings_of("num_leaves=7\nnum_leaves=9")["num_leaves"], "7");
  EXPECT_EQ(settings_of("max_leaf=7\nmax_leaves=9")["num_leaves"], "7");
}

TEST(LightgbmConfig, PrefersTheNameToItsAliases) {
  EXPECT_EQ(settings_of("num_leaves=7\nmax_leaves=9")["num_leaves"], "7");
  EXPECT_EQ(settings_of("max_leaves=9\nnum_leaves=7")["num_leaves"], "7");
  EXPECT_EQ(settings_of("max_leaves=9\nnum_leaves=7\nnum_leaves=5")["num_leaves"], "7");
}

TEST(LightgbmConfig, ComparesHarmlessValuesAsNumbers) {
  EXPECT_EQ(lost_of("max_delta_step = 0\npath_smooth = 0.0\npos_bagging_fraction = 1"), Notes{});
  EXPECT_EQ(lost_of("max_delta_step = 0.5"),
            Notes{"line 1: max_delta_step = 0.5 has no counterpart"});
  EXPECT_EQ(notes_of("tree_learner = 0"), Notes{"line 1: tree_learner = 0 has no counterpart"});
}

TEST(LightgbmConfig, TakesOnePairOfQuotesOffAValue) {
  EXPECT_EQ(settings_of("data = \"tr.txt\"")["train"], "tr.txt");
  EXPECT_EQ(settings_of("data = 'a b.txt'")["train"], "a b.txt");
  EXPECT_EQ(settings_of("data = \"\"a\"\"")["train"], "\"a\"");
  EXPECT_EQ(settings_of("data = a\"")["train"], "a\"");
  EXPECT_EQ(settings_of("data = \"")["train"], "\"");
}

TEST(LightgbmConfig, StopsOnLightgbmsDefaultMetric) {
  const std::string_view text = "objective=lambdarank\nearly_stopping_round=9";
  EXPECT_EQ(settings_of(text)["metric"], "ndcg@1;ndcg@2;ndcg@3;ndcg@4;ndcg@5");
  EXPECT_EQ(notes_of(text), Notes{"early stopping watches the first metric, ndcg@1, only "
                                  "(LightGBM's first_metric_only)"});
  EXPECT_EQ(settings_of("objective=xendcg\nearly_stopping_round=9\nmetric=")["metric"],
            "ndcg@1;ndcg@2;ndcg@3;ndcg@4;ndcg@5");
  // Nothing stops, or LightGBM's default is no ndcg.
  EXPECT_EQ(settings_of("objective=lambdarank\nearly_stopping_round=0").count("metric"), 0U);
  EXPECT_EQ(settings_of("objective=binary\nearly_stopping_round=9").count("metric"), 0U);
}

TEST(LightgbmConfig, LeavesFeature0OutOfSetsUnlessTheDataIsATable) {
  const std::string_view sets = "data=a.txt\ninteraction_constraints=[0,1],[2],[0]";
  EXPECT_EQ(settings_of(sets)["interactions"], "[1];[2]");
  EXPECT_EQ(notes_of(sets), Notes{"line 2: interaction_constraints: feature 0 is left out (give "
                                  "--interactions if the ids in the data start at 0)"});
  EXPECT_EQ(notes_of("data=a.csv\ninteraction_constraints=[0]"), Notes{});
}

TEST(LightgbmConfig, SaysWhereItIsWrong) {
  const auto message = [](std::string_view text) {
    return message_of([&] { import_lightgbm_config(text); });
  };
  for (const char* feature : {"3e84", "-1", "0.5", "nan"}) {
    EXPECT_EQ(message(std::string("interaction_constraints=[0,") + feature + "]"),
              std::string("line 1: interaction_constraints: ") + feature +
                  " is not the number of a feature");
  }
  EXPECT_EQ(message("\nnum_leaves 3"), "line 2: 'num_leaves 3' is not key = value");
  EXPECT_EQ(message("bagging_freq = x"), "line 1: bagging_freq = 'x' is not a number");
  EXPECT_EQ(message("\nextra_trees = yes"), "line 2: extra_trees = 'yes' is not true or false");
  EXPECT_EQ(message("lambdarank_norm = 2"), "line 1: lambdarank_norm = '2' is not true or false");
  EXPECT_EQ(message("metric=ndcg\nfirst_metric_only = on"),
            "line 2: first_metric_only = 'on' is not true or false");
}

TEST(LightgbmConfig, EverySettingIsAParameterOfOurs) {
  // Those of the command, not of the method.
  const std::map<std::string, int> of_the_command = {
      {"train", 0},     {"start_model", 0}, {"checkpoint_every", 0},
      {"log_every", 0}, {"seed", 0},        {"threads", 0}};
  std::map<std::string, int> ours;
  const LambdamartParams params;
  for (const ParamInfo& info : list_params(params)) ours[info.name] = 1;
  std::size_t num_direct = 0;
  for (const LightgbmRow& row : lightgbm_rows()) {
    if (row.ours.empty()) continue;
    ++num_direct;
    const std::string name(row.ours);
    EXPECT_TRUE(ours.contains(name) || of_the_command.contains(name)) << name;
  }
  EXPECT_GT(num_direct, 20U);
}

}  // namespace
}  // namespace glassrank
