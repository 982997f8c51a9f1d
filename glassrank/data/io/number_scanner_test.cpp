#include "glassrank/data/io/number_scanner.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"
#include "glassrank/data/io/svmlight/svmlight_rows.h"
#include "testing/on_every_target.h"

namespace glassrank {
namespace {

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

std::uint32_t expected_bits(const std::string& text) {
  float value = 0;
  fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return bits(value);
}

// A decimal number of a random shape; about half have few digits.
std::string random_number(RandomSequence& random) {
  std::string text = random.below(3) == 0 ? "-" : "";
  const auto digits = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      text += static_cast<char>('0' + random.below(10));
    }
  };
  digits(1 + random.below(random.below(2) == 0 ? 3 : 18));
  if (random.below(4) != 0) {
    text += '.';
    digits(random.below(random.below(2) == 0 ? 8 : 22));
  }
  if (random.below(8) == 0) {
    text += fmt::format("e{}", static_cast<int>(random.below(70)) - 50);
  }
  return text;
}

// Exactly between two neighbouring floats, or a little beside: where rounding twice goes wrong.
std::string near_halfway(RandomSequence& random) {
  const auto mantissa =
      static_cast<double>((std::uint64_t{1} << 24) + 2 * random.below(1 << 23) + 1);
  const double halfway = mantissa * std::ldexp(1.0, -static_cast<int>(random.below(30)));
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, halfway, std::chars_format::fixed).ptr;
  std::string out(text, end);
  if (random.below(2) == 0) out += out.find('.') == out.npos ? ".0000001" : "1";
  return out;
}

TEST(ScanFloat, GivesTheBitsOfACorrectlyRoundedParse) {
  RandomSequence random(CounterRandom(1, "test"));
  int taken = 0;
  for (int i = 0; i < 300'000; ++i) {
    const std::string text = i % 4 == 0 ? near_halfway(random) : random_number(random);
    std::string padded = text + " ";
    padded.append(kScanSlack, '9');
    const char* p = padded.data();
    float value = 0;
    if (!scan_float(p, value)) continue;
    ++taken;
    ASSERT_EQ(p - padded.data(), static_cast<std::ptrdiff_t>(text.size())) << text;
    ASSERT_EQ(bits(value), expected_bits(text)) << text;
  }
  EXPECT_GT(taken, 100'000);
}

TEST(ScanFloat, DeclinesWhatMayBelongToTheNumber) {
  for (const std::string text : {"", "-", ".5", "x", "1x", "1e5", "1.5e5", "1.2.3", "123456789",
                                 "nan", "+1", "12345678.123456789", "16777217"}) {
    std::string padded = text + "\n";
    padded.append(kScanSlack, '0');
    const char* p = padded.data();
    float value = 0;
    EXPECT_FALSE(scan_float(p, value)) << text;
    EXPECT_EQ(p, padded.data());
  }
}

TEST_ON_EVERY_TARGET(SvmlightRowParser, GivesTheBitsOfTheDefinition) {
  const SvmlightRowParser parser(1, 1, 0.0F);
  RandomSequence random(CounterRandom(2, "test"));
  for (int i = 0; i < 60'000; ++i) {
    const std::string text = i % 4 == 0 ? near_halfway(random) : random_number(random);
    std::string line = fmt::format(" 1:{}\n", text);
    line.append(kScanSlack, '9');
    float value = -1;
    const char* end = parser.parse(line.data(), &value);
    ASSERT_EQ(end, line.data() + 3 + text.size()) << text;
    ASSERT_EQ(bits(value), expected_bits(text)) << text;
  }
}

TEST(SvmlightRowParser, FillsWhatIsAbsentAndDeclinesWhatDoesNotFit) {
  const SvmlightRowParser parser(1, 4, -7.0F);
  const auto parse = [&](std::string line) {
    line.append(kScanSlack, '\0');
    float row[4] = {9, 9, 9, 9};
    const char* end = parser.parse(line.data(), row);
    return end == nullptr ? std::string("declined")
                          : fmt::format("{} {} {} {} at {}", row[0], row[1], row[2], row[3],
                                        end - line.data());
  };
  EXPECT_EQ(parse(" 1:1 2:2 3:3 4:4\n"), "1 2 3 4 at 16");
  EXPECT_EQ(parse(" 2:2 4:4 \r\n"), "-7 2 -7 4 at 10");
  EXPECT_EQ(parse("\t1:1  \t3:3#x\n"), "1 -7 3 -7 at 10");
  EXPECT_EQ(parse("\n"), "-7 -7 -7 -7 at 0");
  for (const char* line :
       {" 5:1\n", " 0:1\n", " 2:1 1:1\n", " 2:1 2:1\n", " 1:\n", " 1\n", " :1\n", " -1:1\n",
        " 1:1x\n", " 1:inf\n", " 1:1,2:2\n", "1:1\n", " 00000001:1\n", " 1: 2\n", " 4:4 5:5\n"}) {
    EXPECT_EQ(parse(line), "declined") << line;
  }
}

TEST(ParseFloat, TakesEveryDecimalShape) {
  const auto parse = [](std::string_view text) {
    float value = 0;
    return parse_float(text, value) == NumberStatus::kOk ? value : -99.0F;
  };
  EXPECT_EQ(parse("+1.5"), 1.5F);
  EXPECT_EQ(parse(".5"), 0.5F);
  EXPECT_EQ(parse("5."), 5.0F);
  EXPECT_EQ(parse("1E-2"), 0.01F);
  EXPECT_EQ(parse("1e-60"), 0.0F);
  EXPECT_TRUE(std::isnan(parse("NaN")));
  EXPECT_EQ(bits(parse("-nan")), bits(std::numeric_limits<float>::quiet_NaN()));
}

TEST(ParseFloat, TellsWhyItRefuses) {
  float value = 0;
  for (const char* text : {"", "+", "-", "+-1", "abc", "1x", "0x10", "nan(1)", "1 ", " 1", "1e"}) {
    EXPECT_EQ(parse_float(text, value), NumberStatus::kNotANumber) << text;
  }
  for (const char* text : {"inf", "-Inf", "+infinity"}) {
    EXPECT_EQ(parse_float(text, value), NumberStatus::kInfinite) << text;
  }
  EXPECT_EQ(parse_float("1e39", value), NumberStatus::kTooLarge);
  EXPECT_EQ(parse_float("-3.5e38", value), NumberStatus::kTooLarge);
}

}  // namespace
}  // namespace glassrank
