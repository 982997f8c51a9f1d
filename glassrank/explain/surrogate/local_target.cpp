#include "glassrank/explain/surrogate/local_target.h"

#include <algorithm>
#include <array>

#include "glassrank/base/error.h"

namespace glassrank {

std::span<const std::pair<std::string_view, LocalTargetKind>> EnumNames<LocalTargetKind>::table() {
  static constexpr std::array<std::pair<std::string_view, LocalTargetKind>, 3> kNames = {
      {{"score", LocalTargetKind::kScore},
       {"top-k", LocalTargetKind::kTopK},
       {"rank", LocalTargetKind::kRank}}};
  return kNames;
}

LocalTarget::LocalTarget(const ExplainedQuery& query, const Target& target,
                         const LocalTargetSetup& setup)
    : setup_(setup), is_pair_(target.kind == TargetKind::kPair) {
  const auto [least, most] = std::ranges::minmax(query.scores);
  top_ = most;
  const std::size_t last = std::min(setup.cutoff, query.num_documents()) - 1;
  last_in_ = query.scores[query.ranking[last]];
  if (is_pair_) other_ = query.scores[target.other];
  before_.assign(query.scores.begin(), query.scores.begin() + target.document);
  after_.assign(query.scores.begin() + target.document + 1, query.scores.end());
  std::ranges::sort(before_);
  std::ranges::sort(after_);
  const bool is_score = is_pair_ || setup.kind == LocalTargetKind::kScore;
  if (!is_score) return;
  if (setup.as_in_the_papers && !is_pair_) {
    if (top_ == 0) {
      fail(ErrorKind::kUsage,
           "query {}: the top score is 0, and the paper's (top - score) / top divides by it; "
           "mode = default divides by the range of the scores",
           query.id);
    }
  } else if (setup.in_list_units) {
    unit_ = most > least ? most - least : 1;
    offset_ = is_pair_ ? 0 : least;
  }
}

double LocalTarget::rank_of(double score) const {
  // A document before it in the data wins a tie, one after it loses.
  const auto ahead = before_.end() - std::ranges::lower_bound(before_, score);
  const auto above = after_.end() - std::ranges::upper_bound(after_, score);
  return static_cast<double>(ahead + above);
}

double LocalTarget::of(double score) const {
  const auto cutoff = static_cast<double>(setup_.cutoff);
  if (is_pair_) return (score - other_) / unit_;
  switch (setup_.kind) {
    case LocalTargetKind::kScore:
      return setup_.as_in_the_papers ? (top_ - score) / top_ : (score - offset_) / unit_;
    case LocalTargetKind::kTopK:
      if (setup_.as_in_the_papers) return score > last_in_ ? 1 : 0;
      return rank_of(score) < cutoff ? 1 : 0;
    case LocalTargetKind::kRank:
      return std::max(0.0, 1 - rank_of(score) / cutoff);
  }
  return 0;
}

}  // namespace glassrank
