// Every study, in the order in which --help lists them. To add one: glassrank/studies/
// study_tables.h.

#include "cli/registry.h"

namespace glassrank::cli {

std::unique_ptr<Command> make_study_ranks_command();
std::unique_ptr<Command> make_study_outliers_command();
std::unique_ptr<Command> make_study_hourglass_command();
std::unique_ptr<Command> make_study_breakdown_command();
std::unique_ptr<Command> make_study_leaf_scores_command();
std::unique_ptr<Command> make_study_noise_command();
std::unique_ptr<Command> make_study_sampling_command();
std::unique_ptr<Command> make_study_interactions_command();
std::unique_ptr<Command> make_study_explainers_command();
std::unique_ptr<Command> make_study_curves_command();

CommandList study_commands() {
  CommandList commands;
  for (const auto make :
       {make_study_ranks_command, make_study_outliers_command, make_study_hourglass_command,
        make_study_breakdown_command, make_study_leaf_scores_command, make_study_noise_command,
        make_study_sampling_command, make_study_interactions_command, make_study_explainers_command,
        make_study_curves_command}) {
    commands.push_back(make());
  }
  return commands;
}

}  // namespace glassrank::cli
