#pragma once
// In which features a document differs most from the documents of its own grade, and which grade
// it looks like instead.
//
// The place of a value is the share of all documents with a smaller one, equal ones by half:
//   place_f(x) = (#{x' < x} + #{x' = x} / 2) / #documents,       in [0, 1]; missing is smallest
//   typical_f(g) = the median of feature f over the documents of grade g
//   difference_f = place_f(x) - place_f(typical_f(g)),           in [-1, 1]
// so a difference of 0.8 says: 80 % of all documents lie between this value and what is usual for
// the grade. Places make features of any scale and any tail comparable, and a feature that has
// nothing to do with grades differs by 0.5 at most.
//   distance(g) = mean over features of |place_f(x) - place_f(typical_f(g))|
// Features that are the same for all documents of a query, in every query, say nothing of a
// document's grade within its query: they are left out of both.
// The document looks like the grade with the smallest distance (of equal ones its own, then the
// lowest). Features that do not depend on the grade add the same to every distance.
//
// Places come from at most kSampleRows documents, medians from at most as many of each grade, in
// strips of the data: cost linear in features * rows sampled (times a logarithm), then
// features * (grades + a logarithm) per document asked for. Features of queries are found in one
// pass that leaves each at its first query with two values. The same for any number of threads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct OddFeature {
  std::uint32_t feature = 0;
  float value = 0;
  float typical = 0;      // of the document's grade
  double difference = 0;  // of places; positive: larger than typical
};

struct OddRow {
  std::vector<OddFeature> features;  // largest |difference| first, of equal ones the first feature
  float looks_like = 0;              // a grade
  double distance = 0;               // to that grade
  double own_distance = 0;           // to the document's grade
};

class Oddness {
 public:
  static constexpr std::int64_t kSampleRows = 20'000;
  // Grades that get a typical document; of more different ones the most frequent. A document of
  // another grade is compared with all documents.
  static constexpr std::size_t kMaxGrades = 32;

  // Keeps a (cheap) copy of the data.
  Oddness(const Dataset& data, const Context& context);

  // The `num_features` oddest features of each row; fewer if there are not as many.
  std::vector<OddRow> of(std::span<const std::uint32_t> rows, std::size_t num_features,
                         const Context& context) const;

  std::span<const float> grades() const { return grades_; }  // with a typical document, ascending
  double place(std::size_t feature, float value) const;
  float typical(std::size_t feature, float grade) const;

 private:
  OddRow of_row(std::uint32_t row, std::size_t num_features) const;
  // grades_.size() is the place of "all documents".
  std::size_t grade_index(float grade) const;
  void summarise(std::size_t feature, std::span<const std::vector<std::uint32_t>> samples);

  Dataset data_;
  std::vector<std::uint32_t> features_;  // that vary within a query
  std::vector<float> grades_;
  std::vector<std::vector<float>> sorted_;   // per feature, of the sample; missing first
  std::vector<std::vector<float>> typical_;  // per feature and grade, then of all documents
  std::vector<std::vector<double>> typical_place_;
};

}  // namespace glassrank
