#pragma once
// The vector kernels of lambdarank: lambdas of documents in rank order. Instructions are chosen at
// run time (Highway), and every one of them gives the same bits: documents are taken in registers
// of kLambdaWidth, however many vectors that is, and sums over a register are folded in one order.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace glassrank {

// Arrays below hold whole vectors: reserve this many beyond the last document. All but `discounts`
// begin on 64-byte borders.
inline constexpr std::size_t kLambdaPadding = 64;

inline constexpr std::size_t kLambdaWidth = 16;

struct LambdaArrays {
  std::size_t num_documents = 0;
  std::size_t num_tops = 0;       // ranks that are paired with everything below them
  const float* scores = nullptr;  // descending, middle subtracted, times sigma
  const float* gains = nullptr;   // divided by the ideal DCG
  const float* discounts = nullptr;
  float* exponentials = nullptr;            // scratch
  float* lambdas = nullptr;                 // out: gradients (of sigma * score), rank order
  float* hessians = nullptr;                // out
  float distance_floor = 0;                 // 0: no division by the score distance
  float inverse_sigma = 1;                  // turns distances back into score units
  const std::atomic<bool>* stop = nullptr;  // once it is set, what is computed is of no use
};

// Returns S of lambdarank.h before scaling by sigma.
double compute_lambdas(const LambdaArrays& arrays);

struct ScoreRange {
  double lowest;
  double highest;
};
// Of at least one score.
ScoreRange score_range(std::span<const double> scores);

}  // namespace glassrank
