#pragma once
// A generalised additive ranker: curves and a few surfaces, looked up and summed. Immutable; copies
// share the tables.
//
//   score(x) = intercept + sum over effects, in order, of the value of the cell x falls into
//                                                                                       (in double)
// An effect has one feature (a curve) or two, ascending (a surface). Each of its features is an
// axis with ascending float32 edges e[0] < ... < e[n-1] and n + 2 cells:
//   cell i < n   e[i-1] < x <= e[i]     (e[-1] = -infinity)
//   cell n       x > e[n-1]
//   cell n + 1   x is missing (NaN)
// Cells of a surface are row-major: the first feature's cell times the second axis' cells plus the
// second feature's. As with forests, the order of the sum is part of the definition.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/data/category_names.h"
#include "glassrank/models/kind.h"

namespace glassrank {

struct GamAxis {
  std::uint32_t feature = 0;
  std::vector<float> edges;

  std::size_t num_cells() const { return edges.size() + 2; }
  std::size_t missing_cell() const { return edges.size() + 1; }
  // By binary search.
  std::size_t cell(float value) const;
  bool operator==(const GamAxis&) const = default;
};

struct GamEffect {
  std::vector<GamAxis> axes;   // one or two, features ascending
  std::vector<double> values;  // one per cell
  std::vector<double> errors;  // standard deviations of the values over bags; empty without bags
  // Weight of the training rows in each cell (rows, or their weights' sum); empty when unknown.
  std::vector<double> weights;

  bool is_pair() const { return axes.size() == 2; }
  std::size_t num_cells() const;
  // The cell a row falls into. Features beyond the row's end count as missing.
  std::size_t cell(std::span<const float> row) const;
  bool operator==(const GamEffect&) const = default;
};

struct GamParts {
  std::vector<GamEffect> effects;  // no two with the same features
  std::size_t num_features = 0;
  std::vector<std::string> feature_names;  // empty, or one per feature
  double intercept = 0;
  std::string objective;  // as named by whoever trained it; may be empty
  // What the codes of features that are categories stand for: empty, or a list per feature.
  CategoryNames categories = {};

  bool operator==(const GamParts&) const = default;
};

class Gam {
 public:
  static constexpr std::string_view kKind = "additive model";
  static constexpr std::string_view kParts = "effects";
  static constexpr std::string_view kNative = "gam";
  static constexpr bool kHasSteps = true;

  // No effect: every score is 0.
  Gam();
  // Throws Error{kInput} naming the effect: no or too many axes, features that do not ascend, are
  // out of range or a repetition of another effect's, edges that are NaN or do not ascend strictly,
  // arrays of wrong length, values that are not finite, negative errors or weights.
  explicit Gam(GamParts parts);

  const GamParts& parts() const { return *parts_; }
  std::span<const GamEffect> effects() const { return parts_->effects; }
  std::size_t num_parts() const { return parts_->effects.size(); }
  std::size_t num_features() const { return parts_->num_features; }
  std::span<const std::string> feature_names() const { return parts_->feature_names; }
  double intercept() const { return parts_->intercept; }
  const std::string& objective() const { return parts_->objective; }
  const CategoryNames& categories() const { return parts_->categories; }
  // By binary search in every effect: the oracle of the table scorer.
  double score(std::span<const float> row) const;
  // "price", or "feature 3" (1-based) when the model has no names; pairs are "price x pages".
  std::string effect_name(std::size_t effect) const;
  std::string feature_name(std::size_t feature) const;

 private:
  std::shared_ptr<const GamParts> parts_;
};

// As every kind of model (kind.h).
Verification verify(const Gam& gam);
Gam mean_of(std::span<const Gam> bags);
void write_native_body(std::string& out, const Gam& gam);
void read_native_body(NativeReader& reader, Gam& gam);
std::unique_ptr<KindReport> report_of(const Gam& gam, const ReportRequest& request,
                                      const Context& context);

}  // namespace glassrank
