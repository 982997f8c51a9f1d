#include "glassrank/data/grade_noise.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/base/text_columns.h"

namespace glassrank {

std::span<const std::pair<std::string_view, NoiseMode>> EnumNames<NoiseMode>::table() {
  static constexpr std::pair<std::string_view, NoiseMode> kTable[] = {
      {"uniform", NoiseMode::kUniform}, {"lowest-to-highest", NoiseMode::kLowestToHighest}};
  return kTable;
}

void NoiseParams::visit(ParamVisitor& visitor) {
  visitor.field("probability", probability, "chance that a row gets a wrong grade", kShare);
  visitor.field("mode", mode,
                "uniform: to any other grade; lowest-to-highest: only the lowest grade flips, to "
                "the highest");
}

std::vector<float> grade_levels(std::span<const float> grades) {
  std::vector<float> levels;
  for (const float grade : grades) {
    // Few levels: a sorted insert beats sorting millions of grades.
    const auto place = std::ranges::lower_bound(levels, grade);
    if (place == levels.end() || *place != grade) levels.insert(place, grade);
  }
  return levels;
}

std::vector<GradeFlip> flip_grades(std::span<float> grades, std::span<const float> levels,
                                   const NoiseParams& params, std::uint64_t seed) {
  check_params(params);
  if (levels.size() < 2) {
    fail(ErrorKind::kInput, "cannot flip grades: the data has {} different grade{}, two are needed",
         levels.size(), levels.size() == 1 ? "" : "s");
  }
  const CounterRandom chance(seed, "grade noise: chance");
  const CounterRandom choice(seed, "grade noise: choice");
  std::vector<GradeFlip> flips;
  for (std::size_t row = 0; row < grades.size(); ++row) {
    if (chance.uniform(row) >= params.probability) continue;
    const float old_grade = grades[row];
    if (params.mode == NoiseMode::kLowestToHighest) {
      if (old_grade != levels.front()) continue;
      grades[row] = levels.back();
    } else {
      // One of the other levels: draw among all but one and step over the old grade.
      std::size_t level = choice.below(row, levels.size() - 1);
      if (levels[level] >= old_grade) ++level;
      grades[row] = levels[level];
    }
    flips.push_back({.row = row, .old_grade = old_grade, .new_grade = grades[row]});
  }
  return flips;
}

NoisyDataset add_grade_noise(const Dataset& data, const NoiseParams& params, std::uint64_t seed) {
  std::vector<float> grades(data.grades().begin(), data.grades().end());
  auto flips = flip_grades(grades, grade_levels(data.grades()), params, seed);
  return {.data = with_grades(data, std::move(grades)), .flips = std::move(flips)};
}

Dataset with_grades(const Dataset& data, std::vector<float> grades) {
  if (grades.size() != data.num_rows()) {
    fail(ErrorKind::kUsage, "{} grades for {} rows; there must be one per row", grades.size(),
         data.num_rows());
  }
  auto table = std::make_shared<RowTable>(data.table());
  table->grades = std::move(grades);
  return data.with_table(std::move(table));
}

std::string flips_tsv(const Dataset& data, std::span<const GradeFlip> flips) {
  std::string text = "query\tdocument\trow\told_grade\tnew_grade\n";
  std::size_t query = 0;
  for (const GradeFlip& flip : flips) {
    while (data.queries().rows(query).end <= flip.row) ++query;
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\n",
                   table_cell(data.queries().id(query)), table_cell(data.document_name(flip.row)),
                   flip.row, flip.old_grade, flip.new_grade);
  }
  return text;
}

}  // namespace glassrank
