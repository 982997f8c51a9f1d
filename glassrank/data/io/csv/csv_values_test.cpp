#include "glassrank/data/io/csv/csv_values.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "glassrank/base/random.h"

namespace glassrank {
namespace {

TEST(CsvValues, TheUsualWordsAreMissingInAnyCase) {
  const MissingWords missing;
  for (const char* word :
       {"", "NA", "n/a", "#N/A", "<NA>", "NaN", "NaT", "None", "null", "NULL", "-", "\\N"}) {
    EXPECT_TRUE(missing.has(word)) << word;
  }
  for (const char* word : {"0", "--", "missing", "N", "nane"}) {
    EXPECT_FALSE(missing.has(word)) << word;
  }
  EXPECT_FALSE(missing.has_numbers());
}

TEST(CsvValues, MoreMissingTextsCountAsWrittenAndNumbersByValue) {
  const std::vector<std::string> more = {"?", "-999"};
  const MissingWords missing(more);
  EXPECT_TRUE(missing.has("?"));
  EXPECT_TRUE(missing.has("NA"));
  EXPECT_TRUE(missing.has(-999.0F));
  EXPECT_FALSE(missing.has(999.0F));
  EXPECT_TRUE(missing.has("-999.0"));
  EXPECT_FALSE(missing.has("-9999"));
  EXPECT_TRUE(missing.has_numbers());
}

TEST(CsvValues, TrueAndYesAreOneFalseAndNoAreZero) {
  EXPECT_EQ(parse_boolean("True"), 1.0F);
  EXPECT_EQ(parse_boolean("YES"), 1.0F);
  EXPECT_EQ(parse_boolean("false"), 0.0F);
  EXPECT_EQ(parse_boolean("no"), 0.0F);
  EXPECT_FALSE(parse_boolean("nope"));
  EXPECT_FALSE(parse_boolean("1"));
  EXPECT_FALSE(parse_boolean(""));
}

// Days from the Unix shell: date -u -d 2024-02-29 +%s, divided by 86400.
TEST(CsvValues, DatesAreDaysSince1970) {
  EXPECT_EQ(parse_date("1970-01-01"), 0.0F);
  EXPECT_EQ(parse_date("1970-01-02"), 1.0F);
  EXPECT_EQ(parse_date("1969-12-31"), -1.0F);
  EXPECT_EQ(parse_date("2024-02-29"), 19782.0F);
  EXPECT_EQ(parse_date("2000-01-01"), 10957.0F);
}

TEST(CsvValues, TimesArePartsOfADayInUtc) {
  EXPECT_EQ(parse_date("1970-01-02T12:00"), 1.5F);
  EXPECT_EQ(parse_date("1970-01-02 18:00:00"), 1.75F);
  EXPECT_EQ(parse_date("1970-01-02T18:00:00Z"), 1.75F);
  EXPECT_EQ(parse_date("1970-01-02T20:00:00+02:00"), 1.75F);
  EXPECT_EQ(parse_date("1970-01-02T12:00:00-0600"), 1.75F);
  EXPECT_EQ(parse_date("1970-01-02T19:30+01:30"), 1.75F);
  EXPECT_EQ(parse_date("1970-01-01T00:00:00.864"), 1e-5F);
}

TEST(CsvValues, WhatIsNoDateIsNone) {
  for (const char* text :
       {"", "2024", "2024-5-1", "2024-13-01", "2023-02-29", "2024-05-31T", "2024-05-31T24:00",
        "2024-05-31 1", "2024-05-31T10:00:", "2024-05-31T10:00:00.", "2024-05-31T10:00+",
        "2024-05-31T10:00Z0", "31.05.2024", "2024/05/31", "2024-05-31x", "-024-05-31"}) {
    EXPECT_FALSE(parse_date(text)) << text;
  }
}

// The slow way: count the days of every month from 1970 on.
TEST(CsvValues, DaysAreThoseOfACalendarCountedDayByDay) {
  const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int day = 0;
  for (int year = 1970; year < 2110; ++year) {
    const bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int month = 1; month <= 12; ++month) {
      const int length = lengths[month - 1] + (month == 2 && is_leap ? 1 : 0);
      for (int d = 1; d <= length; ++d, ++day) {
        ASSERT_EQ(parse_date(fmt::format("{}-{:02}-{:02}", year, month, d)),
                  static_cast<float>(day));
      }
      EXPECT_FALSE(parse_date(fmt::format("{}-{:02}-{:02}", year, month, length + 1)));
    }
  }
}

TEST(CsvValues, KnowsANumberWithADecimalComma) {
  EXPECT_TRUE(has_decimal_comma("3,5"));
  EXPECT_TRUE(has_decimal_comma("-0,25"));
  EXPECT_FALSE(has_decimal_comma("3.5"));
  EXPECT_FALSE(has_decimal_comma("1,2,3"));
  EXPECT_FALSE(has_decimal_comma("a,b"));
}

}  // namespace
}  // namespace glassrank
