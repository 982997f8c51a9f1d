#include "glassrank/models/io/json_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testing/message_of.h"

namespace glassrank {
namespace {

using namespace std::string_literals;

std::string text_problem(const std::string& text) {
  return message_of([&] { parse_json_text(text); });
}
std::string ubjson_problem(const std::string& bytes) {
  return message_of([&] { parse_ubjson(bytes); });
}

TEST(JsonText, ReadsInfinityOutsideOfStrings) {
  EXPECT_EQ(parse_json_text(R"([Infinity, -Infinity, "\"Infinity", "Infinity"])").dump(),
            R"([1e+39,-1e+39,"\"Infinity","Infinity"])");
}

TEST(JsonText, SaysWhereItIsWrong) {
  EXPECT_TRUE(text_problem("{\n\"a\": }").starts_with("line 2, column 6: "))
      << text_problem("{\n\"a\": }");
  EXPECT_TRUE(text_problem("[1, NaN]").starts_with("line 1, column 5: "))
      << text_problem("[1, NaN]");
  EXPECT_TRUE(text_problem("{\"a\": [1, 2").starts_with("line 1, column 12: "));
}

TEST(JsonText, RefusesToGoDeepOrWide) {
  EXPECT_EQ(text_problem(std::string(100'000, '[')), "JSON is nested deeper than 64 levels");
  std::string wide = "{";
  for (int i = 0; i < 10'001; ++i) wide += fmt::format("\"{}\":0,", i);
  wide.back() = '}';
  EXPECT_EQ(text_problem(wide), "a JSON object has more than 10000 keys");
  EXPECT_EQ(text_problem(std::string(60, '[') + std::string(60, ']')), "no error");
  std::string many = "[";  // many objects are not one wide object
  for (int i = 0; i < 10'001; ++i) many += "{\"a\":0},";
  many.back() = ']';
  EXPECT_EQ(text_problem(many), "no error");
}

TEST(Ubjson, ReadsEveryMarkerXgboostWrites) {
  // Numbers are big-endian: I 0x0102 = 258; d 0x3f000000 = 0.5; D 0x3ff8... = 1.5.
  EXPECT_EQ(parse_ubjson("{i\x01"
                         "a[i\xffU\xffI\x01\x02l\x00\x01\x00\x00L\x00\x00\x00\x01\x00\x00\x00\x00]"
                         "i\x01"
                         "b[ZTFNd\x3f\x00\x00\x00"
                         "D\x3f\xf8\x00\x00\x00\x00\x00\x00"
                         "CxSi\x02hi]}"s)
                .dump(),
            R"({"a":[-1,255,258,65536,4294967296],"b":[null,true,false,0.5,1.5,"x","hi"]})");
  EXPECT_EQ(parse_ubjson("[$d#i\x02\x3f\x00\x00\x00\xbf\x00\x00\x00"s).dump(), "[0.5,-0.5]");
  EXPECT_EQ(parse_ubjson("[#i\x02i\x05i\x06"s).dump(), "[5,6]");
  EXPECT_EQ(parse_ubjson("{#i\x01i\x01kT"s).dump(), R"({"k":true})");
  EXPECT_EQ(parse_ubjson("{$U#i\x01i\x01k\x07"s).dump(), R"({"k":7})");
}

TEST(Ubjson, SaysWhereItIsWrong) {
  EXPECT_EQ(ubjson_problem(""), "byte 0: the file is cut off");
  EXPECT_EQ(ubjson_problem("[i"), "byte 2: the file is cut off");
  EXPECT_EQ(ubjson_problem("Zx"), "byte 1: there are bytes after the document's end");
  EXPECT_EQ(ubjson_problem("H"), "byte 0: unknown or unsupported marker 0x48");
  EXPECT_EQ(ubjson_problem("SZ"), "byte 2: an integer is expected");
  EXPECT_EQ(ubjson_problem("[$U#L\x7f\xff\xff\xff\xff\xff\xff\xff"s),
            "byte 13: a length of 9223372036854775807 in a file with 0 bytes left");
  EXPECT_EQ(ubjson_problem("Si\xff"), "byte 3: a length of -1 in a file with 0 bytes left");
  EXPECT_EQ(ubjson_problem("[$Z#i\x01"), "byte 3: a typed container must hold numbers");
  EXPECT_EQ(ubjson_problem("[$Ui\x01"), "byte 3: a typed container must have a count");
  EXPECT_EQ(ubjson_problem(std::string(100'000, '[')), "JSON is nested deeper than 64 levels");
  std::string wide = "{";
  for (int i = 0; i < 10'001; ++i) wide += "i\x01"s + "kZ";
  EXPECT_EQ(ubjson_problem(wide + "}"), "a JSON object has more than 10000 keys");
}

}  // namespace
}  // namespace glassrank
