#include "glassrank/metrics/convention.h"

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

void set_axis(ConventionChoice& choice, const std::string& axis, const std::string& text) {
  set_param(choice, axis, {text});
}

TEST(Convention, PresetsAreFoundByName) {
  for (const ConventionInfo& info : convention_table()) {
    EXPECT_EQ(find_convention(info.name).name, info.name);
  }
  EXPECT_EQ(find_convention("lightgbm").ap_divisor, ApDivisor::kRelevantOrCutoff);
  EXPECT_EQ(find_convention("trec_eval").ties, Ties::kDocumentId);
  EXPECT_EQ(message_of([] { find_convention("lightgmb"); }),
            "unknown convention 'lightgmb'; did you mean 'lightgbm'?");
}

TEST(Convention, IsNamedWithAllItsAxes) {
  EXPECT_EQ(to_text(Convention{}),
            "glassrank: gain exp, empty 1, map_empty same, r_empty same, ties input, "
            "score_precision float64, ap_divisor R, map_no_hits zero, precision_divisor k, "
            "relevant_grade 1, stop exp, max_grade 4");
  Convention changed = find_convention("sklearn");
  changed.empty = {.skip = true};
  EXPECT_TRUE(to_text(changed).starts_with("sklearn, changed: gain linear, empty skip"));
}

TEST(ConventionChoice, OverridesSingleAxesOfAPreset) {
  ConventionChoice choice;
  set_axis(choice, "ties", "worst");  // before the preset on purpose
  set_axis(choice, "convention", "xgboost");
  set_axis(choice, "empty", "0.5");
  set_axis(choice, "gain", "table");
  set_axis(choice, "gain_table", "0,1,5");
  const Convention convention = choice.resolve();
  EXPECT_EQ(convention.name, "xgboost");
  EXPECT_EQ(convention.ties, Ties::kWorst);
  EXPECT_EQ(convention.empty, (EmptyQuery{.skip = false, .value = 0.5}));
  EXPECT_EQ(convention.gain_table, (std::vector<double>{0, 1, 5}));
  EXPECT_EQ(convention.precision_divisor, PrecisionDivisor::kDocuments);
}

TEST(ConventionChoice, RefusesValuesAnAxisCannotTake) {
  const auto resolved_with = [](const std::string& axis, const std::string& text) {
    return message_of([&] {
      ConventionChoice choice;
      set_axis(choice, axis, text);
      choice.resolve();
    });
  };
  EXPECT_EQ(resolved_with("ties", "wurst"), "unknown ties 'wurst'; did you mean 'worst'?");
  EXPECT_EQ(resolved_with("empty", "none"),
            "the value of empty queries must be a number or 'skip', not 'none'");
  EXPECT_EQ(resolved_with("map_empty", "inf"),
            "the value of empty queries must be a number or 'skip', not 'inf'");
  EXPECT_EQ(resolved_with("gain", "table"),
            "gain = table needs gain_table, for example gain_table = 0,1,3,7,15");
  EXPECT_EQ(resolved_with("gain_table", "0,1"),
            "gain_table is for gain = table only; set gain = table too");
  EXPECT_EQ(resolved_with("gain_table", "0,-1"),
            "gain_table = -1 is out of range; it must be x >= 0");
  EXPECT_EQ(resolved_with("relevant_grade", "0"),
            "relevant_grade = 0 is out of range; it must be x > 0");
}

}  // namespace
}  // namespace glassrank
