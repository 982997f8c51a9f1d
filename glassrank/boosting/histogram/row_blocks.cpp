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

struct Field {
  std::vector<FieldPart> parts;
  std::size_t num_codes = 1;
};

std::pair<std::size_t, std::uint32_t> field_size(const Field& field) {
  return {field.num_codes, field.parts[0].feature};
}

// Turns single fields with few codes into pairs, neighbours in size together.
std::vector<Field> pair_singles(std::vector<Field>& singles) {
  std::ranges::sort(singles, {}, field_size);
  const auto small = std::ranges::partition_point(
      singles, [](const Field& field) { return field.num_codes <= kPairCodes; });
  auto num_pairs = static_cast<std::size_t>(small - singles.begin()) / 2;
  // The tables of a group of pairs are long: not worth it for a few.
  if (num_pairs % kLanes < kLanes / 2) num_pairs -= num_pairs % kLanes;
  std::vector<Field> pairs;
  for (std::size_t i = 0; i < num_pairs; ++i) {
    Field pair{.parts = {singles[2 * i].parts[0], singles[2 * i + 1].parts[0]}};
    pair.parts[1].stride = kPairCodes;
    pair.num_codes = kPairCodes * pair.parts[1].num_codes;
    pairs.push_back(std::move(pair));
  }
  singles.erase(singles.begin(), singles.begin() + static_cast<std::ptrdiff_t>(2 * num_pairs));
  return pairs;
}

// Joins features with few codes: the smallest takes the largest partner that still fits.
std::vector<Field> join_features(std::vector<Sized> features) {
  std::ranges::sort(features, {}, by_size);
  std::vector<Field> fields;
  while (!features.empty()) {
    Field field;
    const auto take = [&](std::size_t at) {
      field.parts.push_back({.feature = features[at].feature,
                             .stride = static_cast<std::uint32_t>(field.num_codes),
                             .num_codes = static_cast<std::uint32_t>(features[at].num_codes)});
      field.num_codes *= features[at].num_codes;
      features.erase(features.begin() + static_cast<std::ptrdiff_t>(at));
    };
    take(0);
    while (field.parts.size() < kMaxParts) {
      const auto fits = std::ranges::partition_point(
          features, [&](const Sized& f) { return f.num_codes * field.num_codes <= kMaxCodes; });
      if (fits == features.begin()) break;
      take(static_cast<std::size_t>(fits - features.begin()) - 1);
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

// out[row * row_stride] += code * factor
template <typename Out>
void add_codes(const std::uint8_t* codes, std::uint32_t factor, RowRange rows, Out* out,
               std::size_t row_stride) {
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    out[r * row_stride] = static_cast<Out>(out[r * row_stride] + codes[r] * factor);
  }
}

// Takes the features of lists out of the single fields.
std::vector<ListPlan> list_singles(const BinnedDataset& data, std::vector<Field>& singles,
                                   const Context& context) {
  std::vector<std::uint32_t> features;
  features.reserve(singles.size());
  for (const Field& field : singles) features.push_back(field.parts[0].feature);
  std::vector<ListPlan> plans = plan_lists_together(data, features, *context.communicator);
  for (const ListPlan& plan : plans) {
    std::erase_if(singles, [&](const Field& field) {
      return std::ranges::find(plan.features, field.parts[0].feature) != plan.features.end();
    });
  }
  return plans;
}

void add_fields(FieldKind kind, std::vector<Field> fields, std::vector<FieldGroup>& groups) {
  std::ranges::sort(fields, std::greater<>(), field_size);
  for (std::size_t s = 0; s < fields.size(); ++s) {
    if (s % kLanes == 0) groups.push_back({.kind = kind});
    FieldGroup& group = groups.back();
    group.num_codes = std::max(group.num_codes, fields[s].num_codes);
    group.fields[group.num_fields++] = std::move(fields[s].parts);
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
  std::vector<Field> single;
  std::vector<Field> shared;
  for (Field& field : join_features(std::move(narrow))) {
    (field.parts.size() == 1 ? single : shared).push_back(std::move(field));
  }
  std::vector<Field> pairs = pair_singles(single);
  add_lists(list_singles(data, single, context));
  add_fields(FieldKind::kSingle, std::move(single), field_groups_);
  add_fields(FieldKind::kShared, std::move(shared), field_groups_);
  add_fields(FieldKind::kPair, std::move(pairs), field_groups_);
  place_groups(data);
  first_wide_group_ = feature_groups_.size();
  place_features(data, wide);
  fill_rows(data, context);
}

void RowBlocks::add_lists(std::vector<ListPlan> plans) {
  for (ListPlan& plan : plans) {
    RowList list{.plan = std::move(plan), .first_group = field_groups_.size()};
    for (std::size_t s = 0; s < list.plan.features.size(); ++s) {
      if (s % kLanes == 0) field_groups_.push_back({.kind = FieldKind::kListed});
      FieldGroup& group = field_groups_.back();
      group.fields[group.num_fields++] = {{.feature = list.plan.features[s]}};
    }
    list.last_group = field_groups_.size();
    lists_.push_back(std::move(list));
  }
}

std::size_t RowBlocks::num_additions() const {
  std::size_t number = 0;
  for (const RowList& list : lists_) number += list.plan.width;
  for (const FieldGroup& group : field_groups_) {
    if (group.kind != FieldKind::kListed) number += group.num_fields;
  }
  return number;
}

// Features of shared fields come last, in an order of their own.
void RowBlocks::place_groups(const BinnedDataset& data) {
  std::vector<Sized> small;
  for (FieldGroup& group : field_groups_) {
    if (group.kind == FieldKind::kShared) {
      for (std::size_t s = 0; s < group.num_fields; ++s) {
        for (const FieldPart& part : group.fields[s])
          small.push_back({part.feature, part.num_codes});
      }
      continue;
    }
    group.feature_group = feature_groups_.size();
    for (std::size_t part = 0; part < (group.kind == FieldKind::kPair ? 2 : 1); ++part) {
      std::vector<std::uint32_t> features;
      features.reserve(group.num_fields);
      for (std::size_t s = 0; s < group.num_fields; ++s) {
        features.push_back(group.fields[s][part].feature);
      }
      place_features(data, features);
    }
    if (group.kind == FieldKind::kListed) {
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
  for (FieldGroup& group : field_groups_) {
    if (group.kind == FieldKind::kPair) num_bytes += num_bytes % 2;
    group.byte = num_bytes;
    num_bytes += group.num_bytes();
  }
  return num_bytes;
}

void RowBlocks::fill_rows(const BinnedDataset& data, const Context& context) {
  row_stride_ = (place_bytes() + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  // Whole blocks are read, also beyond a row's end.
  rows_ = LargeBuffer<std::uint8_t>(data.num_rows() * row_stride_ + 2 * kRowAlignment, context);
  parallel_for(context, data.num_rows(), kTileRows, [&](std::size_t begin, std::size_t end) {
    std::fill(rows_.data() + begin * row_stride_, rows_.data() + end * row_stride_,
              std::uint8_t{0});
    for (const FieldGroup& group : field_groups_) {
      if (group.kind == FieldKind::kListed) continue;
      for (std::size_t s = 0; s < group.num_fields; ++s) {
        for (const FieldPart& part : group.fields[s]) {
          const std::uint8_t* codes = data.column(part.feature).narrow().data();
          if (group.kind == FieldKind::kPair) {
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
