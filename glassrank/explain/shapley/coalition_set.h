#pragma once
// The coalitions of a weighted regression, as samplers choose them.
//
// An entry is a coalition, mostly together with its complement: under the constraint that values
// add up to v(all) - v(none), the complement says about the same values, with worth
// v(all) - v(complement). Both then count as one row of the regression, whose worth is the mean.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glassrank {

struct CoalitionSet {
  struct Entry {
    double weight = 0;          // of the coalition and, if it is there, its complement together
    double sampling_share = 0;  // probability that a sample leaves it out; 0: it is always there
    bool has_complement = true;
  };

  std::size_t num_players = 0;
  std::vector<std::uint8_t> members;  // a row per entry
  std::vector<Entry> entries;

  std::size_t size() const { return entries.size(); }
  const std::uint8_t* row(std::size_t entry) const { return &members[entry * num_players]; }
  void add(const std::vector<std::uint8_t>& coalition, Entry entry) {
    members.insert(members.end(), coalition.begin(), coalition.end());
    entries.push_back(entry);
  }
  // Coalitions to evaluate for entries [begin, end).
  std::size_t num_evaluations(std::size_t begin, std::size_t end) const {
    std::size_t count = end - begin;
    for (std::size_t e = begin; e < end; ++e) count += entries[e].has_complement ? 1 : 0;
    return count;
  }
  std::size_t num_evaluations() const { return num_evaluations(0, size()); }
};

}  // namespace glassrank
