#pragma once
// How the score depends on a feature, over the rows of the background data:
//
//   pdp  partial dependence: the mean score when every row has this value (partial_dependence.h);
//        also of two features together
//   ice  individual conditional expectation: the same for single documents, without the mean
//   ale  accumulated local effects (Apley and Zhu 2020): rows are changed only within their own
//        bin of the feature, and the differences add up from bin to bin. Where features go together
//        pdp asks for rows that do not exist; ale does not.
//
// A curve of a forest or an additive model is a step function; with points = 0 it is given in all
// its cells, so between the edges nothing is left to guess. Otherwise, and for black boxes, it is
// given at values that occur, evenly by number of rows. A missing value has a place of its own,
// last, where the model tells it apart; ale has no order for it and leaves such rows out.
//
// Centring: none; `mean` takes off a curve's mean over the rows' own values, which leaves its
// shape; `query` takes off the mean score of the document's query as it is. Scores have a level
// that differs from query to query and moves no document: only what is above or below the others
// of the query does. Curves of documents of different queries can be compared after that.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/base/table.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class DependenceKind { kPartial, kIce, kAle };
template <>
struct EnumNames<DependenceKind> {
  static std::span<const std::pair<std::string_view, DependenceKind>> table();
};
std::string_view name_of(DependenceKind kind);

enum class Centring { kNone, kMean, kQuery };
template <>
struct EnumNames<Centring> {
  static std::span<const std::pair<std::string_view, Centring>> table();
};

struct DependenceParams {
  DependenceKind kind = DependenceKind::kPartial;
  Centring centre = Centring::kNone;
  int points = 0;
  int documents = 50;

  void visit(ParamVisitor& visitor);
};

// The values of one feature that a curve has numbers for.
struct DependenceAxis {
  std::string feature;
  std::uint32_t index = 0;  // of the feature
  // Every cell of the model: number i holds for edges[i - 1] < x <= edges[i]. Otherwise `edges` is
  // empty and number i holds at points[i].
  bool is_exact = false;
  std::vector<float> edges;
  std::vector<float> points;  // ascending; exact: a value in every cell but the missing one
  bool has_missing = false;   // one more number, the last, is for missing values
  // Of a feature of categories what each point is called: its category, or "others" where a cell
  // holds several.
  std::vector<std::string> categories = {};
  std::vector<double> weights;  // of the rows by number; at points: those above the point before

  std::size_t size() const { return points.size() + (has_missing ? 1 : 0); }
  std::vector<float> values() const;  // `points`, then NaN if there is a number for missing values
  void visit(ResultVisitor& visitor) const;
};

// One document's curve.
struct IceCurve {
  std::string query;
  std::string document;
  float value = 0;   // that the document has
  double score = 0;  // at that value, as it is, centred like the curve
  std::vector<double> values;

  void visit(ResultVisitor& visitor) const;
};

struct Dependence {
  DependenceKind kind = DependenceKind::kPartial;
  Centring centre = Centring::kNone;
  std::size_t num_rows = 0;          // that the numbers are means of
  std::size_t num_left_out = 0;      // ale: rows whose value is missing
  std::vector<DependenceAxis> axes;  // one or two
  // One number per place of the axis, of two axes the second fastest; ice: the mean of its curves.
  std::vector<double> values;
  std::vector<IceCurve> curves;  // ice

  void visit(ResultVisitor& visitor) const;
};

// Of one feature, or pdp of two. Throws Error{kUsage} for features that the ranker does not have or
// that are the same, for more than two, and for two with ice or ale; Error{kInput} when all weights
// of the background rows are 0 or, for ale, when fewer than two values occur.
Dependence dependence(const Subject& subject, std::span<const std::uint32_t> features,
                      const DependenceParams& params, const Context& context);

// A line per cell, point or pair of them; ice: per document and cell.
Table dependence_table(const Dependence& dependence);

// For people to read. One feature: at most 20 ranges of about as many documents, with the mean of
// their numbers by weight, and missing values. Ice: a line per document, where its curve is lowest
// and highest. Two features: the table.
Table dependence_digest(const Dependence& dependence);

}  // namespace glassrank
