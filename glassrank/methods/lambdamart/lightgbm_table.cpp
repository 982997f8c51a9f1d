#include "glassrank/methods/lambdamart/lightgbm_table.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace glassrank {
namespace {

using enum LightgbmRule;

constexpr auto kRows = std::to_array<LightgbmRow>({
    // Files.
    {"task", "task_type", kTogether},
    {"config", "config_file", kNoEffect},
    {"data", "train train_data train_data_file data_filename", kSame, "train"},
    {"valid", "test valid_data valid_data_file test_data test_data_file valid_filenames",
     kTogether},
    {"output_model", "model_output model_out", kTogether},
    {"input_model", "model_input model_in", kSame, "start_model"},
    {"snapshot_freq", "save_period", kZeroIfNegative, "checkpoint_every"},
    {"header", "has_header", kNoEffect},
    {"label_column", "label", kTogether},
    {"weight_column", "weight", kTogether},
    {"group_column", "group group_id query_column query query_id", kTogether},
    {"ignore_column", "ignore_feature blacklist", kTogether},
    {"categorical_feature", "cat_feature categorical_column cat_column categorical_features",
     kTogether},
    {"save_binary", "is_save_binary is_save_binary_file", kNoEffect},
    {"two_round", "two_round_loading use_two_round_loading", kNoEffect},
    {"parser_config_file", "", kCannot, "", ""},
    {"precise_float_parser", "", kNoEffect},  // numbers are always read precisely here
    // The learner.
    {"objective", "objective_type app application loss", kTogether},
    {"boosting", "boosting_type boost", kTogether},
    {"data_sample_strategy", "", kTogether},
    {"num_iterations",
     "num_iteration n_iter num_tree num_trees num_round num_rounds nrounds num_boost_round "
     "n_estimators max_iter",
     kSame, "num_trees"},
    {"learning_rate", "shrinkage_rate eta", kSame, "learning_rate"},
    {"num_leaves", "num_leaf max_leaves max_leaf max_leaf_nodes", kSame, "num_leaves"},
    {"max_depth", "", kZeroIfNegative, "max_depth"},
    {"min_data_in_leaf", "min_data_per_leaf min_data min_child_samples min_samples_leaf", kSame,
     "min_leaf_rows"},
    {"min_sum_hessian_in_leaf",
     "min_sum_hessian_per_leaf min_sum_hessian min_hessian min_child_weight", kSame,
     "min_leaf_hessian"},
    {"lambda_l1", "reg_alpha l1_regularization", kSame, "l1"},
    {"lambda_l2", "reg_lambda lambda l2_regularization", kSame, "l2"},
    {"min_gain_to_split", "min_split_gain", kSame, "min_gain"},
    {"cat_smooth", "", kSame, "cat_smooth"},
    {"cat_l2", "", kSame, "cat_l2"},
    {"max_cat_to_onehot", "", kSame, "max_cat_to_onehot"},
    {"max_cat_threshold", "", kSame, "max_cat_threshold"},
    {"min_data_per_group", "", kSame, "min_data_per_group"},
    {"feature_fraction", "sub_feature colsample_bytree", kSame, "feature_fraction"},
    {"bagging_fraction", "sub_row subsample bagging", kTogether},
    {"bagging_freq", "subsample_freq", kTogether},
    {"bagging_by_query", "", kTogether},
    {"top_rate", "", kTogether},
    {"other_rate", "", kTogether},
    {"seed", "random_seed random_state", kSame, "seed"},
    {"bagging_seed", "bagging_fraction_seed", kOther, "", "3"},
    {"feature_fraction_seed", "", kOther, "", "2"},
    {"data_random_seed", "data_seed", kOther, "", "1"},
    {"objective_seed", "", kOther, "", "5"},
    {"monotone_constraints", "mc monotone_constraint monotonic_cst", kTogether},
    {"monotone_constraints_method", "monotone_constraining_method mc_method", kCannot, "", "basic"},
    {"monotone_penalty", "monotone_splits_penalty ms_penalty mc_penalty", kCannot, "", "0"},
    {"interaction_constraints", "", kTogether},
    {"pos_bagging_fraction", "pos_sub_row pos_subsample pos_bagging", kCannot, "", "1.0"},
    {"neg_bagging_fraction", "neg_sub_row neg_subsample neg_bagging", kCannot, "", "1.0"},
    {"feature_fraction_bynode", "sub_feature_bynode colsample_bynode", kCannot, "", "1.0"},
    {"extra_trees", "extra_tree", kCannot, "", "false"},
    {"extra_seed", "", kOfRefused},
    {"max_delta_step", "max_tree_output max_leaf_output", kCannot, "", "0.0"},
    {"path_smooth", "", kCannot, "", "0"},
    {"linear_tree", "linear_trees", kCannot, "", "false"},
    {"linear_lambda", "", kOfRefused},
    {"drop_rate", "rate_drop", kOfRefused},
    {"max_drop", "", kOfRefused},
    {"skip_drop", "", kOfRefused},
    {"xgboost_dart_mode", "", kOfRefused},
    {"uniform_drop", "", kOfRefused},
    {"drop_seed", "", kOfRefused},
    {"top_k", "topk", kOfRefused},
    {"feature_contri", "feature_contrib fc fp feature_penalty", kCannot, "", ""},
    {"cegb_tradeoff", "", kCannot, "", "1.0"},
    {"cegb_penalty_split", "", kCannot, "", "0.0"},
    {"cegb_penalty_feature_lazy", "", kCannot, "", ""},
    {"cegb_penalty_feature_coupled", "", kCannot, "", ""},
    {"forcedsplits_filename", "fs forced_splits_filename forced_splits_file forced_splits", kCannot,
     "", ""},
    {"refit_decay_rate", "", kNoEffect},
    {"use_quantized_grad", "", kTogether},
    {"num_grad_quant_bins", "", kTogether},
    {"quant_train_renew_leaf", "", kNoEffect},  // leaf values always have full precision here
    {"stochastic_rounding", "", kTogether},
    // Bins.
    {"max_bin", "max_bins", kSame, "max_bins"},
    {"min_data_in_bin", "", kSame, "min_bin_rows"},
    {"bin_construct_sample_cnt", "subsample_for_bin", kSame, "sample_rows"},
    {"max_bin_by_feature", "", kCannot, "", ""},
    {"forcedbins_filename", "", kCannot, "", ""},
    {"use_missing", "", kTogether},
    {"zero_as_missing", "", kCannot, "", "false"},
    {"enable_bundle", "is_enable_bundle bundle", kNoEffect},
    {"feature_pre_filter", "", kNoEffect},
    {"pre_partition", "is_pre_partition", kNoEffect},
    {"is_enable_sparse", "is_sparse enable_sparse sparse", kNoEffect},
    // Objectives and metrics.
    {"boost_from_average", "", kTogether, "", "true"},
    {"is_unbalance", "unbalance unbalanced_sets", kTogether, "", "false"},
    {"scale_pos_weight", "", kTogether, "", "1.0"},
    {"reg_sqrt", "", kTogether, "", "false"},
    {"num_class", "num_classes", kCannot, "", "1"},
    {"alpha", "", kOfRefused},
    {"fair_c", "", kOfRefused},
    {"poisson_max_delta_step", "", kOfRefused},
    {"tweedie_variance_power", "", kOfRefused},
    {"multi_error_top_k", "", kOfRefused},
    {"auc_mu_weights", "", kOfRefused},
    {"sigmoid", "", kTogether, "sigma", "1.0"},
    {"lambdarank_truncation_level", "", kSame, "pair_truncation"},
    {"lambdarank_norm", "", kFlag, "norm"},
    {"label_gain", "", kTogether, "gain_table"},
    {"lambdarank_position_bias_regularization", "", kCannot, "", "0.0"},
    {"metric", "metrics metric_types", kTogether},
    {"eval_at", "ndcg_eval_at ndcg_at map_eval_at map_at", kTogether},
    {"metric_freq", "output_freq", kSame, "log_every"},
    {"is_provide_training_metric", "training_metric is_training_metric train_metric", kFlag,
     "train_metric"},
    {"early_stopping_round", "early_stopping_rounds early_stopping n_iter_no_change",
     kZeroIfNegative, "patience"},
    {"early_stopping_min_delta", "", kSame, "min_delta"},
    {"first_metric_only", "", kTogether},
    // How it runs.
    {"num_threads", "num_thread nthread nthreads n_jobs", kZeroIfNegative, "threads"},
    {"verbosity", "verbose", kNoEffect},
    {"device_type", "device", kNoEffect},
    {"tree_learner", "tree tree_type tree_learner_type", kOther, "", "serial"},
    {"num_machines", "num_machine", kOther, "", "1"},
    {"machines", "workers nodes", kOther, "", ""},
    {"machine_list_filename", "machine_list_file machine_list mlist", kOther, "", ""},
    {"local_listen_port", "local_port port", kNoEffect},
    {"time_out", "", kNoEffect},
    {"deterministic", "", kNoEffect},
    {"force_col_wise", "", kNoEffect},
    {"force_row_wise", "", kNoEffect},
    {"histogram_pool_size", "hist_pool_size", kNoEffect},
    {"gpu_platform_id", "", kNoEffect},
    {"gpu_device_id", "", kNoEffect},
    {"gpu_device_id_list", "", kNoEffect},
    {"gpu_use_dp", "", kNoEffect},
    {"num_gpu", "", kNoEffect},
    // What is done with a model.
    {"saved_feature_importance_type", "", kNoEffect},
    {"output_result",
     "predict_result prediction_result predict_name prediction_name pred_name name_pred",
     kNoEffect},
    {"start_iteration_predict", "", kNoEffect},
    {"num_iteration_predict", "", kNoEffect},
    {"predict_raw_score", "is_predict_raw_score predict_rawscore raw_score", kNoEffect},
    {"predict_leaf_index", "is_predict_leaf_index leaf_index", kNoEffect},
    {"predict_contrib", "is_predict_contrib contrib", kNoEffect},
    {"predict_disable_shape_check", "", kNoEffect},
    {"pred_early_stop", "", kNoEffect},
    {"pred_early_stop_freq", "", kNoEffect},
    {"pred_early_stop_margin", "", kNoEffect},
    {"convert_model_language", "", kNoEffect},
    {"convert_model", "convert_model_file", kNoEffect},
});

struct MetricRow {
  std::string_view name;
  std::string_view ours;
};
constexpr auto kMetrics = std::to_array<MetricRow>({
    {"ndcg", "ndcg"},
    {"lambdarank", "ndcg"},
    {"rank_xendcg", "ndcg"},
    {"xendcg", "ndcg"},
    {"xe_ndcg", "ndcg"},
    {"xe_ndcg_mart", "ndcg"},
    {"xendcg_mart", "ndcg"},
    {"map", "map"},
    {"mean_average_precision", "map"},
    {"auc", "auc"},
});

// Whether `word` is one of the blank-separated words.
bool contains_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    if (words.substr(0, end) == word) return true;
    if (end == std::string_view::npos) return false;
    words.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace

std::span<const LightgbmRow> lightgbm_rows() { return kRows; }

const LightgbmRow* find_lightgbm_row(std::string_view name) {
  for (const LightgbmRow& row : kRows) {
    if (row.name == name || contains_word(row.aliases, name)) return &row;
  }
  return nullptr;
}

const LightgbmRow& lightgbm_row(std::string_view name) {
  const LightgbmRow* row = find_lightgbm_row(name);
  assert(row != nullptr);
  return *row;
}

std::string_view lightgbm_metric(std::string_view name) {
  const auto row = std::ranges::find(kMetrics, name, &MetricRow::name);
  return row == kMetrics.end() ? std::string_view{} : row->ours;
}

}  // namespace glassrank
