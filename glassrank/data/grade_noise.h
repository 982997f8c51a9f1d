#pragma once
// Wrong grades on purpose, for experiments on noise: flips grades and says which.
//
// Modes:
//   uniform      every row, with the probability, gets another of the data's grades, each of them
//                equally likely;
//   lowest-to-highest  only rows of the lowest grade are flipped, to the highest one (0 -> 4 with
//                probability n: the synthetic outliers of Marcuzzi et al., SOUR, section 5.5).
// Whether and how a row flips is a pure function of (seed, row): independent of threads and of the
// other rows. Cost: one pass over the grades.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

enum class NoiseMode { kUniform, kLowestToHighest };
template <>
struct EnumNames<NoiseMode> {
  static std::span<const std::pair<std::string_view, NoiseMode>> table();
};

struct NoiseParams {
  double probability = 0.1;
  NoiseMode mode = NoiseMode::kUniform;

  void visit(ParamVisitor& visitor);
};

struct GradeFlip {
  std::size_t row = 0;
  float old_grade = 0;
  float new_grade = 0;
};

// The distinct grades, ascending.
std::vector<float> grade_levels(std::span<const float> grades);

// Changes `grades` in place; returns the flips by ascending row. Throws Error{kInput} if fewer than
// two levels are given: there is nothing to flip to.
std::vector<GradeFlip> flip_grades(std::span<float> grades, std::span<const float> levels,
                                   const NoiseParams& params, std::uint64_t seed);

struct NoisyDataset {
  Dataset data;  // shares the feature matrix of the original
  std::vector<GradeFlip> flips;
};
NoisyDataset add_grade_noise(const Dataset& data, const NoiseParams& params, std::uint64_t seed);

// The same data under other grades, without copying the matrix. One grade per row.
Dataset with_grades(const Dataset& data, std::vector<float> grades);

// Tab-separated: query, document, row (0-based), old_grade, new_grade; with a header line.
std::string flips_tsv(const Dataset& data, std::span<const GradeFlip> flips);

}  // namespace glassrank
