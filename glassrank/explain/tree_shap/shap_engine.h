#pragma once
// Exact Shapley values of a model's scores: the seam between the kinds of models and everything
// that shows or uses such values.
//
//   const auto engine = make_shap_engine(model, {.game = ShapGame::kPathDependent});  // plans once
//   engine->values(rows, values, context);        // as often as wanted, from any thread
//
//   base value + sum over features of values(row) = score(row)              up to rounding
//   value of i = its half of every interaction it is part of + what it does alone
//
// A game says what a score is when only some features are known (v of the two games below); the
// Shapley value of a feature is what it adds to v, averaged over all orders in which features may
// become known. Values do not depend, to the bit, on the number of threads, on which other rows are
// asked for in the same call, or on the instruction set.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/matrix_view.h"
#include "glassrank/base/params.h"
#include "glassrank/explain/tree_shap/cover.h"
#include "glassrank/models/model.h"

namespace glassrank {

// Two features, first < second.
struct FeaturePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  auto operator<=>(const FeaturePair&) const = default;
};

class ShapEngine {
 public:
  ShapEngine() = default;
  virtual ~ShapEngine() = default;
  ShapEngine(const ShapEngine&) = delete;
  ShapEngine& operator=(const ShapEngine&) = delete;

  virtual std::size_t num_features() const = 0;
  // The score of a row of which nothing is known.
  virtual double base_value() const = 0;
  // The pairs of features that can interact, ascending; all other interactions are 0.
  virtual std::span<const FeaturePair> pairs() const = 0;

  // In all three, rows may have more features than the engine looks at. They throw Error{kUsage}
  // when rows have fewer or an output has another size.

  // values: rows x features.
  void values(MatrixView<const float> rows, MatrixView<double> values,
              const Context& context) const;
  // interactions: rows x pairs(), the whole of I_ij each; and the values as above.
  void interactions(MatrixView<const float> rows, MatrixView<double> values,
                    MatrixView<double> interactions, const Context& context) const;
  // matrices: rows x (features x features), as shap has them: I_ij / 2 at (i, j) and at (j, i), on
  // the diagonal what is left of the feature's value. A row of a matrix sums to that value.
  void interaction_matrices(MatrixView<const float> rows, MatrixView<double> matrices,
                            const Context& context) const;

 private:
  // What the public ones have checked.
  virtual void values_checked(MatrixView<const float> rows, MatrixView<double> values,
                              const Context& context) const = 0;
  virtual void interactions_checked(MatrixView<const float> rows, MatrixView<double> values,
                                    MatrixView<double> interactions,
                                    const Context& context) const = 0;
};

// What stands in for features that are not known.
// kPathDependent: what training saw. A forest goes both ways by share of cover (tree_shap.h); an
//   additive model takes the mean over its training rows (gam_shap.h).
// kInterventional: the background rows' values, all features of a row together, averaged over the
//   rows (interventional_shap.h, gam_shap.h). One background row gives baseline SHAP; if that is
//   another document, the values say why the scores of the two differ.
enum class ShapGame { kPathDependent, kInterventional };
template <>
struct EnumNames<ShapGame> {
  static std::span<const std::pair<std::string_view, ShapGame>> table();
};

struct ShapSetup {
  ShapGame game = ShapGame::kPathDependent;
  Cover cover = Cover::kAuto;          // of path-dependent values of forests
  MatrixView<const float> background;  // of interventional values; not kept
};

// Whether there is an engine for the model's kind.
bool has_shap_engine(const Model& model);
// Shares nothing with the model but what is immutable: it need not outlive the engine. Throws as
// the engines' constructors do.
std::unique_ptr<const ShapEngine> make_shap_engine(const Model& model, const ShapSetup& setup,
                                                   const Context& context);

}  // namespace glassrank
