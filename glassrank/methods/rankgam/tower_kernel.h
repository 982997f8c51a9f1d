#pragma once
// A tower's arithmetic over the rows of a batch (tower.h). Instructions are chosen at run time
// (Highway); results are the same bits for all of them: nothing is fused, and every sum over rows
// is sixteen sums, row i in sum i mod 16, of 256 rows at a time.
//
// Of a row with normalised value x, with what is the same for all rows worked out beforehand:
//   hidden_r = max(0, slope_r x + offset_r), or 0 if dropped
//   z_s      = sum over r of weight_sr hidden_r
//   normal_s = (z_s - mean_s) inverse_s
//   value_s  = gamma_s normal_s + beta_s
//   output   = sum over s of last_s max(0, value_s), or 0 if dropped
// Only x, z and the draws of dropout are kept for the way back; the rest is cheaper worked out anew
// than read from memory.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glassrank {

inline constexpr std::size_t kTowerLanes = 16;

// Rows are padded to whole vectors.
constexpr std::size_t padded_rows(std::size_t num_rows) {
  return (num_rows + kTowerLanes - 1) / kTowerLanes * kTowerLanes;
}

// `weights` and `last` contain what dropout multiplies by.
struct FoldedTower {
  std::vector<float> slopes;  // of the first layer's units
  std::vector<float> offsets;
  std::vector<float> weights;  // [second][first]
  std::vector<float> means;    // of the second layer's units
  std::vector<float> inverses;
  std::vector<float> gammas;
  std::vector<float> betas;
  std::vector<float> last;

  void resize(std::size_t first, std::size_t second);
};

struct TowerRows {
  std::size_t num_rows = 0;
  const float* x = nullptr;  // padded with zeros
  // A byte a unit and row, [unit][row], and kTowerLanes bytes beyond them. Dropped if below
  // `threshold`.
  const std::uint8_t* first_draws = nullptr;
  const std::uint8_t* second_draws = nullptr;
  int threshold = 0;
  const float* z = nullptr;  // [unit][padded row]
};

struct MeanAndVariance {
  double mean = 0;
  double variance = 0;
};
// In double precision, since values may be large and their differences small.
MeanAndVariance mean_and_variance(std::span<const float> x);
// normal = (x - mean) * scale, and zeros up to padded_rows.
void normalise_rows(std::span<const float> x, double mean, double scale, float* normal);

// Writes `z` and its sum over the rows, per unit.
void sum_second_inputs(const FoldedTower& tower, const TowerRows& rows, float* z,
                       std::span<double> sums);
// The sum of (z - mean)^2, per unit.
void sum_second_squares(const FoldedTower& tower, const TowerRows& rows, std::span<double> sums);
void tower_outputs(const FoldedTower& tower, const TowerRows& rows, std::span<float> outputs);
// As the above from x to the outputs without dropout and without keeping z.
void tower_scores(const FoldedTower& tower, const float* x, std::span<float> scores);

// The way back. Given g, d loss / d output, of every row; sums over rows, per unit of the second
// layer, where it is active (value > 0, not dropped).
struct ActiveSums {
  std::vector<double> plain;   // of g
  std::vector<double> normal;  // of g * normal
};
void sum_active(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
                ActiveSums& sums);

// d loss / d z_s = (g scale_s where active, else 0) - (normal_s slope_s + shift_s).
struct SecondGradient {
  std::vector<float> scales;
  std::vector<float> slopes;
  std::vector<float> shifts;
};
// With d_r = sum over s of weight_sr d loss / d z_s where hidden_r > 0, else 0:
struct FirstSums {
  std::vector<double> weights;  // [second][first], of d loss / d z_s * hidden_r
  std::vector<double> plain;    // of d_r
  std::vector<double> x;        // of d_r * x
};
void sum_first(const FoldedTower& tower, const TowerRows& rows, std::span<const float> gradient,
               const SecondGradient& second, FirstSums& sums);

}  // namespace glassrank
