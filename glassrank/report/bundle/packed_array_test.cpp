#include "glassrank/report/bundle/packed_array.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

TEST(PackedArray, Base64IsThatOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

template <typename T>
void expect_same(const std::vector<T>& values) {
  const std::vector<double> back = unpack(pack(std::span<const T>(values)));
  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(back[i], static_cast<double>(values[i])) << i;
  }
}

TEST(PackedArray, GivesBackWhatWasPacked) {
  expect_same<std::uint8_t>({0, 1, 255, 7});
  expect_same<std::uint16_t>({0, 1, 255, 256, 65535});
  expect_same<std::uint32_t>({0, 70000, 4294967295U});
  expect_same<std::int16_t>({-32768, -1, 0, 1, 32767});
  expect_same<float>({0.1F, -3e20F, 1e-40F, std::numeric_limits<float>::infinity()});
  expect_same<float>({});
}

TEST(PackedArray, KeepsMissingValues) {
  const std::vector<float> values = {1, std::numeric_limits<float>::quiet_NaN()};
  EXPECT_TRUE(std::isnan(unpack(pack(std::span<const float>(values)))[1]));
}

TEST(PackedArray, TakesLittleRoomForWhatRepeats) {
  const std::vector<std::int16_t> values(100'000, 3);
  EXPECT_LT(pack(std::span<const std::int16_t>(values)).bytes.size(), 1000U);
}

TEST(PackedArray, RefusesWhatIsNoArray) {
  PackedArray array = pack(std::span<const std::uint8_t>(std::vector<std::uint8_t>{1, 2}));
  const auto message = [&] {
    try {
      unpack(array);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string();
  };
  const std::string bytes = array.bytes;
  array.size = 3;
  EXPECT_EQ(message(), "packed numbers: not 3 numbers of type u8");
  array.size = 1;
  EXPECT_EQ(message(), "packed numbers: not 1 numbers of type u8");
  array.bytes = "?" + bytes;
  EXPECT_EQ(message(), "packed numbers: '?' is no digit of base64");
  array.type = "u9";
  array.bytes = bytes;
  EXPECT_EQ(message(), "packed numbers: no type 'u9'");
}

}  // namespace
}  // namespace glassrank
