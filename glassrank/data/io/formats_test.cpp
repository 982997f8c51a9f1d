#include "glassrank/data/io/formats.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

std::string complaint(const std::string& given, const std::vector<std::string>& files,
                      DataFormat format = DataFormat::kAutomatic) {
  const std::vector<std::string> names = {given};
  return message_of([&] { refuse_unused({.format = format}, "read.", names, files); });
}

TEST(ReadParams, AreRefusedWhereNoFileIsReadByThem) {
  EXPECT_EQ(complaint("read.delimiter", {"train.txt", "model.txt"}),
            "--read.delimiter is for data read as csv or tsv, and here is none; --read.format says "
            "how files are read");
  EXPECT_EQ(complaint("read.num_features", {"data"}, DataFormat::kCache),
            "--read.num-features is for data read as svmlight, csv or tsv, and here is none; "
            "--read.format says how files are read");
  EXPECT_NE(complaint("read.grade_column", {}), "no error");
}

TEST(ReadParams, AreForAnyOfTheFiles) {
  EXPECT_EQ(complaint("read.delimiter", {"model.txt", "train.csv.gz"}), "no error");
  EXPECT_EQ(complaint("read.na_values", {"data.tsv"}), "no error");
  EXPECT_EQ(complaint("read.delimiter", {"data"}, DataFormat::kCsv), "no error");
  EXPECT_EQ(complaint("read.absent", {"train.txt"}), "no error");
  // What every format looks at, and what does not concern reading.
  EXPECT_EQ(complaint("read.categorical", {"train.txt"}), "no error");
  EXPECT_EQ(complaint("delimiter", {"train.txt"}), "no error");
}

}  // namespace
}  // namespace glassrank
