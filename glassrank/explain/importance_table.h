#pragma once
// Importances of a model's features as a table for people, the most important first.
//
//   feature     ndcg@10 drop      95% interval   gain  splits
//   bm25_title        0.1812  0.1511 .. 0.2107  25.0%     312  ####################
//   price             0.0403  0.0297 .. 0.0502  12.1%     188  ####
//
// Gains are shares of their sum. The bar is the first measure that is there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/permutation.h"

namespace glassrank {

enum class ImportanceKind { kPermutation, kGain, kSplits };
template <>
struct EnumNames<ImportanceKind> {
  static std::span<const std::pair<std::string_view, ImportanceKind>> table();
};

// What is known of every feature; absent measures are not shown.
struct Importance {
  std::vector<std::string> names;
  std::optional<PermutationResult> permutation;
  std::optional<std::vector<double>> gain;
  std::optional<std::vector<std::uint64_t>> splits;

  bool has_any() const { return permutation || gain || splits; }
  // The measure that orders and draws: the first one there, in the order above.
  std::vector<double> leading() const;
  // Features by the leading measure, largest first; equal ones in the model's order.
  std::vector<std::size_t> order() const;
};

// The `top` first features (0: all). Empty when no measure is there.
std::string importance_table(const Importance& importance, std::size_t top);

}  // namespace glassrank
