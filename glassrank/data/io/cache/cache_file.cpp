#include "glassrank/data/io/cache/cache_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/base/mapped_file.h"
#include "glassrank/data/io/checksum.h"

namespace glassrank {
namespace {

static_assert(std::is_trivially_copyable_v<CacheHeader> && sizeof(CacheHeader) == 64);
static_assert(std::is_trivially_copyable_v<CacheEntry> && sizeof(CacheEntry) == 32);
constexpr std::size_t kPage = CacheHeader::kPage;
constexpr std::size_t kMaxSections = (kPage - sizeof(CacheHeader)) / sizeof(CacheEntry);
constexpr std::string_view kRemedy = "make it again with `glassrank data cache`";

std::size_t page_up(std::size_t size) { return (size + kPage - 1) / kPage * kPage; }

std::uint64_t page_checksum(std::span<const char, kPage> page) {
  std::array<char, kPage> copy;
  std::ranges::copy(page, copy.begin());
  constexpr std::size_t kField = offsetof(CacheHeader, checksum);
  std::fill_n(copy.begin() + kField, sizeof(CacheHeader::checksum), '\0');
  return checksum(copy);
}

std::string_view section_name(CacheSection section) {
  constexpr std::array<std::string_view, 16> kNames = {"",
                                                       "features",
                                                       "grades",
                                                       "weights",
                                                       "query rows",
                                                       "query ids",
                                                       "query ids",
                                                       "feature names",
                                                       "feature names",
                                                       "document ids",
                                                       "document ids",
                                                       "cut points",
                                                       "cut points",
                                                       "missing counts",
                                                       "codes",
                                                       "bin parameters"};
  const auto id = static_cast<std::size_t>(section);
  return id < kNames.size() ? kNames[id] : "unknown section";
}

bool is_zero(std::span<const char> bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
}

// What the first page says of a section; sections lie one after the other.
struct PlacedSection {
  CacheSection id;
  std::size_t size;
  std::uint64_t checksum;
};

std::vector<PlacedSection> placed_sections(const CacheContent& content, const Context& context) {
  std::vector<std::span<const char>> ranges;
  for (const auto& section : content.sections) ranges.push_back(section.bytes);
  const std::vector<std::uint64_t> sums = checksums(ranges, context);
  std::vector<PlacedSection> sections;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    sections.push_back({content.sections[i].id, ranges[i].size(), sums[i]});
  }
  return sections;
}

using Page = std::array<char, kPage>;

std::string_view page_text(const Page& page) { return {page.data(), page.size()}; }

Page first_page(const CacheContent& content, std::span<const PlacedSection> sections) {
  CacheHeader header{.magic = {},
                     .version = CacheHeader::kVersion,
                     .byte_order = CacheHeader::kByteOrder,
                     .kind = static_cast<std::uint32_t>(content.kind),
                     .num_sections = static_cast<std::uint32_t>(sections.size()),
                     .file_size = kPage,
                     .num_rows = content.num_rows,
                     .num_features = content.num_features,
                     .num_queries = content.num_queries,
                     .checksum = 0};
  std::ranges::copy(CacheHeader::kMagic, header.magic);
  Page page{};
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const CacheEntry entry{.id = static_cast<std::uint32_t>(sections[i].id),
                           .reserved = 0,
                           .offset = header.file_size,
                           .size = sections[i].size,
                           .checksum = sections[i].checksum};
    std::memcpy(page.data() + sizeof(header) + i * sizeof(entry), &entry, sizeof(entry));
    header.file_size = page_up(header.file_size + sections[i].size);
  }
  std::memcpy(page.data(), &header, sizeof(header));
  header.checksum = page_checksum(page);
  std::memcpy(page.data(), &header, sizeof(header));
  return page;
}

void write_sections(AtomicFile& file, const CacheContent& content, const Context& context) {
  const Page zeros{};
  for (const auto& section : content.sections) {
    file.write(std::string_view(section.bytes.data(), section.bytes.size()));
    file.write(page_text(zeros).substr(0, page_up(section.bytes.size()) - section.bytes.size()));
    context.check_stop();
  }
}

}  // namespace

CacheFile::CacheFile(const std::string& path, CacheKind kind, const Context& context)
    : CacheFile(path, std::make_shared<const MappedFile>(path), kind, context) {}

CacheFile::CacheFile(const std::string& path, const std::shared_ptr<const MappedFile>& file,
                     CacheKind kind, const Context& context)
    : CacheFile(path, file, file->bytes(), kind, context) {
  mapped_ = file.get();
}

CacheFile::CacheFile(std::string name, std::shared_ptr<const void> owner,
                     std::span<const char> bytes, CacheKind kind, const Context& context)
    : name_(std::move(name)), owner_(std::move(owner)), bytes_(bytes) {
  read_header(kind);
  read_entries();
  verify(context);
}

void CacheFile::read_header(CacheKind kind) {
  const auto magic = std::string_view(bytes_.data(), bytes_.size()).substr(0, 8);
  if (magic != CacheHeader::kMagic) {
    fail(ErrorKind::kInput, "{}: not a Glassrank cache; it does not begin with {}", name_,
         CacheHeader::kMagic);
  }
  if (bytes_.size() < kPage) {
    fail(ErrorKind::kInput, "{}: the cache is cut short: {} bytes, not even its header; {}", name_,
         bytes_.size(), kRemedy);
  }
  std::memcpy(&header_, bytes_.data(), sizeof(header_));
  if (header_.byte_order != CacheHeader::kByteOrder) {
    fail(ErrorKind::kInput, "{}: made on a machine with another byte order; {}", name_, kRemedy);
  }
  if (header_.version != CacheHeader::kVersion) {
    fail(ErrorKind::kInput, "{}: made by another version (found {}, this program reads {}); {}",
         name_, header_.version, CacheHeader::kVersion, kRemedy);
  }
  if (header_.file_size != bytes_.size()) {
    fail(ErrorKind::kInput, "{}: the cache has {} bytes where its header says {}; {}", name_,
         bytes_.size(), header_.file_size, kRemedy);
  }
  if (header_.checksum != page_checksum(bytes_.first<kPage>())) fail_damaged("header");
  if (header_.kind != static_cast<std::uint32_t>(kind)) {
    fail(ErrorKind::kInput, "{}: the cache holds {}", name_,
         kind == CacheKind::kDataset
             ? "bins, not feature values; make one of values with `glassrank data cache` without "
               "--binned"
             : "feature values, not bins; make one of bins with `glassrank data cache --binned`");
  }
  // Each row, feature and query takes at least a byte; sums and products of these are safe below.
  const std::size_t most = bytes_.size();
  if (header_.num_sections > kMaxSections || header_.num_rows > most ||
      header_.num_features > most || header_.num_queries > most) {
    fail_damaged("header");
  }
}

void CacheFile::read_entries() {
  entries_.resize(header_.num_sections);
  const std::size_t table_size = entries_.size() * sizeof(CacheEntry);
  if (!entries_.empty()) {  // memcpy takes no null pointer, not even for no bytes
    std::memcpy(entries_.data(), bytes_.data() + sizeof(CacheHeader), table_size);
  }
  if (!is_zero(bytes_.first(kPage).subspan(sizeof(CacheHeader) + table_size))) {
    fail_damaged("header");
  }
  std::size_t next = kPage;
  for (const CacheEntry& entry : entries_) {
    const auto id = static_cast<CacheSection>(entry.id);
    if (entry.reserved != 0 || entry.offset != next || entry.size > bytes_.size() - next ||
        find(id) != &entry) {
      fail_damaged("header");
    }
    next = page_up(next + entry.size);
    if (next > bytes_.size()) fail_damaged("header");
  }
  if (next != bytes_.size()) fail_damaged("header");
}

void CacheFile::verify(const Context& context) const {
  std::vector<std::span<const char>> ranges;
  for (const CacheEntry& entry : entries_) {
    ranges.push_back(bytes_.subspan(entry.offset, entry.size));
  }
  const std::vector<std::uint64_t> sums = checksums(ranges, context);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::size_t end = entries_[i].offset + entries_[i].size;
    if (sums[i] != entries_[i].checksum || !is_zero(bytes_.subspan(end, page_up(end) - end))) {
      fail_damaged(static_cast<CacheSection>(entries_[i].id));
    }
  }
}

const CacheEntry* CacheFile::find(CacheSection section) const {
  const auto found =
      std::ranges::find(entries_, static_cast<std::uint32_t>(section), &CacheEntry::id);
  return found == entries_.end() ? nullptr : &*found;
}

std::span<const char> CacheFile::bytes(CacheSection section) const {
  const CacheEntry* entry = find(section);
  if (entry == nullptr) fail_damaged(section);
  return bytes_.subspan(entry->offset, entry->size);
}

void CacheFile::fail_damaged(CacheSection section) const { fail_damaged(section_name(section)); }

void CacheFile::fail_damaged(std::string_view where) const {
  fail(ErrorKind::kInput, "{}: the cache is damaged ({}); {}", name_, where, kRemedy);
}

std::size_t write_cache_file(const std::string& path, const CacheContent& content,
                             const Context& context) {
  AtomicFile file(path);
  file.write(page_text(first_page(content, placed_sections(content, context))));
  write_sections(file, content, context);
  const std::size_t size = file.size();
  file.commit();
  return size;
}

std::size_t write_cache_file(const std::string& path, const CacheContent& content,
                             const StreamedSection& last, const Context& context) {
  AtomicFile file(path);
  file.write(page_text({}));
  write_sections(file, content, context);
  const std::size_t begin = file.size();
  std::vector<PlacedSection> sections = placed_sections(content, context);
  file.flush();
  PieceChecksum sum(last.size);
  last.fill([&](std::size_t offset, std::string_view bytes) {
    file.write_at(begin + offset, bytes);
    sum.add(offset, bytes);
  });
  const Page zeros{};
  file.write_at(begin + last.size, page_text(zeros).substr(0, page_up(last.size) - last.size));
  sections.push_back({.id = last.id, .size = last.size, .checksum = sum.sum()});
  file.write_at(0, page_text(first_page(content, sections)));
  file.commit();
  return begin + page_up(last.size);
}

}  // namespace glassrank
