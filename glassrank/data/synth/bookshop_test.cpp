#include "glassrank/data/synth/bookshop.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/data/synth/bookshop_features.h"
#include "glassrank/data/synth/grading.h"

namespace glassrank {
namespace {

const Bookshop& shop() {
  static const Bookshop instance = make_bookshop({}, 0);
  return instance;
}

std::vector<const Dataset*> parts() { return {&shop().train, &shop().valid, &shop().test}; }

float value(const Dataset& data, std::size_t row, std::string_view feature) {
  return data.row(row)[book_feature_index(feature)];
}

// FNV-1a over everything a reader of the files would see.
std::uint64_t checksum(const Dataset& data) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      hash = (hash ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3ULL;
    }
  };
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    add(data.queries().id(q).data(), data.queries().id(q).size());
  }
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    for (const float x : data.row(r)) {
      const float plain = std::isnan(x) ? -1.0F : x;  // NaNs have many patterns
      add(&plain, sizeof plain);
    }
    add(&data.grades()[r], sizeof(float));
    add(data.document_ids()[r].data(), data.document_ids()[r].size());
  }
  return hash;
}

TEST(Bookshop, IsTheSameEveryTime) {
  const Bookshop small = make_bookshop({.queries = 10, .documents_per_query = 8, .books = 100}, 0);
  EXPECT_EQ(checksum(small.train), 5086002300175288451ULL);
  EXPECT_EQ(checksum(small.valid), 9835633336512115525ULL);
  EXPECT_EQ(checksum(small.test), 571225859758402633ULL);
  EXPECT_NE(checksum(make_bookshop({}, 1).test), checksum(shop().test));
}

TEST(Bookshop, IsSplitByQueryWithReadableNames) {
  EXPECT_EQ(shop().train.num_queries(), 240U);
  EXPECT_EQ(shop().valid.num_queries(), 80U);
  EXPECT_EQ(shop().test.num_queries(), 80U);
  std::set<std::string> ids;
  for (const Dataset* part : parts()) {
    EXPECT_EQ(part->feature_names()[0], "bm25_title");
    EXPECT_GE(part->num_features(), 36U);
    for (const std::string& id : part->queries().ids()) {
      EXPECT_TRUE(ids.insert(id).second);
      EXPECT_EQ(id.find(' '), std::string::npos);
    }
  }
  EXPECT_TRUE(shop().train.document_ids()[0].starts_with("the-"));
}

TEST(Bookshop, ValuesAreInTheirUnits) {
  double without_reviews = 0;
  double rows = 0;
  for (const Dataset* part : parts()) {
    for (std::size_t r = 0; r < part->num_rows(); ++r) {
      const float price = value(*part, r, "price");
      EXPECT_TRUE(price >= 2.99F && price <= 60.0F) << price;
      const float year = value(*part, r, "publishing_year");
      EXPECT_TRUE(year >= 1950 && year <= 2026) << year;
      const float reviews = value(*part, r, "number_of_reviews");
      const float average = value(*part, r, "average_review");
      EXPECT_EQ(std::isnan(average), reviews == 0);
      if (reviews > 0) {
        EXPECT_TRUE(average >= 1 && average <= 5) << average;
      }
      without_reviews += reviews == 0 ? 1 : 0;
      ++rows;
      float genres = 0;
      for (const char* genre : {"fantasy", "thriller", "mystery", "romance", "science", "history",
                                "cooking", "children"}) {
        genres += value(*part, r, std::string("genre_") + genre);
      }
      EXPECT_EQ(genres, 1);
    }
  }
  EXPECT_GT(without_reviews / rows, 0.01);
  EXPECT_LT(without_reviews / rows, 0.2);
}

TEST(Bookshop, ABookOccursOncePerQuery) {
  for (const Dataset* part : parts()) {
    for (std::size_t q = 0; q < part->num_queries(); ++q) {
      std::set<std::string_view> seen;
      const RowRange rows = part->queries().rows(q);
      for (std::size_t r = rows.begin; r < rows.end; ++r) {
        EXPECT_TRUE(seen.insert(part->document_ids()[r]).second);
      }
    }
  }
}

TEST(Bookshop, UtilityRanksTheGrades) {
  // Share of pairs of one query with different grades that the true utility orders right.
  const Dataset& test = shop().test;
  double right = 0;
  double all = 0;
  for (std::size_t q = 0; q < test.num_queries(); ++q) {
    const RowRange rows = test.queries().rows(q);
    for (std::size_t a = rows.begin; a < rows.end; ++a) {
      for (std::size_t b = rows.begin; b < rows.end; ++b) {
        if (test.grades()[a] <= test.grades()[b]) continue;
        right += book_utility(test.row(a)) > book_utility(test.row(b)) ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(right / all, 0.9);
}

TEST(Bookshop, TwoPairsInteractAndNothingElse) {
  ASSERT_EQ(book_interactions().size(), 2U);
  // f(a, b) - f(a', b) - f(a, b') + f(a', b') is 0 for every pair of features but the two.
  const auto features = book_features();
  std::vector<float> low(features.size(), 0);
  std::vector<float> high(features.size(), 14);
  std::set<std::pair<std::string, std::string>> found;
  for (std::size_t a = 0; a < features.size(); ++a) {
    for (std::size_t b = a + 1; b < features.size(); ++b) {
      const auto utility = [&](bool high_a, bool high_b) {
        auto row = low;
        if (high_a) row[a] = high[a];
        if (high_b) row[b] = high[b];
        return book_utility(row);
      };
      const double mixed =
          utility(true, true) - utility(true, false) - utility(false, true) + utility(false, false);
      if (std::abs(mixed) > 1e-9) found.emplace(features[a].name, features[b].name);
    }
  }
  EXPECT_EQ(found, (std::set<std::pair<std::string, std::string>>{{"genre_fantasy", "target_age"},
                                                                  {"price", "is_ebook"}}));
}

TEST(Bookshop, MistakesAreListedAndOnlyInTrainAndValid) {
  const Bookshop right = make_bookshop({.queries_with_mistakes = 0}, 0);
  EXPECT_TRUE(right.mistakes.empty());
  EXPECT_TRUE(std::ranges::equal(right.test.grades(), shop().test.grades()));
  std::set<std::pair<std::string, std::size_t>> listed;
  for (const JudgingMistake& mistake : shop().mistakes) {
    const Dataset& part = mistake.part == "train" ? shop().train : shop().valid;
    EXPECT_EQ(part.grades()[mistake.row], mistake.given_grade);
    EXPECT_EQ(part.document_name(mistake.row), mistake.document);
    EXPECT_EQ(mistake.given_grade, mistake.true_grade == 0 ? 4 : 0);
    listed.emplace(mistake.part, mistake.row);
  }
  EXPECT_EQ(listed.size(), shop().mistakes.size());
  const double share = static_cast<double>(listed.size()) /
                       static_cast<double>(shop().train.num_rows() + shop().valid.num_rows());
  EXPECT_NEAR(share, 0.024, 0.005);  // 0.4 of the queries, 1.5 of 25 books each
  for (std::size_t r = 0; r < shop().train.num_rows(); ++r) {
    EXPECT_EQ(shop().train.grades()[r] != right.train.grades()[r], listed.contains({"train", r}));
  }
}

TEST(Bookshop, TruthIsWrittenAsJson) {
  const Json json = Json::parse(bookshop_truth_json(shop()));
  EXPECT_EQ(json["features"].size(), shop().test.num_features());
  EXPECT_EQ(json["main_effects"].size(), book_effects().size());
  EXPECT_EQ(json["interactions"][0]["features"][0], "is_ebook");
  EXPECT_EQ(json["mistakes"].size(), shop().mistakes.size());
  EXPECT_EQ(json["main_effects"][0]["points"][0][1], 0.0);
}

TEST(Bookshop, SaysWhatDoesNotFit) {
  const auto message = [](const BookshopParams& params) -> std::string {
    try {
      make_bookshop(params, 0);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message({.queries = 2}), "queries = 2; the book shop needs at least 3, one per part");
  EXPECT_EQ(message({.documents_per_query = 20, .books = 10}),
            "books = 10; 20 documents per query need a catalogue of at least 30");
}

}  // namespace
}  // namespace glassrank
