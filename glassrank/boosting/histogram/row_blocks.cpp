#include "glassrank/boosting/histogram/row_blocks.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "glassrank/base/parallel.h"

namespace glassrank {
namespace {

constexpr std::size_t kMaxCodes = 256;
constexpr std::size_t kMaxParts = 3;
constexpr std::size_t kRowAlignment = 32;
constexpr std::size_t kTileRows = 1024;

struct Sized {
  std::uint32_t feature;
  std::size_t num_codes;
};

// Equal sizes in order of features: no order depends on the sort.
std::pair<std::size_t, std::uint32_t> by_size(const Sized& f) { return {f.num_codes, f.feature}; }

struct Slot {
  std::vector<SlotPart> parts;
  std::size_t num_codes = 1;
};

std::pair<std::size_t, std::uint32_t> slot_size(const Slot& slot) {
  return {slot.num_codes, slot.parts[0].feature};
}

// Turns single slots with few codes into pairs, neighbours in size together.
std::vector<Slot> pair_singles(std::vector<Slot>& singles) {
  std::ranges::sort(singles, {}, slot_size);
  const auto small = std::ranges::partition_point(
      singles, [](const Slot& slot) { return slot.num_codes <= kPairCodes; });
  auto num_pairs = static_cast<std::size_t>(small - singles.begin()) / 2;
  // The tables of a group of pairs are long: not worth it for a few.
  if (num_pairs % kLanes < kLanes / 2) num_pairs -= num_pairs % kLanes;
  std::vector<Slot> pairs;
  for (std::size_t i = 0; i < num_pairs; ++i) {
    Slot pair{.parts = {singles[2 * i].parts[0], singles[2 * i + 1].parts[0]}};
    pair.parts[1].stride = kPairCodes;
    pair.num_codes = kPairCodes * pair.parts[1].num_codes;
    pairs.push_back(std::move(pair));
  }
  singles.erase(singles.begin(), singles.begin() + static_cast<std::ptrdiff_t>(2 * num_pairs));
  return pairs;
}

// Joins features with few codes: the smallest takes the largest partner that still fits.
std::vector<Slot> join_features(std::vector<Sized> features) {
  std::ranges::sort(features, {}, by_size);
  std::vector<Slot> slots;
  while (!features.empty()) {
    Slot slot;
    const auto take = [&](std::size_t at) {
      slot.parts.push_back({.feature = features[at].feature,
                            .stride = static_cast<std::uint32_t>(slot.num_codes),
                            .num_codes = static_cast<std::uint32_t>(features[at].num_codes)});
      slot.num_codes *= features[at].num_codes;
      features.erase(features.begin() + static_cast<std::ptrdiff_t>(at));
    };
    take(0);
    while (slot.parts.size() < kMaxParts) {
      const auto fits = std::ranges::partition_point(
          features, [&](const Sized& f) { return f.num_codes * slot.num_codes <= kMaxCodes; });
      if (fits == features.begin()) break;
      take(static_cast<std::size_t>(fits - features.begin()) - 1);
    }
    slots.push_back(std::move(slot));
  }
  return slots;
}

// out[row * row_stride] += code * factor
template <typename Out>
void add_codes(const std::uint8_t* codes, std::uint32_t factor, RowRange rows, Out* out,
               std::size_t row_stride) {
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    out[r * row_stride] = static_cast<Out>(out[r * row_stride] + codes[r] * factor);
  }
}

// Takes the features of lists out of the single slots.
std::vector<ListPlan> list_singles(const BinnedDataset& data, std::vector<Slot>& singles) {
  std::vector<std::uint32_t> features;
  features.reserve(singles.size());
  for (const Slot& slot : singles) features.push_back(slot.parts[0].feature);
  std::vector<ListPlan> plans = plan_lists(data, features);
  for (const ListPlan& plan : plans) {
    std::erase_if(singles, [&](const Slot& slot) {
      return std::ranges::find(plan.features, slot.parts[0].feature) != plan.features.end();
    });
  }
  return plans;
}

void add_slots(SlotKind kind, std::vector<Slot> slots, std::vector<SlotGroup>& groups) {
  std::ranges::sort(slots, std::greater<>(), slot_size);
  for (std::size_t s = 0; s < slots.size(); ++s) {
    if (s % kLanes == 0) groups.push_back({.kind = kind});
    SlotGroup& group = groups.back();
    group.num_codes = std::max(group.num_codes, slots[s].num_codes);
    group.slots[group.num_slots++] = std::move(slots[s].parts);
  }
}

}  // namespace

std::size_t RowBlocks::num_codes(const BinnedDataset& data, std::size_t feature) {
  return data.num_value_bins(feature) + (data.num_missing(feature) > 0 ? 1 : 0);
}

RowBlocks::RowBlocks(const BinnedDataset& data, const Context& context)
    : places_(data.num_features()) {
  std::vector<Sized> narrow;
  std::vector<std::uint32_t> wide;
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    if (data.is_constant(f)) continue;
    if (data.column(f).is_wide()) {
      wide.push_back(f);
    } else {
      narrow.push_back({f, num_codes(data, f)});
    }
  }
  std::vector<Slot> single;
  std::vector<Slot> shared;
  for (Slot& slot : join_features(std::move(narrow))) {
    (slot.parts.size() == 1 ? single : shared).push_back(std::move(slot));
  }
  std::vector<Slot> pairs = pair_singles(single);
  // Which features are sparse is seen from a sample: machines that see others would have planes
  // that cannot be added up.
  if (context.communicator->size() == 1) add_lists(list_singles(data, single));
  add_slots(SlotKind::kSingle, std::move(single), slot_groups_);
  add_slots(SlotKind::kShared, std::move(shared), slot_groups_);
  add_slots(SlotKind::kPair, std::move(pairs), slot_groups_);
  place_groups(data);
  first_wide_group_ = feature_groups_.size();
  place_features(data, wide);
  fill_rows(data, context);
}

void RowBlocks::add_lists(std::vector<ListPlan> plans) {
  for (ListPlan& plan : plans) {
    RowList list{.plan = std::move(plan), .first_group = slot_groups_.size()};
    for (std::size_t s = 0; s < list.plan.features.size(); ++s) {
      if (s % kLanes == 0) slot_groups_.push_back({.kind = SlotKind::kListed});
      SlotGroup& group = slot_groups_.back();
      group.slots[group.num_slots++] = {{.feature = list.plan.features[s]}};
    }
    list.last_group = slot_groups_.size();
    lists_.push_back(std::move(list));
  }
}

std::size_t RowBlocks::num_additions() const {
  std::size_t number = 0;
  for (const RowList& list : lists_) number += list.plan.width;
  for (const SlotGroup& group : slot_groups_) {
    if (group.kind != SlotKind::kListed) number += group.num_slots;
  }
  return number;
}

// Features of shared slots come last, in an order of their own.
void RowBlocks::place_groups(const BinnedDataset& data) {
  std::vector<Sized> small;
  for (SlotGroup& group : slot_groups_) {
    if (group.kind == SlotKind::kShared) {
      for (std::size_t s = 0; s < group.num_slots; ++s) {
        for (const SlotPart& part : group.slots[s]) small.push_back({part.feature, part.num_codes});
      }
      continue;
    }
    group.feature_group = feature_groups_.size();
    for (std::size_t part = 0; part < (group.kind == SlotKind::kPair ? 2 : 1); ++part) {
      std::vector<std::uint32_t> features;
      features.reserve(group.num_slots);
      for (std::size_t s = 0; s < group.num_slots; ++s) {
        features.push_back(group.slots[s][part].feature);
      }
      place_features(data, features);
    }
    if (group.kind == SlotKind::kListed) {
      group.num_codes = feature_groups_[group.feature_group].num_codes;
    }
  }
  std::ranges::sort(small, std::greater<>(), by_size);
  std::vector<std::uint32_t> features;
  features.reserve(small.size());
  for (const Sized& f : small) features.push_back(f.feature);
  place_features(data, features);
}

void RowBlocks::place_features(const BinnedDataset& data,
                               const std::vector<std::uint32_t>& features) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (i % kLanes == 0) {
      feature_groups_.emplace_back().features.fill(kNoFeature);
    }
    FeatureGroup& group = feature_groups_.back();
    group.features[i % kLanes] = features[i];
    group.num_codes = std::max(group.num_codes, num_codes(data, features[i]));
    places_[features[i]] = {
        .group = feature_groups_.size() - 1, .lane = i % kLanes, .exists = true};
  }
  plane_size_ = 0;
  for (FeatureGroup& group : feature_groups_) {
    group.begin = plane_size_;
    plane_size_ += group.num_codes * kLanes;
  }
}

// Bytes of a row.
std::size_t RowBlocks::place_bytes() {
  std::size_t num_bytes = 0;
  for (RowList& list : lists_) {
    list.byte = num_bytes;
    num_bytes += list.plan.width * sizeof(std::uint16_t);
  }
  for (SlotGroup& group : slot_groups_) {
    if (group.kind == SlotKind::kPair) num_bytes += num_bytes % 2;
    group.byte = num_bytes;
    num_bytes += group.num_bytes();
  }
  return num_bytes;
}

void RowBlocks::fill_rows(const BinnedDataset& data, const Context& context) {
  row_stride_ = (place_bytes() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  // Whole blocks are read, also beyond a row's end.
  rows_ = Buffer<std::uint8_t>(data.num_rows() * row_stride_ + 2 * kRowAlignment);
  parallel_for(context, data.num_rows(), kTileRows, [&](std::size_t begin, std::size_t end) {
    std::fill(rows_.data() + begin * row_stride_, rows_.data() + end * row_stride_,
              std::uint8_t{0});
    for (const SlotGroup& group : slot_groups_) {
      if (group.kind == SlotKind::kListed) continue;
      for (std::size_t s = 0; s < group.num_slots; ++s) {
        for (const SlotPart& part : group.slots[s]) {
          const std::uint8_t* codes = data.column(part.feature).narrow().data();
          if (group.kind == SlotKind::kPair) {
            auto* first = reinterpret_cast<std::uint16_t*>(rows_.data() + group.byte) + s;
            add_codes(codes, part.stride, {begin, end}, first, row_stride_ / 2);
          } else {
            add_codes(codes, part.stride, {begin, end}, rows_.data() + group.byte + s, row_stride_);
          }
        }
      }
    }
  });
  for (RowList& list : lists_) {
    list.extras = write_list(data, list.plan, rows_.data() + list.byte, row_stride_, context);
  }
}

}  // namespace glassrank
