#include "glassrank/data/io/missing_as_zero.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/atomic_file.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/read_bins.h"
#include "glassrank/data/io/svmlight/svmlight.h"

namespace glassrank {
namespace {

constexpr const char* kRows = "1 qid:1 1:nan 2:5\n0 qid:1 2:nan 3:2\n1 qid:2 1:1 2:2 3:3\n";

TEST(MissingAsZero, ChangesMissingValuesOnly) {
  const Dataset data = parse_svmlight(kRows, "F", {}, {});
  const Dataset known = missing_as_zero(data, {});
  EXPECT_EQ(std::vector<float>(known.features().data(), known.features().data() + 9),
            (std::vector<float>{0, 5, 0, 0, 0, 2, 1, 2, 3}));
  EXPECT_EQ(missing_as_zero(known, {}).features().data(), known.features().data());
}

TEST(MissingAsZero, IsTheSameForValuesAndForBins) {
  const std::string path =
      (std::filesystem::path(::testing::TempDir()) / "missing_as_zero.txt").string();
  write_text_file(path, kRows);
  // Also what is absent, where that means missing.
  for (const AbsentValue absent : {AbsentValue::kZero, AbsentValue::kMissing}) {
    const ReadParams read{.absent = absent, .missing = MissingValue::kZero};
    const Dataset data = load_dataset(path, read, {});
    EXPECT_EQ(data.row(0)[2], 0);
    EXPECT_EQ(data.row(1)[1], 0);
    const BinnedFile bins = read_bins(path, read, {.min_bin_rows = 1}, {});
    EXPECT_EQ(bins.digest, dataset_digest(data, {}));
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace glassrank
