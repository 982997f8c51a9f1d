// Opens arbitrary bytes as a cache, twice: as they are, and with the checksums made right, since
// no mutation would ever get past them. Either an Error is thrown or every value can be read.

#include <algorithm>
#include <cstring>
#include <memory>

#include "glassrank/base/buffer.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/cache/cache_file.h"
#include "glassrank/data/io/checksum.h"

namespace {

using namespace glassrank;

template <typename T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// Sets file size, section checksums and header checksum as a forger would.
void seal(std::span<char> bytes) {
  if (bytes.size() < CacheHeader::kPage) return;
  auto header = load<CacheHeader>(bytes.data());
  header.file_size = bytes.size();
  header.version = CacheHeader::kVersion;
  header.checksum = 0;
  const std::size_t room = (CacheHeader::kPage - sizeof(CacheHeader)) / sizeof(CacheEntry);
  for (std::size_t i = 0; i < std::min<std::size_t>(header.num_sections, room); ++i) {
    char* place = bytes.data() + sizeof(CacheHeader) + i * sizeof(CacheEntry);
    auto entry = load<CacheEntry>(place);
    if (entry.offset > bytes.size() || entry.size > bytes.size() - entry.offset) continue;
    entry.checksum = checksum(bytes.subspan(entry.offset, entry.size));
    std::memcpy(place, &entry, sizeof(entry));
  }
  std::memcpy(bytes.data(), &header, sizeof(header));
  header.checksum = checksum(bytes.first(CacheHeader::kPage));
  std::memcpy(bytes.data(), &header, sizeof(header));
}

// Reads everything, so that the address sanitizer sees what points outside.
template <typename Data>
double touch_table(const Data& data, const StringColumn& document_ids) {
  double sum = 0;
  for (const float grade : data.grades()) sum += grade;
  for (const float weight : data.weights()) sum += weight;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange range = data.queries().rows(q);
    for (std::size_t r = range.begin; r < range.end; ++r) sum += data.grades()[r];
    sum += static_cast<double>(data.queries().id(q).size());
  }
  for (std::size_t i = 0; i < document_ids.size(); ++i) {
    for (const char c : document_ids[i]) sum += c;
  }
  return sum;
}

void open_both(const std::shared_ptr<Buffer<char>>& bytes, const Context& context) {
  volatile double sum = 0;
  try {
    const Dataset data =
        dataset_of(CacheFile("fuzz", bytes, bytes->span(), CacheKind::kDataset, context));
    sum = touch_table(data, data.document_ids());
    for (std::size_t r = 0; r < data.num_rows(); ++r) {
      for (const float value : data.row(r)) sum = sum + value;
    }
  } catch (const Error&) {
  }
  try {
    const BinnedDataset data = binned_dataset_of(
        CacheFile("fuzz", bytes, bytes->span(), CacheKind::kBinned, context), context);
    sum = touch_table(data, data.table().document_ids);
    for (std::size_t f = 0; f < data.num_features(); ++f) {
      for (std::size_t r = 0; r < data.num_rows(); ++r) {
        if (data.column(f)[r] >= data.num_bins(f)) __builtin_trap();
      }
    }
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Context context;
  context.threads = std::make_shared<Threads>(1);
  const auto bytes = std::make_shared<Buffer<char>>(size);
  std::copy_n(data, size, bytes->data());
  open_both(bytes, context);
  seal(bytes->span());
  open_both(bytes, context);
  return 0;
}
