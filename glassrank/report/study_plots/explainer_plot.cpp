#include "glassrank/report/study_plots/explainer_plot.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "glassrank/report/plots/bar_chart.h"

namespace glassrank {
namespace {

// In the order in which they are met.
std::vector<std::string> distinct(const TruthStudy& study, std::string TruthAgreement::* member) {
  std::vector<std::string> names;
  for (const TruthAgreement& agreement : study.agreements) {
    if (std::ranges::find(names, agreement.*member) == names.end()) {
      names.push_back(agreement.*member);
    }
  }
  return names;
}

}  // namespace

StudyTables study_tables(const TruthStudy& study) {
  StudyTables tables{.data = truth_table(study), .shown = truth_table(study), .notes = {}};
  tables.notes.push_back(fmt::format(
      "over {} queries{}; +- is the standard error; p best: of the difference to the "
      "best in pearson, empty for the best itself; top overlap: of the {} features that "
      "truly matter most",
      study.num_queries, study.num_shops > 1 ? fmt::format(" of {} shops", study.num_shops) : "",
      study.k));
  tables.notes.push_back(fmt::format(
      "the model's scores and the true utility agree by {:.3f} (rank correlation within "
      "queries): no explanation of the model can be expected to agree more",
      study.model_agreement));
  return tables;
}

Picture study_picture(const TruthStudy& study) {
  BarChart chart{.title = "Agreement of explanations with the truth",
                 .x_label = "correlation with the true contributions",
                 .series = distinct(study, &TruthAgreement::explainer),
                 .groups = {}};
  for (const std::string& question : distinct(study, &TruthAgreement::question)) {
    BarGroup group{.label = question, .bars = std::vector<BarValue>(chart.series.size())};
    for (const TruthAgreement& agreement : study.agreements) {
      if (agreement.question != question || !agreement.pearson.mean) continue;
      const auto place = std::ranges::find(chart.series, agreement.explainer);
      BarValue& bar = group.bars[static_cast<std::size_t>(place - chart.series.begin())];
      const double mean = *agreement.pearson.mean;
      const double error = agreement.pearson.error.value_or(0);
      bar = {.value = mean,
             .low = mean - 2 * error,
             .high = mean + 2 * error,
             .text = fmt::format("{:.3f}", mean)};
    }
    chart.groups.push_back(std::move(group));
  }
  return with_note(
      draw(chart),
      "a dot is the mean over queries, its line two standard errors to either side. 1: "
      "amounts go with the true contributions; 0: they have nothing to do with them.");
}

}  // namespace glassrank
