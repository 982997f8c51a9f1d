#include "glassrank/data/io/cache/cache.h"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/checksum.h"
#include "testing/bin_test_data.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string temporary(const std::string& name) {
  return std::filesystem::path(testing::TempDir()) / ("cache_test_" + name);
}

class CacheTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path); }
  std::string path = temporary(testing::UnitTest::GetInstance()->current_test_info()->name());
  Context context;
};
using Cache = CacheTest;

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool same_texts(const StringColumn& a, const StringColumn& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  return std::ranges::equal(a.offsets(), b.offsets()) && a.blob() == b.blob();
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.num_rows(), b.num_rows());
  ASSERT_EQ(a.num_features(), b.num_features());
  for (std::size_t r = 0; r < a.num_rows(); ++r) ASSERT_TRUE(same_bits(a.row(r), b.row(r)));
  EXPECT_TRUE(same_bits(a.grades(), b.grades()));
  EXPECT_TRUE(same_bits(a.weights(), b.weights()));
  EXPECT_TRUE(std::ranges::equal(a.queries().ids(), b.queries().ids()));
  EXPECT_TRUE(std::ranges::equal(a.queries().offsets(), b.queries().offsets()));
  EXPECT_TRUE(std::ranges::equal(a.feature_names(), b.feature_names()));
  EXPECT_TRUE(same_texts(a.document_ids(), b.document_ids()));
}

TEST_F(Cache, GivesADatasetBackBitForBit) {
  for (const bool with_all : {true, false}) {
    const Dataset data = test_data({.num_rows = 1234, .with_ids_and_weights = with_all});
    const std::size_t size = write_cache(path, data, context);
    EXPECT_EQ(size, std::filesystem::file_size(path));
    expect_same(open_cache(path, context), data);
  }
}

// Bytes of the mapped file that this process has in memory.
std::size_t resident_bytes(const std::string& path) {
  std::ifstream maps("/proc/self/smaps");
  const std::string name = std::filesystem::path(path).filename();
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(name) != std::string::npos) is_it = true;
    if (is_it && line.starts_with("Rss:")) return 1024 * std::stoul(line.substr(4));
  }
  return 0;
}

TEST_F(Cache, GivesTheMemoryOfReleasedRowsBackAndStaysReadable) {
  const Dataset data = test_data({.num_rows = 30'000});
  write_cache(path, data, context);
  const Dataset opened = open_cache(path, context);
  const std::size_t before = resident_bytes(path);
  opened.release_rows(0, opened.num_rows());
  const std::size_t size = 4 * opened.num_rows() * opened.num_features();
  if (before != 0) {  // not every system says it
    EXPECT_LT(resident_bytes(path) + size / 2, before);
  }
  expect_same(opened, data);
  data.release_rows(0, data.num_rows());  // of memory of its own: nothing happens
  expect_same(opened, data);
}

TEST_F(Cache, IsTheSameFromAStream) {
  for (const bool with_all : {true, false}) {
    const Dataset data = test_data({.num_rows = 30'000, .with_ids_and_weights = with_all});
    write_cache(path, data, context);
    const std::string bytes = read_text_file(path);
    const std::string copy = path + ".copy";
    for (const int threads : {1, 2, 4}) {
      context.threads = std::make_shared<Threads>(threads);
      const auto source = open_row_source(path, {}, context);
      EXPECT_EQ(write_cache(copy, *source, context), bytes.size());
      EXPECT_TRUE(read_text_file(copy) == bytes);
    }
    std::filesystem::remove(copy);
  }
}

TEST_F(Cache, HoldsDataWithoutRowsOrFeatures) {
  const Dataset none = test_data({.num_rows = 0});
  write_cache(path, none, context);
  expect_same(open_cache(path, context), none);
  const Dataset narrow = test_data({.num_rows = 3, .num_features = 0});
  write_cache(path, narrow, context);
  expect_same(open_cache(path, context), narrow);
  write_cache(path, *open_row_source(path, {}, context), context);
  expect_same(open_cache(path, context), narrow);
  write_binned_cache(path, bin_dataset(narrow, {}, context), {}, context);
  EXPECT_EQ(open_binned_cache(path, context).num_rows(), 3U);
}

TEST_F(Cache, GivesBinsBackBitForBit) {
  for (const int max_bins : {255, 1000}) {
    const Dataset data = test_data({.num_rows = 3000, .with_ids_and_weights = max_bins == 255});
    const BinnedDataset binned = bin_dataset(data, {.max_bins = max_bins}, context);
    write_binned_cache(path, binned, {.max_bins = max_bins}, context);
    const BinnedDataset opened = open_binned_cache(path, context);
    EXPECT_EQ(opened.edges(), binned.edges());
    EXPECT_TRUE(std::ranges::equal(opened.codes(), binned.codes()));
    EXPECT_TRUE(std::ranges::equal(opened.missing_counts(), binned.missing_counts()));
    EXPECT_TRUE(same_bits(opened.grades(), binned.grades()));
    EXPECT_TRUE(same_bits(opened.weights(), binned.weights()));
    EXPECT_TRUE(std::ranges::equal(opened.queries().ids(), binned.queries().ids()));
    EXPECT_TRUE(std::ranges::equal(opened.queries().offsets(), binned.queries().offsets()));
    EXPECT_TRUE(std::ranges::equal(opened.feature_names(), binned.feature_names()));
    EXPECT_TRUE(same_texts(opened.table().document_ids, binned.table().document_ids));
  }
}

TEST_F(Cache, HasTheSameBytesForAnyThreads) {
  const Dataset data = test_data({.num_rows = 30'000});
  write_cache(path, data, context);
  const std::string bytes = read_text_file(path);
  for (const int threads : {1, 4}) {
    context.threads = std::make_shared<Threads>(threads);
    write_cache(path, data, context);
    EXPECT_TRUE(read_text_file(path) == bytes);
  }
}

TEST_F(Cache, StaysOpenWhenItsFileIsReplaced) {
  const Dataset data = test_data({.num_rows = 100});
  write_cache(path, data, context);
  const Dataset opened = open_cache(path, context);
  const BinnedDataset binned = bin_dataset(opened, {}, context);
  write_cache(path, test_data({.num_rows = 7}), context);
  expect_same(opened, data);
  EXPECT_EQ(binned.table().document_ids[99], "doc99");
}

TEST_F(Cache, IsRecognisedByItsFirstBytes) {
  write_cache(path, test_data({.num_rows = 5}), context);
  EXPECT_TRUE(is_cache_file(path));
  write_text_file(path, "GLASSRN");
  EXPECT_FALSE(is_cache_file(path));
  EXPECT_FALSE(is_cache_file(path + ".absent"));
  EXPECT_FALSE(is_cache_file(testing::TempDir()));
}

// A cache in memory whose bytes a test changes.
class Forgery {
 public:
  Forgery(const std::string& path, CacheKind kind, Context context)
      : kind_(kind), context_(std::move(context)), text_(read_text_file(path)) {}

  std::string& text() { return text_; }
  CacheHeader header() const {
    CacheHeader header;
    std::memcpy(&header, text_.data(), sizeof(header));
    return header;
  }
  void set_header(const CacheHeader& header) { std::memcpy(text_.data(), &header, sizeof(header)); }
  CacheEntry entry(std::size_t i) const {
    CacheEntry entry;
    std::memcpy(&entry, text_.data() + sizeof(CacheHeader) + i * sizeof(entry), sizeof(entry));
    return entry;
  }
  void set_entry(std::size_t i, const CacheEntry& entry) {
    std::memcpy(text_.data() + sizeof(CacheHeader) + i * sizeof(entry), &entry, sizeof(entry));
  }
  std::size_t place(CacheSection section) const {
    for (std::size_t i = 0; i < header().num_sections; ++i) {
      if (entry(i).id == static_cast<std::uint32_t>(section)) return i;
    }
    ADD_FAILURE() << "no such section";
    return 0;
  }
  template <typename T>
  void set_value(CacheSection section, std::size_t i, T value) {
    std::memcpy(text_.data() + entry(place(section)).offset + i * sizeof(T), &value, sizeof(T));
  }
  // Makes every checksum right again.
  void seal() {
    CacheHeader sealed = header();
    for (std::size_t i = 0; i < std::min(sealed.num_sections, 100U); ++i) {
      CacheEntry changed = entry(i);
      if (changed.offset > text_.size() || changed.size > text_.size() - changed.offset) continue;
      changed.checksum = checksum(std::span(text_).subspan(changed.offset, changed.size));
      set_entry(i, changed);
    }
    sealed.checksum = 0;
    set_header(sealed);
    sealed.checksum = checksum(std::span(text_).first(CacheHeader::kPage));
    set_header(sealed);
  }
  // What opening says.
  std::string message() const {
    auto bytes = std::make_shared<Buffer<char>>(text_.size());
    std::ranges::copy(text_, bytes->data());
    const auto view = std::as_const(*bytes).span();
    return message_of([&] {
      const CacheFile file("f", bytes, view, kind_, context_);
      if (kind_ == CacheKind::kDataset) {
        dataset_of(file);
      } else {
        binned_dataset_of(file, context_);
      }
    });
  }

 private:
  CacheKind kind_;
  Context context_;
  std::string text_;
};

std::string damaged(const std::string& where) {
  return fmt::format("f: the cache is damaged ({}); make it again with `glassrank data cache`",
                     where);
}

Forgery dataset_forgery(const std::string& path, const Context& context) {
  write_cache(path, test_data({.num_rows = 50, .num_features = 5}), context);
  return {path, CacheKind::kDataset, context};
}

Forgery binned_forgery(const std::string& path, const Context& context) {
  const Dataset data = test_data({.num_rows = 50, .num_features = 6});
  write_binned_cache(path, bin_dataset(data, {.max_bins = 9}, context), {.max_bins = 9}, context);
  return {path, CacheKind::kBinned, context};
}

// Of the zeros that fill pages up, one in 16 is tried.
TEST_F(Cache, DetectsEveryChangedByte) {
  context.threads = std::make_shared<Threads>(1);
  for (const bool is_binned : {false, true}) {
    Forgery file = is_binned ? binned_forgery(path, context) : dataset_forgery(path, context);
    ASSERT_EQ(file.message(), "no error");
    const CounterRandom random(1, "flip");
    for (std::size_t i = 0; i < file.text().size(); ++i) {
      const bool is_filling = file.text().compare(i / 16 * 16, 16, std::string(16, '\0')) == 0;
      if (is_filling && i % 16 != i / 16 % 16) continue;
      const auto flip = static_cast<char>(1 << random.below(i, 8));
      file.text()[i] ^= flip;
      ASSERT_NE(file.message(), "no error") << "byte " << i;
      file.text()[i] ^= flip;
    }
  }
}

TEST_F(Cache, DetectsEveryTruncation) {
  const Forgery whole = dataset_forgery(path, context);
  for (std::size_t size = 0; size < std::filesystem::file_size(path); size += 999) {
    Forgery file = whole;
    file.text().resize(size);
    ASSERT_NE(file.message(), "no error") << size;
  }
}

TEST_F(Cache, SaysWhatIsWrongWithAFile) {
  const Forgery good = dataset_forgery(path, context);
  Forgery file = good;
  file.text() = "0 qid:1 1:2";
  EXPECT_EQ(file.message(), "f: not a Glassrank cache; it does not begin with GLASSRNK");
  file.text() = "";
  EXPECT_EQ(file.message(), "f: not a Glassrank cache; it does not begin with GLASSRNK");
  file = good;
  file.text().resize(100);
  EXPECT_EQ(file.message(),
            "f: the cache is cut short: 100 bytes, not even its header; make it again with "
            "`glassrank data cache`");
  file = good;
  const std::string size = std::to_string(file.text().size());
  file.text().resize(8192);
  EXPECT_EQ(file.message(), "f: the cache has 8192 bytes where its header says " + size +
                                "; make it again with `glassrank data cache`");
  file = good;
  CacheHeader header = file.header();
  header.version = 7;
  file.set_header(header);
  EXPECT_EQ(file.message(),
            "f: made by another version (found 7, this program reads 1); make it again with "
            "`glassrank data cache`");
  header = good.header();
  header.byte_order = 0x04030201;
  file.set_header(header);
  EXPECT_EQ(file.message(),
            "f: made on a machine with another byte order; make it again with `glassrank data "
            "cache`");
  file = good;
  file.text()[4000] = 1;
  EXPECT_EQ(file.message(), damaged("header"));
  file = good;
  file.set_value(CacheSection::kFeatures, 3, 1.0F);
  EXPECT_EQ(file.message(), damaged("features"));
}

TEST_F(Cache, RefusesTheOtherKind) {
  const Dataset data = test_data({.num_rows = 20});
  write_cache(path, data, context);
  EXPECT_EQ(message_of([&] { open_binned_cache(path, context); }),
            path +
                ": the cache holds feature values, not bins; make one of bins with `glassrank "
                "data cache --binned`");
  write_binned_cache(path, bin_dataset(data, {}, context), {}, context);
  EXPECT_EQ(message_of([&] { open_cache(path, context); }),
            path +
                ": the cache holds bins, not feature values; make one of values with "
                "`glassrank data cache` without --binned");
  EXPECT_EQ(message_of([&] { open_cache(path + ".absent", context); }),
            "cannot open '" + path + ".absent': No such file or directory");
}

TEST_F(Cache, RefusesForgedSectionTables) {
  const Forgery good = dataset_forgery(path, context);
  const auto with_entry = [&](const std::function<void(CacheEntry&)>& change) {
    Forgery file = good;
    CacheEntry entry = file.entry(1);
    change(entry);
    file.set_entry(1, entry);
    file.seal();
    return file.message();
  };
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.reserved = 1; }), damaged("header"));
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.offset += 4096; }), damaged("header"));
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.offset = ~0ULL; }), damaged("header"));
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.size = ~0ULL; }), damaged("header"));
  EXPECT_EQ(with_entry([&](CacheEntry& e) { e.id = good.entry(0).id; }), damaged("header"));
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.id = 99; }), "no error");  // weights are optional
  EXPECT_EQ(with_entry([](CacheEntry& e) { e.size += 4; }), damaged("weights"));

  const auto with_header = [&](const std::function<void(CacheHeader&)>& change) {
    Forgery file = good;
    CacheHeader header = file.header();
    change(header);
    file.set_header(header);
    file.seal();
    return file.message();
  };
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_sections = 0; }), damaged("header"));
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_sections = ~0U; }), damaged("header"));
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_rows = ~0ULL; }), damaged("header"));
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_rows += 1; }), damaged("features"));
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_queries -= 1; }), damaged("query rows"));
  EXPECT_EQ(with_header([](CacheHeader& h) { h.num_features = 0; }), damaged("features"));
}

TEST_F(Cache, RefusesForgedContents) {
  const auto forged = [&](Forgery file, CacheSection section, std::size_t i, auto value) {
    file.set_value(section, i, value);
    file.seal();
    return file.message();
  };
  const Forgery data = dataset_forgery(path, context);
  const Forgery bins = binned_forgery(path, context);
  constexpr auto kHuge = ~std::uint64_t{0};
  EXPECT_EQ(forged(data, CacheSection::kGrades, 3, std::bit_cast<float>(0x7fc00000U)),
            damaged("grades"));
  EXPECT_EQ(forged(data, CacheSection::kWeights, 3, std::bit_cast<float>(0x7f800000U)),
            damaged("weights"));
  EXPECT_EQ(forged(data, CacheSection::kQueryOffsets, 1, kHuge), damaged("query rows"));
  EXPECT_EQ(forged(data, CacheSection::kQueryIdOffsets, 1, kHuge), damaged("query ids"));
  EXPECT_EQ(forged(data, CacheSection::kFeatureNameOffsets, 0, std::uint64_t{1}),
            damaged("feature names"));
  EXPECT_EQ(forged(data, CacheSection::kDocumentIdOffsets, 50, kHuge), damaged("document ids"));
  EXPECT_EQ(forged(bins, CacheSection::kCutOffsets, 2, kHuge), damaged("cut points"));
  EXPECT_EQ(forged(bins, CacheSection::kCodes, 3, std::uint8_t{200}), damaged("codes"));
  EXPECT_EQ(forged(bins, CacheSection::kMissingCounts, 3, kHuge), damaged("codes"));
  EXPECT_EQ(forged(bins, CacheSection::kCuts, 1, -1e30F),
            "f: cut 2 of feature 1 is -1e+30; cuts must ascend");
}

TEST_F(Cache, LeavesNoFileWhenTheDiskIsFull) {
  // A limit on the size of files stands for a full disk: write() fails half way.
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{.rlim_cur = 100'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message =
      message_of([&] { write_cache(path, test_data({.num_rows = 5000}), context); });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(message, "cannot write '" + path + "': File too large");
  EXPECT_FALSE(std::filesystem::exists(path));
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir())) {
    EXPECT_EQ(entry.path().string().find(path), std::string::npos);
  }
}

}  // namespace
}  // namespace glassrank
