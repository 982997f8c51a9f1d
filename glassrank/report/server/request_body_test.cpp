#include "glassrank/report/server/request_body.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"

namespace glassrank {
namespace {

const std::vector<std::string> kFeatures = {"bm25", "price", "stars"};

RequestBody read(const std::string& body, std::size_t most = 100) {
  return RequestReader(kFeatures, most).read_json(body);
}

std::string error_of(const std::string& body, std::size_t most = 100) {
  try {
    read(body, most);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RequestBody, DocumentsAreListsInTheOrderOfTheFeaturesOrObjectsByName) {
  const RequestBody body = read(
      R"({"documents": [{"id": "a", "features": [1, 2.5, null]}, {"features": {"stars": 4, "bm25": -1e1}}]})");
  ASSERT_TRUE(body.documents);
  EXPECT_EQ(body.documents->num_rows, 2);
  EXPECT_EQ(body.documents->ids, (std::vector<std::string>{"a", "2"}));
  const std::vector<float>& values = body.documents->values;
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[1], 2.5F);
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_EQ(values[3], -10);
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_EQ(values[5], 4);
}

TEST(RequestBody, OtherKeysBecomeOptions) {
  const RequestBody body = read(R"({"top": 3, "only": ["a", "b"], "audit": false, "query": null})");
  ASSERT_EQ(body.options.size(), 3);
  EXPECT_EQ(body.options[0].values, std::vector<std::string>{"3"});
  EXPECT_EQ(body.options[1].values, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(body.options[2].values, std::vector<std::string>{"false"});
  EXPECT_FALSE(body.documents);
  EXPECT_TRUE(read("").options.empty());
}

TEST(RequestBody, TextsHaveTheirEscapesResolved) {
  const RequestBody body = read(R"({"query": "caf\u00e9 \"x\"", "documents": null})");
  EXPECT_EQ(body.options[0].values.front(), "caf\xc3\xa9 \"x\"");
}

TEST(RequestBody, ErrorsSayWhere) {
  EXPECT_EQ(error_of("[]"), "character 1: the body must be a JSON object");
  EXPECT_EQ(error_of(R"({"documents": [{"features": [1, 2]}]})"),
            "document 1 has 2 features, the model has 3");
  EXPECT_EQ(error_of(R"({"documents": [{"features": [1, 2, x]}]})"),
            "character 36: a number or null (missing) is expected");
  EXPECT_EQ(error_of(R"({"documents": [{"features": [1, 2, 1e99]}]})"),
            "character 36: the number is too large for a feature");
  EXPECT_EQ(error_of(R"({"documents": [{"features": {"prise": 1}}]})"),
            "unknown feature 'prise'; did you mean 'price'?");
  EXPECT_EQ(error_of(R"({"documents": [{"id": "a"}]})"), "document 1 has no \"features\"");
  EXPECT_EQ(error_of(R"({"documents": []})"), "\"documents\" is empty");
  EXPECT_EQ(error_of(R"({"documents": [{"features": [1, 2, 3], "x": 1}]})"),
            "character 44: a document has \"id\" and \"features\", not \"x\"");
  EXPECT_EQ(error_of(R"({"a": 1, "a": 2})"), "character 14: \"a\" is given twice");
  EXPECT_EQ(error_of(R"({"a": {"b": 1}})"),
            "\"a\": a number, a text, true, false or a list of such is expected, not object");
  EXPECT_EQ(error_of(R"({"a": 1} {)"), "character 10: nothing more is expected");
  EXPECT_EQ(error_of(R"({"a": "b)"), "character 7: the text has no end");
  EXPECT_EQ(error_of("{\"a\": " + std::string(100, '[')), "character 71: nested too deeply");
  EXPECT_EQ(error_of(R"({"documents": [{"features": [1,2,3]}, {"features": [1,2,3]}]})", 1),
            "more than 1 documents in one request; --max-documents sets the limit");
}

TEST(RequestBody, BinaryRowsAreWholeAndFinite) {
  const RequestReader reader(kFeatures, 100);
  const std::vector<float> values = {1, 2, 3, 4, NAN, 6};
  const std::string bytes(reinterpret_cast<const char*>(values.data()),
                          values.size() * sizeof(float));
  const RequestDocuments documents = reader.read_binary(bytes);
  EXPECT_EQ(documents.num_rows, 2);
  EXPECT_EQ(documents.values[3], 4);
  EXPECT_TRUE(std::isnan(documents.values[4]));
  EXPECT_THROW(reader.read_binary(bytes.substr(1)), Error);
  EXPECT_THROW(reader.read_binary(""), Error);
  const float infinite[] = {1, INFINITY, 2};
  EXPECT_THROW(reader.read_binary({reinterpret_cast<const char*>(infinite), sizeof infinite}),
               Error);
}

RC_GTEST_PROP(RequestBody, NumbersAreThoseOfAFullParser, ()) {
  Json documents = Json::array();
  const auto num_rows = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t row = 0; row < num_rows; ++row) {
    Json features = Json::array();
    for (std::size_t f = 0; f < kFeatures.size(); ++f) {
      const double value = *rc::gen::arbitrary<double>();
      features.push_back(std::abs(value) < 1e38 ? Json(value) : Json(nullptr));
    }
    documents.push_back({{"features", std::move(features)}});
  }
  const Json body{{"documents", documents}};
  const RequestBody read_body = read(body.dump(*rc::gen::element(-1, 1, 2)));
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (std::size_t f = 0; f < kFeatures.size(); ++f) {
      const float value = read_body.documents->values[row * kFeatures.size() + f];
      const Json& expected = documents[row]["features"][f];
      if (expected.is_null()) {
        RC_ASSERT(std::isnan(value));
      } else {
        // A double's decimal, rounded to float at once, as the double is.
        RC_ASSERT(std::abs(value - expected.get<double>()) <=
                  std::abs(expected.get<double>()) * 6e-8 + 1e-44);
      }
    }
  }
}

}  // namespace
}  // namespace glassrank
