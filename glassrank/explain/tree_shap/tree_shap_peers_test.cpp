// Values that LightGBM 4.7.0 and XGBoost 3.4.0 gave for small models of theirs, trained on random
// rows with missing values. tests/compat compares with whichever versions are installed.

#include <limits>

#include <gtest/gtest.h>

#include "glassrank/explain/tree_shap/tree_shap.h"
#include "glassrank/models/io/lightgbm_text.h"
#include "glassrank/models/io/xgboost_json.h"
#include "testing/model_bodies.h"
#include "testing/shap_calls.h"

namespace glassrank {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<float>& rows() {
  static const std::vector<float> kRows = {0.32F,  0.51F, -1.49F, 2.25F,  -1.48F, kNan,
                                           0.18F,  1.01F, 1.66F,  -0.17F, 0.05F,  2.26F,
                                           -0.96F, 0.2F,  0.06F,  -1.51F};
  return kRows;
}

// lambdarank, 2 trees of 6 leaves.
constexpr const char* kLightgbmModel = R"(tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=3
objective=lambdarank
feature_names=Column_0 Column_1 Column_2 Column_3
feature_infos=[-2.9300000667572021:2.630000114440918] [-2.9900000095367432:2.5799999237060547] [-4.059999942779541:2.7999999523162842] [-2.4100000858306885:2.5799999237060547]
tree_sizes=778 749

Tree=0
num_leaves=6
num_cat=0
split_feature=0 0 1 2 3
split_gain=32.7755 8.70042 2.45341 2.14458 1.78616
threshold=-1.0000000180025095e-35 0.92500001192092907 -0.12499999627470969 1.0000000180025095e-35 -2.2300000190734859
decision_type=8 10 8 10 10
left_child=4 2 3 -2 -1
right_child=1 -3 -4 -5 -6
leaf_value=-0.0087067858598069581 0.13116599254842351 0.56831328056287511 0.20023638568550037 -0.46257672576769149 -0.51793738549928192
leaf_weight=0.67776848375797261 1.0037228614091875 5.9485723217949271 4.0580125153064746 1.2045588660985229 7.2629757402464747
leaf_count=19 30 66 111 30 144
internal_value=-1.57853e-09 0.308449 0.0617614 -0.192705 -0.474473
internal_weight=20.1556 12.2149 6.26629 2.20828 7.94074
internal_count=400 237 171 60 163
is_linear=0
shrinkage=0.3


Tree=1
num_leaves=6
num_cat=0
split_feature=0 1 2 0 3
split_gain=32.6198 12.7771 16.098 2.84024 3.54343
threshold=1.310000002384186 0.49500000476837164 -1.0000000180025095e-35 1.0850000381469729 inf
decision_type=10 10 10 10 8
left_child=1 3 -3 4 -1
right_child=-2 2 -4 -5 -6
leaf_value=-0.38704928618811701 0.48039696517455899 -0.29829818942026842 0.48050143289517072 -0.055795638165089749 0.0023275101202368657
leaf_weight=14.872472910210494 9.7011353448033315 4.278670777566731 5.4077578019350749 4.1550511587411156 2.449914608150725
leaf_count=222 37 63 32 16 30
internal_value=1.25247e-09 -0.149545 0.136492 -0.278549 -0.33198
internal_weight=40.865 31.1639 9.68643 21.4774 17.3224
internal_count=400 363 95 268 252
is_linear=0
shrinkage=0.3


end of trees

)";

// reg:squarederror, 2 trees of depth 2.
constexpr const char* kXgboostModel =
    R"({"learner":{"attributes":{},"feature_names":[],"feature_types":[],
"gradient_booster":{"model":{"cats":{"enc":[],"feature_segments":[],"sorted_idx":[]},
"gbtree_model_param":{"num_parallel_tree":"1","num_trees":"2"},"iteration_indptr":[0,1,2],
"tree_info":[0,0],"trees":[{"base_weights":[1.0847881,0.30182928,1.6197479,-0.135,
0.27391306,0.68398875,1.1639345],"categories":[],"categories_nodes":[],
"categories_segments":[],"categories_sizes":[],"default_left":[0,0,1,0,0,0,0],"id":0,
"left_children":[1,3,5,-1,-1,-1,-1],"loss_changes":[167.47061,23.217499,39.24707,0.0,0.0,
0.0,0.0],"parents":[2147483647,0,0,1,1,2,2],"right_children":[2,4,6,-1,-1,-1,-1],
"split_conditions":[-0.0,-1.03,1.02,-0.135,0.27391306,0.68398875,1.1639345],
"split_indices":[0,0,0,0,0,0,0],"split_type":[0,0,0,0,0,0,0],"sum_hessian":[400.0,163.0,
237.0,49.0,114.0,177.0,60.0],"tree_param":{"num_deleted":"0","num_feature":"4",
"num_nodes":"7","size_leaf_vector":"1"}},{"base_weights":[0.5473487,0.15176168,0.8176383,
0.022581713,0.45850545,-0.08507816,0.45700774],"categories":[],"categories_nodes":[],
"categories_segments":[],"categories_sizes":[],"default_left":[0,0,0,0,0,0,0],"id":1,
"left_children":[1,3,5,-1,-1,-1,-1],"loss_changes":[42.752052,13.336758,22.813309,0.0,0.0,
0.0,0.0],"parents":[2147483647,0,0,1,1,2,2],"right_children":[2,4,6,-1,-1,-1,-1],
"split_conditions":[-0.0,2.58,-1.36,0.022581713,0.45850545,-0.08507816,0.45700774],
"split_indices":[0,3,1,0,0,0,0],"split_type":[0,0,0,0,0,0,0],"sum_hessian":[400.0,163.0,
237.0,144.0,19.0,21.0,216.0],"tree_param":{"num_deleted":"0","num_feature":"4",
"num_nodes":"7","size_leaf_vector":"1"}}]},"name":"gbtree"},
"learner_model_param":{"base_score":"[5E-1]","boost_from_average":"0","num_class":"0",
"num_feature":"4","num_target":"1"},"objective":{"name":"reg:squarederror",
"reg_loss_param":{"scale_pos_weight":"1"}}},"version":[3,4,0]})";

void expect_near(const std::vector<double>& ours, const std::vector<double>& theirs,
                 double tolerance) {
  ASSERT_EQ(ours.size(), theirs.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], tolerance) << i;
}

TEST(TreeShapPeers, LightgbmsContributionsAreOurs) {
  const TreeShap shap(forest_of(read_lightgbm_text(kLightgbmModel)));
  EXPECT_NEAR(shap.base_value(), -0.24336429480434935, 1e-15);
  expect_near(
      values_of(shap, rows()),
      {0.1191628753101519, 0.1808000090813599, -0.12712790187138057, -0.027532491450549965,
       -0.5204959800520585, -0.11044150828246872, 0.04857067401617037, -0.07925556256469274,
       1.4364446984795196, -0.12084031224712688, 0.0048913278736460696, -0.02842117356425517,
       -0.5204959800520585, -0.11044150828246872, 0.04857067401617037, -0.07925556256469274},
      1e-15);
}

TEST(TreeShapPeers, XgboostsContributionsAndInteractionsAreOurs) {
  const TreeShap shap(forest_of(read_xgboost_json(kXgboostModel)));
  EXPECT_NEAR(shap.base_value(), 1.3110089302062988, 1e-6);
  expect_near(
      values_of(shap, rows()),
      {0.30209457874298096, 0.038246214389801025, 0, -0.010353188961744308, -0.9018970727920532,
       0.014229752123355865, 0, -0.03575978800654411, 0.7820402979850769, 0.038246214389801025, 0,
       -0.010353188961744308, -0.4929840564727783, 0.014229752123355865, 0, -0.03575978800654411},
      1e-6);
  const std::vector<float> first(rows().begin(), rows().begin() + 4);
  expect_near(
      interactions_of(shap, first).matrices,
      {0.28195470571517944, 0.009786708280444145, 0, 0.010353188961744308, 0.009786708280444145,
       0.02845950610935688, 0, 0, 0, 0, 0, 0, 0.010353188961744308, 0, 0, -0.020706377923488617},
      1e-6);
}

}  // namespace
}  // namespace glassrank
