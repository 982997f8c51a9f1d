#include "glassrank/methods/cleaners/outlier_tracker.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/base/parallel.h"
#include "glassrank/data/relevance.h"

namespace glassrank {
namespace {

constexpr std::size_t kChunkQueries = 64;
constexpr std::size_t kShortQuery = 16;
constexpr double kNoBorder = -std::numeric_limits<double>::infinity();

}  // namespace

OutlierTracker::OutlierTracker(const BinnedDataset& data, Setup setup, const Context& context)
    : data_(data), setup_(std::move(setup)), context_(context), documents_(data.num_rows()) {
  if (setup_.rule.cutoff == 0) fail(ErrorKind::kUsage, "outliers need a cutoff of at least 1");
  queries_.resize(data.num_queries());
  std::size_t num_tops = 0;
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    const std::size_t size = data.queries().rows(q).size();
    if (size < kShortQuery || size / 4 < setup_.rule.cutoff) continue;
    queries_[q].top_begin = num_tops;
    num_tops += setup_.rule.cutoff;
  }
  tops_.resize(num_tops);
  parallel_for(context, queries_.size(), kChunkQueries, [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      const RowRange rows = data.queries().rows(q);
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        if (!glassrank::is_relevant(data.grades()[r], setup_.rule.negative_grade)) continue;
        documents_[r].first = kRelevant;
        ++queries_[q].num_relevant;
      }
    }
  });
}

bool OutlierTracker::after_round(const RoundEvent& event) {
  add_round(event.scores[0]);
  return true;
}

void OutlierTracker::add_round(std::span<const double> scores) {
  if (round_ == kMaxRounds) {
    fail(ErrorKind::kUsage, "outliers can be followed over {} rounds at most", kMaxRounds);
  }
  ++round_;
  const bool is_paper = setup_.rule.definition == OutlierDefinition::kPaper;
  parallel_for(context_, queries_.size(), kChunkQueries, [&](std::size_t begin, std::size_t end) {
    std::vector<Candidate> buffer;
    for (std::size_t q = begin; q < end; ++q) {
      const RowRange rows = data_.queries().rows(q);
      if (!can_have_outliers(queries_[q], rows.size())) {
        mark_open(queries_[q], false);
      } else if (is_paper) {
        add_paper(q, scores.subspan(rows.begin, rows.size()), buffer);
      } else {
        add_released(q, scores.subspan(rows.begin, rows.size()), buffer);
      }
    }
  });
  take_snapshots();
}

bool OutlierTracker::can_have_outliers(const QueryState& state, std::size_t size) const {
  if (state.num_relevant == 0) return false;
  if (setup_.rule.definition == OutlierDefinition::kReleased) return true;
  return state.num_relevant < size && size > setup_.rule.cutoff;
}

void OutlierTracker::add_paper(std::size_t query, std::span<const double> scores,
                               std::vector<Candidate>& buffer) {
  QueryState& state = queries_[query];
  const std::size_t first_row = data_.queries().rows(query).begin;
  const std::span<const Candidate> top = find_top(state, scores, buffer);
  std::size_t num_relevant = 0;
  for (const Candidate& c : top) num_relevant += is_relevant(first_row + c.slot) ? 1 : 0;
  const bool is_open = num_relevant < top.size();
  const bool misses_some = num_relevant < state.num_relevant;
  mark_open(state, is_open);
  for (const Candidate& c : top) {
    DocumentState& document = documents_[first_row + c.slot];
    if (is_relevant(first_row + c.slot)) {
      mark_exempt(document, is_open);
    } else if (misses_some) {
      mark_outlier(document);
    }
  }
}

void OutlierTracker::add_released(std::size_t query, std::span<const double> scores,
                                  std::vector<Candidate>& buffer) {
  QueryState& state = queries_[query];
  const std::size_t first_row = data_.queries().rows(query).begin;
  const std::span<Candidate> top = find_top(state, scores, buffer);
  std::ranges::sort(top, [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.slot < b.slot;
  });
  mark_open(state, true);
  std::size_t num_left = state.num_relevant;  // relevant documents further down
  for (const Candidate& c : top) {
    const std::size_t row = first_row + c.slot;
    if (is_relevant(row)) {
      --num_left;
      mark_exempt(documents_[row], true);
    } else if (num_left > 0) {
      mark_outlier(documents_[row]);
    }
  }
  if (num_left > 0) exempt_above_first_low(query, scores);
}

// Relevant documents above every document that is not relevant or of the lowest grade.
void OutlierTracker::exempt_above_first_low(std::size_t query, std::span<const double> scores) {
  const RowRange rows = data_.queries().rows(query);
  const auto grades = data_.grades().subspan(rows.begin, rows.size());
  const float lowest = *std::ranges::min_element(grades);
  std::size_t first_low = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_relevant(rows.begin + i) && grades[i] != lowest) continue;
    if (first_low == rows.size() || scores[i] > scores[first_low]) first_low = i;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_above =
        scores[i] > scores[first_low] || (scores[i] == scores[first_low] && i < first_low);
    DocumentState& document = documents_[rows.begin + i];
    if (is_above && document.last != round_) mark_exempt(document, true);
  }
}

double OutlierTracker::border_of(const QueryState& state, std::span<const double> scores) const {
  if (state.top_begin == kNoTop || round_ == 1) return kNoBorder;
  double border = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < setup_.rule.cutoff; ++i) {
    border = std::min(border, scores[tops_[state.top_begin + i]]);
  }
  return border;
}

std::span<OutlierTracker::Candidate> OutlierTracker::find_top(const QueryState& state,
                                                              std::span<const double> scores,
                                                              std::vector<Candidate>& buffer) {
  if (buffer.size() < scores.size()) buffer.resize(scores.size());
  const double border = border_of(state, scores);
  Candidate* const found = buffer.data();
  std::size_t num_found = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    found[num_found] = {scores[i], static_cast<std::uint32_t>(i)};
    num_found += scores[i] >= border ? 1 : 0;
  }
  const std::size_t wanted = std::min(setup_.rule.cutoff, scores.size());
  if (num_found > wanted) {
    std::nth_element(found, found + wanted - 1, found + num_found,
                     [](const Candidate& a, const Candidate& b) {
                       return a.score != b.score ? a.score > b.score : a.slot < b.slot;
                     });
  }
  if (state.top_begin != kNoTop) {
    for (std::size_t i = 0; i < wanted; ++i) tops_[state.top_begin + i] = found[i].slot;
  }
  return {found, wanted};
}

void OutlierTracker::mark_open(QueryState& state, bool is_open) const {
  if (!is_open) {
    state.last_closed = static_cast<std::uint16_t>(round_);
  } else if (round_ >= setup_.count_from) {
    ++state.num_open;
  }
}

void OutlierTracker::mark_outlier(DocumentState& state) const {
  const auto round = static_cast<std::uint16_t>(round_);
  if (state.last == 0 || state.last + 1U != round_) state.first = round;
  state.last = round;
  if (round_ >= setup_.count_from) ++state.count;
}

void OutlierTracker::mark_exempt(DocumentState& state, bool is_open) const {
  state.last = static_cast<std::uint16_t>(round_);
  if (is_open && round_ >= setup_.count_from) ++state.count;
}

void OutlierTracker::repeat_until(std::size_t num_rounds) {
  if (num_rounds <= round_ || round_ == 0) return;
  const std::size_t before = round_;
  const std::size_t counted_before = std::max(before, setup_.count_from - 1);
  const auto added =
      static_cast<std::uint16_t>(num_rounds > counted_before ? num_rounds - counted_before : 0);
  round_ = num_rounds;
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    QueryState& state = queries_[q];
    const bool is_open = state.last_closed != before;
    if (is_open) {
      state.num_open = static_cast<std::uint16_t>(state.num_open + added);
    } else {
      state.last_closed = static_cast<std::uint16_t>(round_);
    }
    const RowRange rows = data_.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      DocumentState& document = documents_[r];
      if (document.last != before) continue;
      document.last = static_cast<std::uint16_t>(round_);
      if (is_open || !is_relevant(r)) {
        document.count = static_cast<std::uint16_t>(document.count + added);
      }
    }
  }
  take_snapshots();
}

std::size_t OutlierTracker::query_of(std::size_t row) const {
  const auto offsets = data_.queries().offsets();
  return static_cast<std::size_t>(std::ranges::upper_bound(offsets, row) - offsets.begin()) - 1;
}

std::size_t OutlierTracker::last_right(std::size_t query, std::size_t row) const {
  const DocumentState& document = documents_[row];
  if (is_relevant(row)) return std::max(queries_[query].last_closed, document.last);
  return document.last == round_ && round_ > 0 ? document.first - 1U : round_;
}

std::size_t OutlierTracker::last_round_right(std::size_t row) const {
  return last_right(query_of(row), row);
}

std::size_t OutlierTracker::num_outlier_rounds(std::size_t row) const {
  const DocumentState& document = documents_[row];
  if (!is_relevant(row)) return document.count;
  return static_cast<std::size_t>(queries_[query_of(row)].num_open) - document.count;
}

double OutlierTracker::share(std::size_t row) const {
  if (round_ < setup_.count_from) return 0;
  return static_cast<double>(num_outlier_rounds(row)) /
         static_cast<double>(round_ - setup_.count_from + 1);
}

// Those of the rounds up to this one that were not yet taken.
void OutlierTracker::take_snapshots() {
  while (snapshots_.size() < setup_.snapshots.size() &&
         setup_.snapshots[snapshots_.size()] <= round_) {
    std::vector<std::uint32_t> rows_found;
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const RowRange rows = data_.queries().rows(q);
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        if (last_right(q, r) < setup_.snapshot_start) {
          rows_found.push_back(static_cast<std::uint32_t>(r));
        }
      }
    }
    snapshots_.push_back(std::move(rows_found));
  }
}

}  // namespace glassrank
