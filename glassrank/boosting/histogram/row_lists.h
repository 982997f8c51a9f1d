#pragma once
// Features whose commonest code most rows have, kept as lists of the other codes.
//
// A *list* serves up to 32 such features, its fields. A row has `width` places of two bytes for the
// codes that are not the commonest of their field, each as field * kTableStride + code: an index
// into the tables of the fields, which lie one after the other. A histogram then adds `width` times
// a row instead of once a field; the sum of the commonest code is the leaf's total minus the sums
// of the other codes. Places left over hold commonest codes, at most one of a field, since what
// they add is replaced. The few rows that need more places have the rest in ListExtras. Which
// features make a list is found on a sample of rows; whatever it says, sums are exact. Memory: 2 *
// width bytes a row; one bit a row, and the entries, for extras.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/data/binned_dataset.h"

namespace glassrank {

inline constexpr std::size_t kTableStride = 260;  // from field to field of a table, in values
inline constexpr std::size_t kListFields = 32;    // their tables fill a first-level cache
inline constexpr std::size_t kListPlaces = 16;    // most places of a row

struct ListPlan {
  std::vector<std::uint32_t> features;  // by field
  std::vector<std::uint8_t> commonest;  // code, by field
  std::size_t width = 0;
};

// Lists worth having among features of one-byte codes. None if rows are few.
std::vector<ListPlan> plan_lists(const BinnedDataset& data,
                                 std::span<const std::uint32_t> features);

// Those of the first machine, for all: features that are sparse in its rows mostly are in others,
// and planes of all machines must be alike. Collective.
std::vector<ListPlan> plan_lists_together(const BinnedDataset& data,
                                          std::span<const std::uint32_t> features,
                                          const Communicator& communicator);

// What rows have beyond the places of a list.
class ListExtras {
 public:
  bool empty() const { return entries_.empty(); }
  bool has(std::size_t row) const { return (bits_[row / 64] >> row % 64 & 1) != 0; }
  // If has(row).
  std::span<const std::uint16_t> of(std::size_t row) const;
  // table[entry] += packed[i] for the entries of every rows[i].
  void add(std::span<const std::uint32_t> rows, const std::int32_t* packed,
           std::int32_t* table) const;

 private:
  friend class ListWriter;
  std::size_t rank(std::size_t row) const;  // rows with extras before it
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint32_t> ranks_;   // rows with extras before each word of bits
  std::vector<std::uint32_t> begins_;  // of such a row's entries; one more at the end
  std::vector<std::uint16_t> entries_;
};

// Writes the places of every row: the first at `first`, rows `stride` bytes apart.
ListExtras write_list(const BinnedDataset& data, const ListPlan& plan, std::uint8_t* first,
                      std::size_t stride, const Context& context);

}  // namespace glassrank
