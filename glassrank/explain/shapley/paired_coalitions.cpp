#include "glassrank/explain/shapley/paired_coalitions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glassrank {
namespace {

// Draws for each pair that is wanted, before a sample is taken to have nearly all there are.
constexpr std::uint64_t kDrawsPerPair = 4;

}  // namespace

PairedCoalitions::PairedCoalitions(std::size_t num_players, std::uint64_t num_samples,
                                   CounterRandom random)
    : set_{.num_players = num_players},
      sizes_(coalition_sizes(num_players)),
      num_full_(num_full_sizes(sizes_, num_samples)),
      random_(random) {
  add_full_sizes();
  for (std::size_t s = num_full_; s < sizes_.size(); ++s) share_left_ += sizes_[s].share;
}

void PairedCoalitions::add_full_sizes() {
  for (std::size_t s = 0; s < num_full_; ++s) {
    const CoalitionSize& size = sizes_[s];
    const double num_pairs = size.num_subsets / 2;
    for_each_subset(set_.num_players, size.size, [&](const std::vector<std::uint8_t>& members) {
      if (size.is_half && members[0] == 0) return;  // its complement is there
      set_.add(members, {.weight = size.share / num_pairs});
    });
  }
  num_full_entries_ = set_.size();
}

void PairedCoalitions::grow(std::size_t num_evaluations) {
  if (num_full_ == sizes_.size()) return;
  const std::size_t wanted = num_evaluations / 2;
  const std::uint64_t most_draws =
      num_draws_ + kDrawsPerPair * (wanted > set_.size() ? wanted - set_.size() : 0);
  while (set_.size() < wanted && num_draws_ < most_draws) draw();
  weigh();
}

void PairedCoalitions::draw() {
  ++num_draws_;
  double place = random_.uniform() * share_left_;
  std::size_t s = num_full_;
  while (s + 1 < sizes_.size() && place >= sizes_[s].share) place -= sizes_[s++].share;
  // The first steps of a Fisher-Yates shuffle.
  std::vector<std::uint32_t> players(set_.num_players);
  std::iota(players.begin(), players.end(), 0U);
  std::vector<std::uint8_t> members(set_.num_players);
  for (std::size_t i = 0; i < sizes_[s].size; ++i) {
    std::swap(players[i], players[i + random_.below(players.size() - i)]);
    members[players[i]] = 1;
  }
  if (sizes_[s].is_half && members[0] == 0) {
    for (std::uint8_t& member : members) member ^= 1;
  }
  if (!seen_.emplace(members.begin(), members.end()).second) return;
  set_.add(members, {});
  size_of_entry_.push_back(s);
}

void PairedCoalitions::weigh() {
  std::vector<double> weights(sizes_.size());  // q / p by size
  std::vector<double> left_out(sizes_.size());
  const auto num_draws = static_cast<double>(num_draws_);
  for (std::size_t s = num_full_; s < sizes_.size(); ++s) {
    const double q = sizes_[s].share / share_left_ / (sizes_[s].num_subsets / 2);
    left_out[s] = std::exp(num_draws * std::log1p(-std::min(q, 1.0)));
    // For rare pairs p is L q but for rounding, and q may be too small for a double.
    weights[s] = q * num_draws < 1e-9 ? 1 / num_draws : q / (1 - left_out[s]);
  }
  double sum = 0;
  for (const std::size_t s : size_of_entry_) sum += weights[s];
  for (std::size_t i = 0; i < size_of_entry_.size(); ++i) {
    CoalitionSet::Entry& entry = set_.entries[num_full_entries_ + i];
    entry.weight = weights[size_of_entry_[i]] * share_left_ / sum;
    entry.sampling_share = left_out[size_of_entry_[i]];
  }
}

}  // namespace glassrank
