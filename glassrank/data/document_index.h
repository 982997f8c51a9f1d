#pragma once
// Finds documents of one query by id. One table, cleared and used again for query after query, so
// that millions of short lists cost no allocation each.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

namespace glassrank {

class DocumentIndex {
 public:
  static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

  // Empties the index and makes room for `size` documents.
  void reset(std::size_t size) { entries_.assign(std::bit_ceil(2 * size + 1), Entry{}); }
  // The place of the document if it is there already; else takes it in at `place` and says kAbsent.
  // At most as many documents as reset() was told; their bytes must stay.
  std::uint32_t insert(std::string_view document, std::uint32_t place) {
    Entry& entry = entries_[slot_of(document)];
    if (entry.place == kAbsent) entry = {document, place};
    return entry.place == place ? kAbsent : entry.place;
  }
  std::uint32_t find(std::string_view document) const { return entries_[slot_of(document)].place; }

 private:
  struct Entry {
    std::string_view document;
    std::uint32_t place = kAbsent;
  };
  // Linear probing; at most half of the entries are taken, so there is always a free one.
  std::size_t slot_of(std::string_view document) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(document)&mask;
    while (entries_[slot].place != kAbsent && entries_[slot].document != document) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
  std::vector<Entry> entries_ = std::vector<Entry>(1);
};

}  // namespace glassrank
