#include "glassrank/base/byte_size.h"

#include <string>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

TEST(ByteSize, IsANumberWithAUnit) {
  EXPECT_EQ(parse_byte_size(""), 0U);
  EXPECT_EQ(parse_byte_size("65536"), 65536U);
  EXPECT_EQ(parse_byte_size("3k"), 3072U);
  EXPECT_EQ(parse_byte_size("800M"), 800ULL << 20);
  EXPECT_EQ(parse_byte_size("4GB"), 4ULL << 30);
  EXPECT_EQ(parse_byte_size("2TiB"), 2ULL << 40);
}

TEST(ByteSize, RefusesEverythingElse) {
  for (const std::string text :
       {"0", "G", "4X", "-1", "1.5G", "4 G", "4GiBB", "16777216T", "99999999999999999999"}) {
    try {
      parse_byte_size(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.message(),
                "'" + text + "' is not an amount of memory; 800M, 4G or 65536 would be");
    }
  }
}

TEST(ByteSize, IsShownInTheLargestWholeUnit) {
  EXPECT_EQ(byte_size_text(0), "0");
  EXPECT_EQ(byte_size_text(1000), "1000");
  EXPECT_EQ(byte_size_text(3072), "3K");
  EXPECT_EQ(byte_size_text(4ULL << 30), "4G");
  for (const std::uint64_t size : {1ULL, 1024ULL, 1025ULL << 10, 7ULL << 40, 1ULL << 60}) {
    EXPECT_EQ(parse_byte_size(byte_size_text(size)), size);
  }
}

}  // namespace
}  // namespace glassrank
