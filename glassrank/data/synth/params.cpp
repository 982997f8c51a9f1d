#include "glassrank/data/synth/params.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/ranges.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

struct Shape {
  std::int64_t queries;
  double documents_per_query;
  int features;
  int main_effects;
  int interactions;
  int query_features;
  std::vector<double> grade_counts;  // of the public data set; only their ratio matters
};

// Sizes and grade counts of MSLR-WEB30K, Yahoo! set 1, Istella-S and Istella-X.
Shape shape_values(SyntheticShape shape) {
  switch (shape) {
    case SyntheticShape::kTiny:
      return {100, 10, 20, 5, 2, 2, {50, 25, 15, 7, 3}};
    case SyntheticShape::kMslr:
      return {31531, 119.6, 136, 24, 8, 6, {1940952, 1225770, 504958, 69010, 30435}};
    case SyntheticShape::kYahoo:
      return {29921, 23.72, 519, 40, 12, 20, {185192, 254110, 202700, 54473, 13402}};
    case SyntheticShape::kIstella:
      return {33018, 103.2, 220, 30, 10, 10, {886, 24, 35, 30, 25}};
    case SyntheticShape::kIstellaX:
      return {10000, 2679.14, 220, 30, 10, 10, {26745076, 26604, 5108, 9619, 5040}};
  }
  return {};
}

void resolve_grades(SyntheticParams& params, const Shape& shape) {
  auto& shares = params.grade_shares;
  if (shares.empty()) {
    const double sum = std::accumulate(shape.grade_counts.begin(), shape.grade_counts.end(), 0.0);
    for (const double count : shape.grade_counts) shares.push_back(count / sum);
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (shares.size() < 2 || !(std::abs(sum - 1) < 1e-6)) {
    fail(ErrorKind::kUsage,
         "grade_shares = {} must be two or more shares that add up to 1, grade 0 first",
         fmt::join(shares, ","));
  }
  if (params.skew < 0) return;
  const double others = sum - shares.front();
  if (others <= 0) {
    fail(ErrorKind::kUsage, "skew cannot be applied: grade_shares has only grade 0");
  }
  for (std::size_t g = 1; g < shares.size(); ++g) shares[g] *= (1 - params.skew) / others;
  shares.front() = params.skew;
}

// The shape's numbers of features with a role, for those that were not asked for. With fewer
// features than the shape has they shrink in proportion, but something has to decide the grade.
void resolve_roles(SyntheticParams& params, const Shape& shape) {
  struct Role {
    int& number;
    int by_shape;
  };
  int room = params.features;
  room -= static_cast<int>(std::lround(params.correlated * params.features));
  room -= static_cast<int>(std::lround(params.useless * params.features));
  int wanted = 0;
  std::vector<Role> open;
  for (const Role role : {Role{params.main_effects, shape.main_effects},
                          Role{params.interactions, shape.interactions},
                          Role{params.query_features, shape.query_features}}) {
    if (role.number >= 0) {
      room -= role.number;
    } else {
      open.push_back(role);
      wanted += role.by_shape;
    }
  }
  const bool chooses_effects = params.main_effects < 0;
  room = std::clamp(room, 0, wanted);
  for (const Role& role : open) role.number = role.by_shape * room / wanted;
  if (chooses_effects) params.main_effects = std::max(params.main_effects, 1);
}

// How many of the features get each role; the remaining ones are related to the grade only
// through the latent factors they share with others.
void check_roles(const SyntheticParams& params) {
  const int correlated = static_cast<int>(std::lround(params.correlated * params.features));
  const int useless = static_cast<int>(std::lround(params.useless * params.features));
  const int own_features = params.heredity ? 0 : params.interactions;
  const int used =
      params.main_effects + own_features + params.query_features + correlated + useless;
  if (used > params.features) {
    fail(ErrorKind::kUsage,
         "{} features are too few for {} main effects, {} interactions (one feature each), {} "
         "query features, {} correlated and {} useless ones: {} are needed",
         params.features, params.main_effects, own_features, params.query_features, correlated,
         useless, used);
  }
  if (params.main_effects + params.interactions == 0) {
    fail(ErrorKind::kUsage, "no main effects and no interactions: nothing would decide the grade");
  }
  if (params.interactions > 0 && params.main_effects == 0) {
    fail(ErrorKind::kUsage, "interactions need partners: set main_effects to 1 or more");
  }
  const std::int64_t most_pairs = std::int64_t{params.main_effects} * (params.main_effects - 1) / 2;
  if (params.heredity && params.interactions > most_pairs) {
    fail(ErrorKind::kUsage, "{} main effects give at most {} interactions with heredity, not {}",
         params.main_effects, most_pairs, params.interactions);
  }
  if (params.counts + params.heavy_tails + params.mostly_zero > 1) {
    fail(ErrorKind::kUsage,
         "counts + heavy_tails + mostly_zero = {}; together they must not exceed 1",
         params.counts + params.heavy_tails + params.mostly_zero);
  }
}

}  // namespace

std::span<const std::pair<std::string_view, SyntheticShape>> EnumNames<SyntheticShape>::table() {
  static constexpr std::pair<std::string_view, SyntheticShape> kTable[] = {
      {"tiny", SyntheticShape::kTiny},
      {"mslr", SyntheticShape::kMslr},
      {"yahoo", SyntheticShape::kYahoo},
      {"istella", SyntheticShape::kIstella},
      {"istella-x", SyntheticShape::kIstellaX}};
  return kTable;
}

std::span<const std::pair<std::string_view, QuerySizes>> EnumNames<QuerySizes>::table() {
  static constexpr std::pair<std::string_view, QuerySizes> kTable[] = {
      {"fixed", QuerySizes::kFixed},
      {"gamma", QuerySizes::kGamma},
      {"long-tailed", QuerySizes::kLongTailed}};
  return kTable;
}

std::span<const std::pair<std::string_view, Grading>> EnumNames<Grading>::table() {
  static constexpr std::pair<std::string_view, Grading> kTable[] = {
      {"over-queries", Grading::kOverQueries}, {"within-query", Grading::kWithinQuery}};
  return kTable;
}

void SyntheticParams::visit(ParamVisitor& visitor) {
  visitor.field("shape", shape, "data set whose sizes and grade shares to imitate, or tiny");
  visitor.field("queries", queries, "number of queries; 0 takes that of the shape", kNotNegative);
  visitor.field("rows", rows, "exact number of rows instead of queries; 0: not limited",
                Range{.low = 0, .high = 4294967295.0});
  visitor.field("documents_per_query", documents_per_query,
                "mean number of documents per query; 0 takes that of the shape",
                Range{.low = 0, .high = 1e6});
  visitor.field("sizes", sizes, "distribution of the documents per query");
  visitor.field("features", features, "number of features; 0 takes that of the shape",
                Range{.low = 0, .high = 1e6});
  visitor.field("main_effects", main_effects,
                "number of features with a true effect of their own; -1 takes that of the shape",
                Range{.low = -1});
  visitor.field("interactions", interactions,
                "number of true pair interactions; -1 takes that of the shape", Range{.low = -1});
  visitor.field("heredity", heredity,
                "draw interactions between features that have a main effect; otherwise each "
                "interaction has one feature of its own and a partner");
  visitor.field("query_features", query_features,
                "number of features that are constant within a query; -1 takes that of the shape",
                Range{.low = -1});
  visitor.field("correlated", correlated, "share of features that are noisy copies or mixes",
                kShare);
  visitor.field("useless", useless, "share of features that are pure noise", kShare);
  visitor.field("counts", counts, "share of features that are counts with many zeros", kShare);
  visitor.field("heavy_tails", heavy_tails, "share of features with a heavy right tail", kShare);
  visitor.field("mostly_zero", mostly_zero, "share of features that are mostly 0", kShare);
  visitor.field("missing", missing, "share of values missing (NaN) in every third feature", kShare);
  visitor.field("grade_shares", grade_shares,
                "share of each grade from 0 up; empty takes those of the shape", kShare);
  visitor.field("skew", skew,
                "share of grade 0; the other shares are scaled; -1 takes that of grade_shares",
                Range{.low = -1, .high = 1});
  visitor.field("grading", grading,
                "whether the shares of the grades hold in every query or over all of them");
  visitor.field("noise", noise, "spread of the noise, in spreads of the true utility",
                kNotNegative);
  visitor.field("label_noise", label_noise, "chance that a row gets a wrong grade", kShare);
}

SyntheticParams resolve(SyntheticParams params) {
  check_params(params);
  const Shape shape = shape_values(params.shape);
  if (params.queries == 0) params.queries = shape.queries;
  if (params.documents_per_query == 0) params.documents_per_query = shape.documents_per_query;
  if (params.features == 0) params.features = shape.features;
  resolve_roles(params, shape);
  if (params.documents_per_query < 1) {
    fail(ErrorKind::kUsage, "documents_per_query = {}; it must be at least 1",
         params.documents_per_query);
  }
  resolve_grades(params, shape);
  check_roles(params);
  return params;
}

}  // namespace glassrank
