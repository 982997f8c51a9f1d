#pragma once
// Every command of the program, in the order in which --help lists them.

#include "cli/command.h"

namespace glassrank::cli {

std::unique_ptr<Command> make_train_command();
std::unique_ptr<Command> make_clean_command();
std::unique_ptr<Command> make_predict_command();
std::unique_ptr<Command> make_evaluate_command();
std::unique_ptr<Command> make_compare_command();
std::unique_ptr<Command> make_explain_command();
std::unique_ptr<Command> make_audit_command();
std::unique_ptr<Command> make_counterfactual_command();
std::unique_ptr<Command> make_dependence_command();
std::unique_ptr<Command> make_summary_command();
std::unique_ptr<Command> make_inspect_command();
std::unique_ptr<Command> make_report_command();
std::unique_ptr<Command> make_serve_command();
std::unique_ptr<Command> make_edit_command();
std::unique_ptr<Command> make_convert_command();
std::unique_ptr<Command> make_data_stats_command();
std::unique_ptr<Command> make_data_split_command();
std::unique_ptr<Command> make_data_cache_command();
std::unique_ptr<Command> make_data_synth_command();
std::unique_ptr<Command> make_data_noise_command();
CommandList study_commands();  // study/study_registry.cpp
std::unique_ptr<Command> make_list_command();
std::unique_ptr<Command> make_demo_command();
std::unique_ptr<Command> make_completion_command();
std::unique_ptr<Command> make_manual_command();

CommandList all_commands();

}  // namespace glassrank::cli
