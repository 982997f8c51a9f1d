#include "glassrank/methods/lambdamart/peer_names.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/methods/lambdamart/lightgbm_table.h"
#include "glassrank/methods/training/pipeline.h"

namespace glassrank {
namespace {

TEST(PeerNames, AreWhatLightgbmXgboostAndScikitLearnCallOurParameters) {
  const std::vector<std::pair<std::string, std::string>> known = {
      {"n_estimators", "num_trees"},
      {"num_iterations", "num_trees"},
      {"num_boost_round", "num_trees"},
      {"eta", "learning_rate"},
      {"lr", "learning_rate"},
      {"shrinkage", "learning_rate"},
      {"early_stopping_rounds", "patience"},
      {"n_iter_no_change", "patience"},
      {"max_leaves", "num_leaves"},
      {"max_leaf_nodes", "num_leaves"},
      {"max_bin", "max_bins"},
      {"min_data_in_leaf", "min_leaf_rows"},
      {"min_child_samples", "min_leaf_rows"},
      {"min_child_weight", "min_leaf_hessian"},
      {"reg_lambda", "l2"},
      {"lambda_l2", "l2"},
      {"reg_alpha", "l1"},
      {"gamma", "min_gain"},
      {"colsample_bytree", "feature_fraction"},
      {"random_state", "seed"},
      {"n_jobs", "threads"},
      {"nthread", "threads"},
      {"eval_metric", "metric"},
      {"lambdarank_truncation_level", "pair_truncation"}};
  for (const auto& [theirs, ours] : known) {
    const auto found = find_peer_name(theirs);
    ASSERT_TRUE(found) << theirs;
    EXPECT_EQ(found->ours, ours) << theirs;
  }
}

TEST(PeerNames, SayWhatMustBeSetToo) {
  const auto subsample = find_peer_name("subsample");
  ASSERT_TRUE(subsample);
  EXPECT_EQ(subsample->ours, "sample.fraction");
  EXPECT_EQ(subsample->also, "sample.method");
  EXPECT_EQ(subsample->also_value, "rows");
}

TEST(PeerNames, SayWhereMinusOneIsZeroHere) {
  EXPECT_TRUE(find_peer_name("n_jobs")->zero_if_negative);
  EXPECT_FALSE(find_peer_name("eta")->zero_if_negative);
}

TEST(PeerNames, KnowOptionsWithOneDash) {
  EXPECT_EQ(dash_hint("-tree"), "RankLib's -tree is --num-trees here");
  EXPECT_EQ(dash_hint("-m"), "trec_eval's -m is --metric here");
  EXPECT_EQ(dash_hint("-spaceship"), "");
}

TEST(PeerNames, SetTheGainThatATableNeeds) {
  const auto found = find_peer_name("label_gain");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->ours, "gain_table");
  EXPECT_EQ(found->also, "gain");
  EXPECT_EQ(found->also_value, "table");
}

TEST(PeerNames, DoNotAnswerForWhatWeDoNotHave) {
  EXPECT_FALSE(find_peer_name("path_smooth"));
  EXPECT_FALSE(find_peer_name("verbosity"));
  EXPECT_FALSE(find_peer_name("spaceship"));
}

TEST(PeerNames, OfLightgbmAreParametersOfTraining) {
  std::set<std::string> ours = {
      "threads", "seed", "train", "valid", "start_model", "out", "checkpoint_every", "log_every"};
  for (const ParamInfo& info : list_params(*make_pipeline("lambdamart"))) ours.insert(info.name);
  ReadParams read;
  for (const ParamInfo& info : list_params(read)) ours.insert("read." + info.name);
  for (const LightgbmRow& row : lightgbm_rows()) {
    if (const auto found = find_peer_name(row.name)) {
      EXPECT_TRUE(ours.contains(found->ours)) << row.name << " -> " << found->ours;
    }
  }
}

}  // namespace
}  // namespace glassrank
