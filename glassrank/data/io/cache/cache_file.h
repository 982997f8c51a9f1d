#pragma once
// The container of cache files: named sections of plain arrays in a file that is mapped, not read.
//
//   page 0      CacheHeader, then one CacheEntry per section, then zeros (4096 bytes)
//   sections    in the order of the entries, each from a multiple of 4096 on, filled up with zeros
//
// Every byte of the file is covered: by the header's checksum (over page 0, its own field taken as
// zero), by a section's checksum, or by the check that filling is zero. A single flipped bit is
// always found. Numbers are in the byte order of the machine that wrote them; another order, like
// another version, is refused. Checksums do not stop a forged file, so users of a section check
// what it says as well (array() checks sizes).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"
#include "glassrank/base/mapped_file.h"

namespace glassrank {

enum class CacheKind : std::uint32_t { kDataset = 1, kBinned = 2 };

enum class CacheSection : std::uint32_t {
  kFeatures = 1,            // float32, rows x features
  kGrades = 2,              // float32, one per row; only if there are grades
  kWeights = 3,             // float32, one per row; may be absent
  kQueryOffsets = 4,        // uint64, queries + 1: first row of each query
  kQueryIdOffsets = 5,      // uint64, queries + 1: into kQueryIds
  kQueryIds = 6,            // text
  kFeatureNameOffsets = 7,  // uint64, features + 1: into kFeatureNames
  kFeatureNames = 8,        // text
  kDocumentIdOffsets = 9,   // uint64, rows + 1: into kDocumentIds; may be absent
  kDocumentIds = 10,        // text; absent with its offsets
  kCutOffsets = 11,         // uint64, features + 1: into kCuts
  kCuts = 12,               // float32
  kMissingCounts = 13,      // uint64, one per feature
  kCodes = 14,              // columns as CodeLayout places them
  kBinParams = 15,          // int64: max_bins, sample_rows, min_bin_rows; may be absent
  // Of features that are categories; absent where there are none.
  kCategoryCounts = 16,       // int64 per feature: how many names there are, -1 for numbers
  kCategoryNameOffsets = 17,  // uint64: of all names, one feature after the other
  kCategoryNames = 18,        // their text
  kMaxCategories = 19,        // int64: max_categories; beside kBinParams
};

struct CacheHeader {
  static constexpr std::string_view kMagic = "GLASSRNK";
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kByteOrder = 0x01020304;
  static constexpr std::size_t kPage = 4096;

  char magic[8];
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint32_t kind;
  std::uint32_t num_sections;
  std::uint64_t file_size;
  std::uint64_t num_rows;
  std::uint64_t num_features;
  std::uint64_t num_queries;
  std::uint64_t checksum;
};

struct CacheEntry {
  std::uint32_t id;
  std::uint32_t reserved;  // 0
  std::uint64_t offset;
  std::uint64_t size;  // without the filling
  std::uint64_t checksum;
};

class CacheFile {
 public:
  // Maps and verifies the whole file. Throws Error{kIo} when it cannot be read, Error{kInput} when
  // it is not an intact cache of this version and kind.
  CacheFile(const std::string& path, CacheKind kind, const Context& context);
  // Over bytes in memory (8-byte aligned); `name` is for messages.
  CacheFile(std::string name, std::shared_ptr<const void> owner, std::span<const char> bytes,
            CacheKind kind, const Context& context);

  const std::string& name() const { return name_; }
  // Keeps the mapped bytes alive.
  const std::shared_ptr<const void>& owner() const { return owner_; }
  // Null for bytes in memory.
  const MappedFile* mapped() const { return mapped_; }
  std::size_t num_rows() const { return header_.num_rows; }
  std::size_t num_features() const { return header_.num_features; }
  std::size_t num_queries() const { return header_.num_queries; }

  bool has(CacheSection section) const { return find(section) != nullptr; }
  std::span<const char> bytes(CacheSection section) const;
  // The section as exactly `size` values.
  template <typename T>
  std::span<const T> array(CacheSection section, std::size_t size) const {
    const auto found = bytes(section);
    if (found.size() / sizeof(T) != size || found.size() % sizeof(T) != 0) fail_damaged(section);
    return {reinterpret_cast<const T*>(found.data()), size};
  }
  [[noreturn]] void fail_damaged(CacheSection section) const;

 private:
  CacheFile(const std::string& path, const std::shared_ptr<const MappedFile>& file, CacheKind kind,
            const Context& context);
  void read_header(CacheKind kind);
  void read_entries();
  void verify(const Context& context) const;
  const CacheEntry* find(CacheSection section) const;
  [[noreturn]] void fail_damaged(std::string_view where) const;

  std::string name_;
  std::shared_ptr<const void> owner_;
  const MappedFile* mapped_ = nullptr;  // part of the owner
  std::span<const char> bytes_;
  CacheHeader header_{};
  std::vector<CacheEntry> entries_;
};

struct CacheContent {
  CacheKind kind;
  std::size_t num_rows;
  std::size_t num_features;
  std::size_t num_queries;
  struct Section {
    CacheSection id;
    std::span<const char> bytes;
  };
  std::vector<Section> sections;

  template <typename T>
  void add(CacheSection id, std::span<const T> values) {
    sections.push_back({id, {reinterpret_cast<const char*>(values.data()), values.size_bytes()}});
  }
};

// Whole or not at all; throws Error{kIo}. Returns the size of the file.
std::size_t write_cache_file(const std::string& path, const CacheContent& content,
                             const Context& context);

// A last section that is made piece by piece and never held in memory: fill(put) calls
// put(offset, bytes) for pieces that cover it, in any order, from any threads.
struct StreamedSection {
  CacheSection id;
  std::size_t size;
  using Put = FunctionRef<void(std::size_t, std::string_view)>;
  FunctionRef<void(Put)> fill;
};
// The same bytes as with the section in `content`. The target must be a file, not a pipe.
std::size_t write_cache_file(const std::string& path, const CacheContent& content,
                             const StreamedSection& last, const Context& context);

}  // namespace glassrank
