#pragma once
// What a surrogate is fitted to: the score of a changed document, or what follows from it for the
// document's place in its list, where all other documents stay as they are.
//
//   score     the score S itself
//   top-k     1 when the document would be among the first k, else 0
//   rank      max(0, 1 - rank / k), its rank from 0 after it is put back into the list
//   pairwise  S - S_other: for "why is A above B?"
// Equal scores keep the order of the data, as in the ranking itself.
//
// EXS fits scores in units of the list: (S - S_min) / (S_max - S_min), so that its regression does
// not depend on the scale of scores; attributions are turned back into scores. The papers' formulas
// are other ones: (S_max - S) / S_max, which has the opposite sign and fails where S_max <= 0, and
// top-k as S > S_k.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/explain/explanation.h"
#include "glassrank/explain/subject.h"

namespace glassrank {

enum class LocalTargetKind { kScore, kTopK, kRank };
template <>
struct EnumNames<LocalTargetKind> {
  static std::span<const std::pair<std::string_view, LocalTargetKind>> table();
};

struct LocalTargetSetup {
  LocalTargetKind kind = LocalTargetKind::kScore;  // of documents; pairs are always pairwise
  std::size_t cutoff = 10;
  bool in_list_units = false;     // score and pairwise: divided by S_max - S_min
  bool as_in_the_papers = false;  // EXS's own formulas and signs for score and top-k
};

// Targets of samples with these scores.
class LocalTarget {
 public:
  // Throws Error{kUsage} when the papers' formula has nothing to divide by: the top score is 0.
  LocalTarget(const ExplainedQuery& query, const Target& target, const LocalTargetSetup& setup);

  double of(double score) const;
  // target = offset + unit * fitted: back from what the surrogate was fitted to.
  double unit() const { return unit_; }
  double offset() const { return offset_; }

 private:
  double rank_of(double score) const;

  LocalTargetSetup setup_;
  bool is_pair_;
  double other_ = 0;            // score of the other document of a pair
  double top_ = 0;              // largest score of the list
  double last_in_ = 0;          // score of the k-th document
  std::vector<double> before_;  // scores of the documents before it in the data, ascending
  std::vector<double> after_;   // and of those after it
  double unit_ = 1;
  double offset_ = 0;
};

}  // namespace glassrank
