#include "cli/registry.h"

namespace glassrank::cli {

CommandList all_commands() {
  CommandList commands;
  commands.push_back(make_train_command());
  commands.push_back(make_clean_command());
  commands.push_back(make_predict_command());
  commands.push_back(make_evaluate_command());
  commands.push_back(make_compare_command());
  commands.push_back(make_explain_command());
  commands.push_back(make_audit_command());
  commands.push_back(make_counterfactual_command());
  commands.push_back(make_dependence_command());
  commands.push_back(make_summary_command());
  commands.push_back(make_inspect_command());
  commands.push_back(make_report_command());
  commands.push_back(make_serve_command());
  commands.push_back(make_edit_command());
  commands.push_back(make_convert_command());
  commands.push_back(make_data_stats_command());
  commands.push_back(make_data_split_command());
  commands.push_back(make_data_cache_command());
  commands.push_back(make_data_synth_command());
  commands.push_back(make_data_noise_command());
  for (auto& study : study_commands()) commands.push_back(std::move(study));
  commands.push_back(make_list_command());
  commands.push_back(make_demo_command());
  commands.push_back(make_completion_command());
  commands.push_back(make_manual_command());
  return commands;
}

}  // namespace glassrank::cli
