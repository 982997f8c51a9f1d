#include "glassrank/data/io/shared_files.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/data/digest.h"
#include "glassrank/data/io/read_bins.h"
#include "testing/machines.h"
#include "testing/message_of.h"

namespace glassrank {
namespace {

using Machines = std::shared_ptr<const Communicator>;

class SharedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "shared_files";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string path(const std::string& name) const { return folder_ / name; }

  // Queries first to last - 1 of up to five documents, every fifth value missing.
  static std::string rows(std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t q = first; q < last; ++q) {
      for (std::size_t d = 0; d <= q % 5; ++d) {
        const std::size_t at = 7 * q + d;
        text += fmt::format("{} qid:{} 1:{} 2:{} 3:{}\n", at % 3, q, at % 11, at * 31 % 17,
                            at % 5 == 0 ? "nan" : std::to_string(at % 4));
      }
    }
    return text;
  }

  std::filesystem::path folder_;
  Context context_;
};

TEST_F(SharedFiles, ANameWithWildcardsIsEveryFileInTheOrderOfNames) {
  for (const char* name : {"part-10", "part-2", "other", "part-1"}) write(name, "");
  EXPECT_EQ(matching_files(path("part-*")),
            (std::vector<std::string>{path("part-1"), path("part-10"), path("part-2")}));
  EXPECT_EQ(matching_files(path("other")), std::vector<std::string>{path("other")});
  write("odd[1].txt", "");
  EXPECT_EQ(matching_files(path("odd[1].txt")), std::vector<std::string>{path("odd[1].txt")});
  EXPECT_EQ(message_of([&] { matching_files(path("none-*")); }),
            "cannot open '" + path("none-*") + "': no file has such a name");
}

TEST_F(SharedFiles, MachinesShareWholeQueriesAboutEvenly) {
  const QueryGroups queries({"a", "b", "c", "d"}, std::vector<std::size_t>{5, 1, 2, 2});
  const auto shares = [&](int size) {
    std::vector<std::size_t> begins;
    for (int rank = 0; rank < size; ++rank)
      begins.push_back(share_of_rows(queries, rank, size).begin);
    begins.push_back(share_of_rows(queries, size - 1, size).end);
    return begins;
  };
  EXPECT_EQ(shares(1), (std::vector<std::size_t>{0, 10}));
  EXPECT_EQ(shares(2), (std::vector<std::size_t>{0, 5, 10}));
  EXPECT_EQ(shares(3), (std::vector<std::size_t>{0, 5, 6, 10}));
  EXPECT_EQ(shares(5), (std::vector<std::size_t>{0, 5, 5, 6, 8, 10}));
}

// Values, bins and digests of several files on several machines are those of one file on one.
TEST_F(SharedFiles, AreOneDataSetHoweverTheyLie) {
  const std::string whole = write("whole.txt", rows(0, 40));
  write("part-1.txt", rows(0, 13));
  write("part-2.txt", rows(13, 14));
  write("part-3.txt", rows(14, 40));
  const BinParams bins{.max_bins = 8, .sample_rows = 50};
  const Dataset expected = load_dataset(whole, {}, context_);
  const std::string digest = dataset_digest(expected, context_);
  const BinnedFile expected_bins = read_bins(whole, {}, bins, context_);
  write_cache(path("all.cache"), expected, context_);
  write_binned_cache(path("all.bins"), expected_bins.data, bins, context_);
  const std::string bins_digest = dataset_digest(expected_bins.data, context_);
  for (const int size : {1, 2, 3}) {
    testing::on_machines(size, [&](const Machines& machines) {
      Context context;
      context.communicator = machines;
      const RowRange own = share_of_rows(expected.queries(), machines->rank(), size);
      for (const std::string& name : {whole, path("part-*.txt"), path("all.cache")}) {
        const Dataset data = load_shared(name, {}, context);
        ASSERT_EQ(data.num_rows(), own.size());
        for (std::size_t r = 0; r < data.num_rows(); ++r) {
          EXPECT_EQ(data.grades()[r], expected.grades()[own.begin + r]);
          EXPECT_EQ(std::memcmp(data.row(r).data(), expected.row(own.begin + r).data(),
                                data.row(r).size_bytes()),
                    0);
        }
        EXPECT_EQ(dataset_digest(data, context), digest) << name;
        const BinnedFile binned = read_bins(name, {}, bins, context);
        EXPECT_EQ(binned.data.edges(), expected_bins.data.edges());
        EXPECT_EQ(binned.digest, digest);
        EXPECT_EQ(dataset_digest(binned.data, context), bins_digest);
        EXPECT_EQ(binned.data.num_missing(2), expected_bins.data.num_missing(2));
      }
      const BinnedCache cache = open_shared_bins(path("all.bins"), context);
      EXPECT_EQ(dataset_digest(cache.data, context), bins_digest);
      EXPECT_EQ(cache.data.num_rows(), own.size());
    });
  }
}

TEST_F(SharedFiles, PartsOfBinsAreJoined) {
  const Dataset first = load_dataset(write("1.txt", rows(0, 13)), {}, context_);
  const Dataset second = load_dataset(write("2.txt", rows(13, 30)), {}, context_);
  const Dataset all = load_dataset(write("all.txt", rows(0, 30)), {}, context_);
  const BinnedDataset expected = bin_dataset(all, {}, context_);
  write_binned_cache(path("p1.bins"), bin_with(first, expected.shared_edges(), context_), {},
                     context_);
  write_binned_cache(path("p2.bins"), bin_with(second, expected.shared_edges(), context_), {},
                     context_);
  const BinnedDataset joined = open_shared_bins(path("p*.bins"), context_).data;
  EXPECT_EQ(dataset_digest(joined, context_), dataset_digest(expected, context_));
  EXPECT_EQ(joined.num_missing(2), expected.num_missing(2));
  write_binned_cache(path("p3.bins"), bin_dataset(first, {.max_bins = 3}, context_), {}, context_);
  EXPECT_EQ(message_of([&] { open_shared_bins(path("p*.bins"), context_); }),
            path("p3.bins") + " has other cut points than " + path("p1.bins") +
                "; make it with `glassrank data cache --bins-like " + path("p1.bins") +
                "`, or one cache of all data, which machines share by rows");
}

TEST_F(SharedFiles, FeaturesThatAPartDoesNotNameArePadded) {
  write("a-1.txt", "1 qid:1 1:2 2:5\n0 qid:1 2:3\n");
  write("a-2.txt", "1 qid:2 1:4 4:1\n0 qid:2 2:3\n");
  const Dataset data = load_shared(path("a-*.txt"), {}, context_);
  EXPECT_EQ(data.num_features(), 4);
  EXPECT_EQ(data.row(0)[3], 0);
  EXPECT_EQ(data.row(2)[3], 1);
}

TEST_F(SharedFiles, MustBeAlike) {
  const auto message = [&](const std::string& second, const ReadParams& read = {}) {
    write("a-1.csv", "grade,qid,x,weight\n1,1,2,1\n");
    write("a-2.csv", second);
    return message_of([&] { load_shared(path("a-*.csv"), read, context_); });
  };
  EXPECT_EQ(message("grade,qid,y,weight\n1,2,2,1\n"),
            path("a-2.csv") + " has other features than " + path("a-1.csv") +
                "; files of one data set must be alike");
  EXPECT_EQ(message("grade,qid,x\n1,2,2\n"),
            path("a-2.csv") + " has no weights, " + path("a-1.csv") + " has some");
  EXPECT_EQ(message("grade,qid,x,weight\n1,1,2,1\n"), "query 1 is in " + path("a-1.csv") +
                                                          " and in " + path("a-2.csv") +
                                                          "; a query must be in one file");
  EXPECT_EQ(message("qid,x,weight\n2,2,1\n", {.may_lack_grades = true}),
            "of " + path("a-2.csv") + " and " + path("a-1.csv") + " only one has grades");
  const ReadParams read{.categorical = {"colour"}};
  for (const char* colour : {"red", "green"}) {
    const std::string text =
        write("c.csv", std::string("grade,qid,colour\n1,") + colour + "," + colour + "\n");
    write_binned_cache(path(std::string("c-") + colour + ".bins"),
                       bin_dataset(load_dataset(text, read, context_), {}, context_), {}, context_);
  }
  EXPECT_EQ(message_of([&] { open_shared_bins(path("c-*.bins"), context_); }),
            path("c-red.bins") + ": feature 'colour' has other categories than in " +
                path("c-green.bins") +
                "; a cache that is made with --bins-like has those of another");
}

// Categories have the codes that they have in one file of all rows.
TEST_F(SharedFiles, CategoriesOfPartsAreThoseOfAllRows) {
  const std::string header = "grade,qid,colour,size,x\n";
  const std::string first = "1,1,red,4,1\n0,1,blue,7,2\n2,1,blue,,3\n";
  const std::string second = "1,2,green,4,1\n";
  const std::string third = "1,3,green,5,2\n0,3,green,5,\n1,3,,small,2\n0,3,red,4,1\n";
  write("c-1.csv", header + first);
  write("c-2.csv", header + second);
  write("c-3.csv", header + third);
  const ReadParams read{.categorical = {"colour", "size"}};
  const std::string whole = write("whole.csv", header + first + second + third);
  const Dataset expected = load_dataset(whole, read, context_);
  const BinnedFile expected_bins = read_bins(whole, read, {.sample_rows = 4}, context_);
  for (const int size : {1, 2, 3}) {
    testing::on_machines(size, [&](const Machines& machines) {
      Context context;
      context.communicator = machines;
      const Dataset data = load_shared(path("c-*.csv"), read, context);
      EXPECT_EQ(data.schema().category_names(), expected.schema().category_names());
      EXPECT_EQ(dataset_digest(data, context), dataset_digest(expected, context_));
      const BinnedFile binned = read_bins(path("c-*.csv"), read, {.sample_rows = 4}, context);
      EXPECT_EQ(binned.digest, expected_bins.digest);
      EXPECT_EQ(dataset_digest(binned.data, context), dataset_digest(expected_bins.data, context_));
    });
  }
}

// Whether the bytes are those of a file in the folder that has lost its name.
bool is_in_file_of(const std::filesystem::path& folder, const void* bytes) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(bytes);
  for (std::string line; std::getline(maps, line);) {
    std::size_t used = 0;
    const std::uintptr_t begin = std::stoull(line, &used, 16);
    const std::uintptr_t end = std::stoull(line.substr(used + 1), nullptr, 16);
    if (wanted >= begin && wanted < end) return line.find(folder.string()) != std::string::npos;
  }
  return false;
}

// Bins of several caches take no more memory than --memory allows.
TEST_F(SharedFiles, OwnRowsOfPartsOfBinsMayLieInAFile) {
  const Dataset all = load_dataset(write("all.txt", rows(0, 400)), {}, context_);
  const BinnedDataset expected = bin_dataset(all, {}, context_);
  for (std::size_t part = 0; part < 4; ++part) {
    const std::string name = fmt::format("{}.txt", part);
    const Dataset data =
        load_dataset(write(name, rows(100 * part, 100 * part + 100)), {}, context_);
    write_binned_cache(path(fmt::format("part-{}.bins", part)),
                       bin_with(data, expected.shared_edges(), context_), {}, context_);
  }
  const std::string digest = dataset_digest(expected, context_);
  for (const int size : {1, 3, 7}) {
    testing::on_machines(size, [&](const Machines& machines) {
      Context context;
      context.communicator = machines;
      context.memory = 64;
      context.scratch = folder_.string();
      const BinnedDataset own = open_shared_bins(path("part-*.bins"), context).data;
      EXPECT_EQ(own.num_rows(), share_of_rows(expected.queries(), machines->rank(), size).size());
      EXPECT_EQ(dataset_digest(own, context), digest);
      EXPECT_EQ(own.num_missing(2), expected.num_missing(2));
      EXPECT_TRUE(is_in_file_of(folder_, own.codes().data()));
    });
  }
}

TEST_F(SharedFiles, MachinesHaveFilesOfOneKind) {
  const std::string text = write("a.txt", rows(0, 9));
  write_cache(path("a.cache"), load_dataset(text, {}, context_), context_);
  EXPECT_EQ(message_of([&] {
              testing::on_machines(2, [&](const Machines& machines) {
                Context context;
                context.communicator = machines;
                shared_kind(path(machines->is_first() ? "a.txt" : "a.cache"), {}, context);
              });
            }),
            "machine 2 of 2 was told the training data = a cache of values where machine 1 was "
            "told the training data = rows of text; all must be told the same");
}

TEST_F(SharedFiles, StandardInputIsForOneMachine) {
  EXPECT_EQ(message_of([] {
              testing::on_machines(2, [](const Machines& machines) {
                Context context;
                context.communicator = machines;
                load_shared("-", {}, context);
              });
            }),
            "several machines cannot share standard input; give a file");
}

}  // namespace
}  // namespace glassrank
