#include "glassrank/explain/shapley/shap_coalitions.h"

#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "glassrank/explain/shapley/coalition_sizes.h"

namespace glassrank {
namespace {

constexpr std::uint64_t kDrawsPerSample = 4;

class ShapSampler {
 public:
  ShapSampler(std::size_t num_players, std::uint64_t num_samples, CounterRandom random)
      : set_{.num_players = num_players},
        sizes_(coalition_sizes(num_players)),
        num_full_(num_full_sizes(sizes_, num_samples)),
        samples_left_(num_samples),
        random_(random) {}

  CoalitionSet run() {
    for (std::size_t s = 0; s < num_full_; ++s) add_all(sizes_[s]);
    if (num_full_ < sizes_.size()) add_draws();
    return std::move(set_);
  }

 private:
  void add_all(const CoalitionSize& size) {
    const double both = size.is_half ? 1 : 2;
    for_each_subset(set_.num_players, size.size, [&](const std::vector<std::uint8_t>& members) {
      set_.add(members,
               {.weight = both * size.share / size.num_subsets, .has_complement = !size.is_half});
      samples_left_ -= size.is_half ? 1 : 2;
    });
  }

  void add_draws() {
    const std::size_t first = set_.size();
    double share_left = 0;
    std::vector<double> chances;
    for (std::size_t s = num_full_; s < sizes_.size(); ++s) {
      share_left += sizes_[s].share;
      chances.push_back(sizes_[s].is_half ? sizes_[s].share : sizes_[s].share / 2);
    }
    const double chance_sum = std::accumulate(chances.begin(), chances.end(), 0.0);
    std::uint64_t draws_left = kDrawsPerSample * samples_left_;
    for (; samples_left_ > 0 && draws_left > 0; --draws_left) {
      double place = random_.uniform() * chance_sum;
      std::size_t s = 0;
      while (s + 1 < chances.size() && place >= chances[s]) place -= chances[s++];
      add_draw(sizes_[num_full_ + s]);
    }
    double sum = 0;
    for (std::size_t e = first; e < set_.size(); ++e) sum += set_.entries[e].weight;
    for (std::size_t e = first; e < set_.size(); ++e) set_.entries[e].weight *= share_left / sum;
  }

  void add_draw(const CoalitionSize& size) {
    std::vector<std::uint32_t> players(set_.num_players);
    std::iota(players.begin(), players.end(), 0U);
    std::vector<std::uint8_t> members(set_.num_players);
    for (std::size_t i = 0; i < size.size; ++i) {
      std::swap(players[i], players[i + random_.below(players.size() - i)]);
      members[players[i]] = 1;
    }
    const auto [known, is_new] =
        entry_of_.try_emplace(std::string(members.begin(), members.end()), set_.size());
    if (!is_new) {
      CoalitionSet::Entry& entry = set_.entries[known->second];
      entry.weight += entry.has_complement ? 2 : 1;
      return;
    }
    --samples_left_;
    const bool has_complement = !size.is_half && samples_left_ > 0;
    if (has_complement) --samples_left_;
    set_.add(members, {.weight = has_complement ? 2.0 : 1.0,
                       .sampling_share = 1,
                       .has_complement = has_complement});
  }

  CoalitionSet set_;
  std::vector<CoalitionSize> sizes_;
  std::size_t num_full_;
  std::uint64_t samples_left_;
  std::unordered_map<std::string, std::size_t> entry_of_;
  RandomSequence random_;
};

}  // namespace

CoalitionSet shap_coalitions(std::size_t num_players, std::uint64_t num_samples,
                             CounterRandom random) {
  return ShapSampler(num_players, num_samples, random).run();
}

}  // namespace glassrank
