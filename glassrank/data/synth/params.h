#pragma once
// What kind of synthetic ranking problem to make.
//
// `shape` gives the sizes and grade shares of a known public data set; a parameter whose default
// says "as the shape" (0, -1 or an empty list) can be set to something else on top of it.
// resolve() replaces those by the shape's values and checks that everything fits together.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/params.h"

namespace glassrank {

enum class SyntheticShape { kTiny, kMslr, kYahoo, kIstella, kIstellaX };
template <>
struct EnumNames<SyntheticShape> {
  static std::span<const std::pair<std::string_view, SyntheticShape>> table();
};

// How the numbers of documents of the queries are distributed around their mean.
enum class QuerySizes { kFixed, kGamma, kLongTailed };
template <>
struct EnumNames<QuerySizes> {
  static std::span<const std::pair<std::string_view, QuerySizes>> table();
};

// Whether the shares of the grades hold over all rows or within every query.
enum class Grading { kOverQueries, kWithinQuery };
template <>
struct EnumNames<Grading> {
  static std::span<const std::pair<std::string_view, Grading>> table();
};

struct SyntheticParams {
  SyntheticShape shape = SyntheticShape::kTiny;
  std::int64_t queries = 0;
  std::int64_t rows = 0;
  double documents_per_query = 0;
  QuerySizes sizes = QuerySizes::kGamma;
  int features = 0;
  int main_effects = -1;
  int interactions = -1;
  bool heredity = false;
  int query_features = -1;
  double correlated = 0.2;
  double useless = 0.2;
  double counts = 0.25;
  double heavy_tails = 0.2;
  double mostly_zero = 0.15;
  double missing = 0;
  std::vector<double> grade_shares = {};
  double skew = -1;
  Grading grading = Grading::kOverQueries;
  double noise = 0.5;
  double label_noise = 0;

  void visit(ParamVisitor& visitor);
};

// The parameters with the shape's values filled in; grade_shares has at least two entries that add
// up to 1. Throws Error{kUsage} when the parts do not fit (more roles than features, ...).
SyntheticParams resolve(SyntheticParams params);

}  // namespace glassrank
