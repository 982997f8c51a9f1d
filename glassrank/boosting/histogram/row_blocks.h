#pragma once
// The rows of binned data once more, laid out for histograms: a few bytes a row, row by row.
//
// A *field* holds the code of a feature in one byte, or of two or three features with few codes
// together, c1 + r1 * c2 + r1 * r2 * c3 <= 255; or two features with at most 40 codes each in two
// bytes, c1 + 40 * c2. One table update then serves them all; their own histograms are
// marginals. 16 fields of a kind make a *field group*; fields are sorted by number of codes, so
// that a group's tables are as short as its fields allow. Features that most rows have the same
// code of have no byte each: up to two groups of them are a *list* (row_lists.h). Features are
// numbered alike: 16 to a *feature group*, a histogram being [group][code][16 lanes]. A group of
// listed or single fields is a feature group with the same lanes; a group of pairs is two, the
// first features and the second ones; features of shared bytes follow in an order of their own;
// then come wide features (two-byte codes), which have no field. Codes that no training row has
// (constant features; the missing bin where nothing is missing) have no place here. Memory: about
// one byte per row and feature; rows begin on 32-byte borders.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/large_buffer.h"
#include "glassrank/boosting/histogram/row_lists.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

inline constexpr std::size_t kLanes = 16;
inline constexpr std::size_t kPairCodes = 40;  // most codes of a feature in a pair
inline constexpr std::uint32_t kNoFeature = 0xffffffff;

struct FeatureGroup {
  std::array<std::uint32_t, kLanes> features;  // kNoFeature: an empty lane
  std::size_t num_codes = 0;                   // the largest of its features
  std::size_t begin = 0;                       // of the group in a plane, in values
};

// A feature's place in a shared field: code / stride % num_codes.
struct FieldPart {
  std::uint32_t feature = 0;
  std::uint32_t stride = 1;
  std::uint32_t num_codes = 0;
};

enum class FieldKind { kListed, kSingle, kShared, kPair };

struct FieldGroup {
  FieldKind kind = FieldKind::kSingle;
  std::array<std::vector<FieldPart>, kLanes> fields;
  std::size_t num_fields = 0;
  std::size_t num_codes = 0;
  std::size_t byte = 0;           // where its fields begin in a row, if they have bytes
  std::size_t feature_group = 0;  // of listed and single ones; the first one of pairs
  std::size_t num_bytes() const {
    if (kind == FieldKind::kListed) return 0;
    return kind == FieldKind::kPair ? 2 * num_fields : num_fields;
  }
};

// Field groups that share a list.
struct RowList {
  ListPlan plan;
  std::size_t first_group = 0;
  std::size_t last_group = 0;  // one past
  std::size_t byte = 0;        // of the first place in a row, even
  ListExtras extras;
};

struct FeaturePlace {
  std::size_t group = 0;
  std::size_t lane = 0;
  bool exists = false;
};

class RowBlocks {
 public:
  RowBlocks(const BinnedDataset& data, const Context& context);

  // Listed ones first, then single ones, shared ones, pairs; bytes of those that have any without a
  // gap, pairs on even ones.
  const std::vector<FieldGroup>& field_groups() const { return field_groups_; }
  const std::vector<RowList>& lists() const { return lists_; }
  // Additions to tables a row, not counting extras.
  std::size_t num_additions() const;
  const std::vector<FeatureGroup>& feature_groups() const { return feature_groups_; }
  std::size_t first_wide_group() const { return first_wide_group_; }
  FeaturePlace place(std::size_t feature) const { return places_[feature]; }
  // Codes of a feature that training rows can have.
  static std::size_t num_codes(const BinnedDataset& data, std::size_t feature);
  // Values of one plane (gradients or hessians) of a histogram.
  std::size_t plane_size() const { return plane_size_; }

  std::size_t row_stride() const { return row_stride_; }
  const std::uint8_t* rows() const { return rows_.data(); }

 private:
  void place_features(const BinnedDataset& data, const std::vector<std::uint32_t>& features);
  void add_lists(std::vector<ListPlan> plans);
  void place_groups(const BinnedDataset& data);
  std::size_t place_bytes();
  void fill_rows(const BinnedDataset& data, const Context& context);

  std::vector<FieldGroup> field_groups_;
  std::vector<RowList> lists_;
  std::vector<FeatureGroup> feature_groups_;
  std::vector<FeaturePlace> places_;
  std::size_t first_wide_group_ = 0;
  std::size_t plane_size_ = 0;
  std::size_t row_stride_ = 0;
  LargeBuffer<std::uint8_t> rows_;
};

}  // namespace glassrank
