#pragma once
// Watches boosting and remembers, for every document, how consistently it was an outlier.
//
// After the run any window [start, last round], both kinds of documents and any share p can be
// asked for without training again. A document is an outlier as outliers.h says; its grade makes it
// one kind only.
// How: only the documents at the top of each query are touched each round. A relevant document
// below the top is an outlier whenever its query is `open` (has a non-relevant document above the
// cutoff), which is counted once per query; the documents count the rounds they were exempt from
// that. Non-relevant documents count the rounds they were outliers and when the current run of them
// began. No document of a query's top can score below every document of the last round's top: what
// passes that border is little more than the top itself, and only that is ordered.
// Memory: 6 bytes a document, 16 a query, and 4 times the cutoff for queries of four times the
// cutoff or more: below 8 bytes a document from 6 documents a query on.
// Threads: rounds come one after the other; queries of a round are shared out, the result is the
// same for any number.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/boosting/observers.h"
#include "glassrank/data/binned_dataset.h"
#include "glassrank/methods/cleaners/outliers.h"

namespace glassrank {

class OutlierTracker final : public RoundObserver {
 public:
  static constexpr int kMaxRounds = 65534;

  struct Setup {
    OutlierRule rule;
    std::size_t count_from = 1;               // first round whose outliers are counted
    std::vector<std::size_t> snapshots = {};  // ascending rounds: see snapshot()
    std::size_t snapshot_start = 1;           // window of the snapshots
  };
  // `data` and `context` outlive the tracker. Throws Error{kUsage} for a cutoff of 0.
  OutlierTracker(const BinnedDataset& data, Setup setup, const Context& context);

  bool after_round(const RoundEvent& event) override;
  // One round; scores of every row.
  void add_round(std::span<const double> scores);
  // The model no longer changes (no split was left): rounds up to this one are as the last.
  void repeat_until(std::size_t num_rounds);

  std::size_t num_rounds() const { return round_; }
  // What it keeps between rounds.
  std::size_t num_bytes() const {
    return documents_.size() * sizeof(DocumentState) + queries_.size() * sizeof(QueryState) +
           tops_.size() * sizeof(std::uint32_t);
  }
  // The last round at which the row was not an outlier; 0: it always was.
  std::size_t last_round_right(std::size_t row) const;
  // Rounds from count_from on at which it was one, and their share of those rounds.
  std::size_t num_outlier_rounds(std::size_t row) const;
  double share(std::size_t row) const;
  // Outlier at every round of [start, num_rounds()].
  bool is_consistent(std::size_t row, std::size_t start) const {
    return last_round_right(row) < start && start <= round_;
  }
  // Rows, ascending, that were outliers at every round of [snapshot_start, snapshots[i]].
  const std::vector<std::uint32_t>& snapshot(std::size_t i) const { return snapshots_[i]; }

 private:
  struct DocumentState {      // rounds from 1; what they are of depends on the grade
    std::uint16_t last = 0;   // not relevant: outlier last; relevant: exempt last
    std::uint16_t first = 0;  // not relevant: begin of the run that ends at `last`; else kRelevant
    std::uint16_t count = 0;  // not relevant: outlier; relevant: exempt although the query is open
  };
  // A short query: everything is ordered.
  static constexpr std::uint64_t kNoTop = std::numeric_limits<std::uint64_t>::max();
  struct QueryState {
    std::uint64_t top_begin = kNoTop;  // in tops_: up to queries times the cutoff
    std::uint32_t num_relevant = 0;
    std::uint16_t last_closed = 0;
    std::uint16_t num_open = 0;
  };
  struct Candidate {
    double score;
    std::uint32_t slot;
  };

  // The grade's answer, kept with the state: one cache miss less.
  static constexpr std::uint16_t kRelevant = 65535;
  bool is_relevant(std::size_t row) const { return documents_[row].first == kRelevant; }
  bool can_have_outliers(const QueryState& state, std::size_t size) const;
  void add_paper(std::size_t query, std::span<const double> scores, std::vector<Candidate>& top);
  void add_released(std::size_t query, std::span<const double> scores, std::vector<Candidate>& top);
  void exempt_above_first_low(std::size_t query, std::span<const double> scores);
  double border_of(const QueryState& state, std::span<const double> scores) const;
  std::span<Candidate> find_top(const QueryState& state, std::span<const double> scores,
                                std::vector<Candidate>& buffer);
  void mark_open(QueryState& state, bool is_open) const;
  void mark_outlier(DocumentState& state) const;
  void mark_exempt(DocumentState& state, bool is_open) const;
  std::size_t last_right(std::size_t query, std::size_t row) const;
  std::size_t query_of(std::size_t row) const;
  void take_snapshots();

  const BinnedDataset& data_;
  Setup setup_;
  const Context& context_;
  std::size_t round_ = 0;
  std::vector<DocumentState> documents_;
  std::vector<QueryState> queries_;
  std::vector<std::uint32_t> tops_;  // slots at the top of the long queries, in any order
  std::vector<std::vector<std::uint32_t>> snapshots_;
};

}  // namespace glassrank
