#include "glassrank/boosting/histogram/row_lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include "glassrank/base/agree.h"
#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kSampleRows = 8192;
constexpr std::size_t kMinRows = 4096;  // below, setting up costs more than it saves
constexpr double kMinShare = 0.5;       // of the commonest code, for a feature to be considered
constexpr std::size_t kTileRows = 64 * 64;
// What a list costs beside its places, a row with extras, and each of these; in additions. The row
// is dear because looking its extras up misses the caches.
constexpr double kListCost = 2;
constexpr double kExtraRowCost = 60;
constexpr double kExtraCost = 1.5;
constexpr double kMinSaved = 4;

struct Candidate {
  std::uint32_t feature = 0;
  std::uint8_t commonest = 0;
  std::size_t count = 0;            // of it, among the sample
  std::vector<std::uint8_t> other;  // 1 for rows of the sample with another code
};

Candidate look_at(const BinnedDataset& data, std::uint32_t feature, std::size_t num_sampled) {
  const auto codes = data.column(feature).narrow();
  const auto sampled = [&](std::size_t i) { return codes[i * codes.size() / num_sampled]; };
  std::array<std::size_t, 256> counts{};
  for (std::size_t i = 0; i < num_sampled; ++i) ++counts[sampled(i)];
  const auto most = std::ranges::max_element(counts);
  Candidate result{.feature = feature,
                   .commonest = static_cast<std::uint8_t>(most - counts.begin()),
                   .count = *most,
                   .other = std::vector<std::uint8_t>(num_sampled)};
  for (std::size_t i = 0; i < num_sampled; ++i) {
    result.other[i] = sampled(i) != result.commonest ? 1 : 0;
  }
  return result;
}

struct Width {
  std::size_t places = 0;
  double cost = 0;  // additions a row
};

// The cheapest number of places, if needed[k] rows need k of them.
Width best_width(std::span<const std::size_t> needed, std::size_t num_rows) {
  Width best{.cost = 1e9};
  for (std::size_t places = 1; places < std::min(needed.size(), kListPlaces + 1); ++places) {
    double sum = 0;
    for (std::size_t k = places + 1; k < needed.size(); ++k) {
      const double row_cost = kExtraRowCost + kExtraCost * static_cast<double>(k - places);
      sum += static_cast<double>(needed[k]) * row_cost;
    }
    const double cost =
        static_cast<double>(places) + kListCost + sum / static_cast<double>(num_rows);
    if (cost < best.cost) best = {.places = places, .cost = cost};
  }
  return best;
}

}  // namespace

std::vector<ListPlan> plan_lists(const BinnedDataset& data,
                                 std::span<const std::uint32_t> features) {
  if (data.num_rows() < kMinRows) return {};
  const std::size_t num_sampled = std::min(data.num_rows(), kSampleRows);
  std::vector<Candidate> candidates;
  for (const std::uint32_t feature : features) {
    Candidate candidate = look_at(data, feature, num_sampled);
    const double share = static_cast<double>(candidate.count) / static_cast<double>(num_sampled);
    if (share >= kMinShare) candidates.push_back(std::move(candidate));
  }
  std::ranges::stable_sort(candidates, std::greater<>(), &Candidate::count);
  std::vector<ListPlan> plans;
  for (std::span<const Candidate> left = candidates; !left.empty();) {
    // As many of the sparsest as save most.
    std::vector<std::uint8_t> needs(num_sampled);
    std::size_t best_size = 0;
    Width best;
    double best_saved = kMinSaved;
    for (std::size_t size = 1; size <= std::min(left.size(), kListFields); ++size) {
      std::array<std::size_t, kListFields + 1> needed{};
      for (std::size_t i = 0; i < num_sampled; ++i) {
        needs[i] = static_cast<std::uint8_t>(needs[i] + left[size - 1].other[i]);
        ++needed[needs[i]];
      }
      const Width width = best_width(std::span(needed).first(size + 1), num_sampled);
      const double saved = static_cast<double>(size) - width.cost;
      if (saved >= best_saved) {
        best_saved = saved;
        best_size = size;
        best = width;
      }
    }
    if (best_size == 0) break;
    ListPlan& plan = plans.emplace_back(ListPlan{.width = best.places});
    for (const Candidate& candidate : left.first(best_size)) {
      plan.features.push_back(candidate.feature);
      plan.commonest.push_back(candidate.commonest);
    }
    left = left.subspan(best_size);
  }
  return plans;
}

std::vector<ListPlan> plan_lists_together(const BinnedDataset& data,
                                          std::span<const std::uint32_t> features,
                                          const Communicator& communicator) {
  if (communicator.is_alone()) return plan_lists(data, features);
  std::vector<std::uint32_t> words;  // of each plan: width, number of features, both lists
  if (communicator.is_first()) {
    for (const ListPlan& plan : plan_lists(data, features)) {
      words.push_back(static_cast<std::uint32_t>(plan.width));
      words.push_back(static_cast<std::uint32_t>(plan.features.size()));
      words.insert(words.end(), plan.features.begin(), plan.features.end());
      words.insert(words.end(), plan.commonest.begin(), plan.commonest.end());
    }
  }
  words = gather_values<std::uint32_t>(communicator, words);  // the others' are none
  std::vector<ListPlan> plans;
  for (std::size_t at = 0; at < words.size();) {
    ListPlan& plan = plans.emplace_back(ListPlan{.width = words[at]});
    const std::size_t size = words[at + 1];
    const std::span<const std::uint32_t> own = std::span(words).subspan(at + 2, 2 * size);
    plan.features.assign(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(size));
    for (const std::uint32_t code : own.subspan(size)) {
      plan.commonest.push_back(static_cast<std::uint8_t>(code));
    }
    at += 2 + 2 * size;
  }
  return plans;
}

std::size_t ListExtras::rank(std::size_t row) const {
  const std::uint64_t before = bits_[row / 64] & ((std::uint64_t{1} << row % 64) - 1);
  return ranks_[row / 64] + static_cast<std::size_t>(std::popcount(before));
}

std::span<const std::uint16_t> ListExtras::of(std::size_t row) const {
  const std::size_t at = rank(row);
  return std::span(entries_).subspan(begins_[at], begins_[at + 1] - begins_[at]);
}

// Step by step, so that no branch depends on which rows have extras and lookups do not wait for
// each other.
void ListExtras::add(std::span<const std::uint32_t> rows, const std::int32_t* packed,
                     std::int32_t* table) const {
  struct Found {
    std::uint32_t begin;
    std::uint32_t end;
    std::int32_t packed;
  };
  constexpr std::size_t kStepRows = 256;
  std::uint32_t with[kStepRows];  // of the rows, those that have extras
  Found found[kStepRows];
  while (!rows.empty()) {
    const std::size_t num_rows = std::min(rows.size(), kStepRows);
    std::size_t count = 0;
    for (std::size_t i = 0; i < num_rows; ++i) {
      with[count] = static_cast<std::uint32_t>(i);
      count += has(rows[i]) ? 1 : 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = rank(rows[with[k]]);
      found[k] = {begins_[at], begins_[at + 1], packed[with[k]]};
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t e = found[k].begin; e < found[k].end; ++e) {
        table[entries_[e]] += found[k].packed;
      }
    }
    rows = rows.subspan(num_rows);
    packed += num_rows;
  }
}

class ListWriter {
 public:
  ListWriter(const BinnedDataset& data, const ListPlan& plan, std::uint8_t* first,
             std::size_t stride)
      : plan_(plan), num_rows_(data.num_rows()), first_(first), stride_(stride) {
    for (const std::uint32_t feature : plan.features) {
      columns_.push_back(data.column(feature).narrow().data());
    }
  }

  ListExtras write(const Context& context) {
    tiles_.resize((num_rows_ + kTileRows - 1) / kTileRows);
    extras_.bits_.resize((num_rows_ + 63) / 64);
    parallel_for(context, num_rows_, kTileRows,
                 [&](std::size_t begin, std::size_t end) { write_rows(begin, end); });
    join_tiles();
    return std::move(extras_);
  }

 private:
  struct Tile {
    std::vector<std::uint16_t> entries;
    std::vector<std::uint32_t> sizes;  // of rows with extras
  };

  // Tiles begin at multiples of 64 rows: no word of bits is two tiles'.
  void write_rows(std::size_t begin, std::size_t end) {
    Tile& tile = tiles_[begin / kTileRows];
    const std::size_t num_fields = columns_.size();
    std::array<std::uint16_t, kListFields + 1> entries{};
    for (std::size_t row = begin; row < end; ++row) {
      std::size_t size = 0;
      for (std::size_t field = 0; field < num_fields; ++field) {
        const std::uint8_t code = columns_[field][row];
        entries[size] = entry(field, code);
        size += code != plan_.commonest[field] ? 1 : 0;
      }
      for (std::size_t k = size; k < plan_.width; ++k) entries[k] = entry(k, plan_.commonest[k]);
      std::memcpy(first_ + row * stride_, entries.data(), plan_.width * sizeof(std::uint16_t));
      if (size <= plan_.width) continue;
      extras_.bits_[row / 64] |= std::uint64_t{1} << row % 64;
      tile.sizes.push_back(static_cast<std::uint32_t>(size - plan_.width));
      tile.entries.insert(tile.entries.end(), entries.begin() + plan_.width,
                          entries.begin() + size);
    }
  }

  static std::uint16_t entry(std::size_t field, std::uint8_t code) {
    return static_cast<std::uint16_t>(field * kTableStride + code);
  }

  void join_tiles() {
    std::uint32_t num_entries = 0;
    for (const Tile& tile : tiles_) {
      for (const std::uint32_t size : tile.sizes) {
        extras_.begins_.push_back(num_entries);
        num_entries += size;
      }
      extras_.entries_.insert(extras_.entries_.end(), tile.entries.begin(), tile.entries.end());
    }
    extras_.begins_.push_back(num_entries);
    std::uint32_t rank = 0;
    for (const std::uint64_t word : extras_.bits_) {
      extras_.ranks_.push_back(rank);
      rank += static_cast<std::uint32_t>(std::popcount(word));
    }
  }

  const ListPlan& plan_;
  std::size_t num_rows_;
  std::uint8_t* first_;
  std::size_t stride_;
  std::vector<const std::uint8_t*> columns_;
  std::vector<Tile> tiles_;
  ListExtras extras_;
};

ListExtras write_list(const BinnedDataset& data, const ListPlan& plan, std::uint8_t* first,
                      std::size_t stride, const Context& context) {
  return ListWriter(data, plan, first, stride).write(context);
}

}  // namespace glassrank
