#include "glassrank/data/synth/bookshop.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/random.h"
#include "glassrank/data/grade_noise.h"
#include "glassrank/data/split.h"
#include "glassrank/data/synth/bookshop_catalogue.h"
#include "glassrank/data/synth/bookshop_features.h"
#include "glassrank/data/synth/grading.h"

namespace glassrank {
namespace {

constexpr std::array<double, 5> kGradeShares = {0.42, 0.25, 0.17, 0.10, 0.06};
constexpr std::array<double, 3> kParts = {0.6, 0.2, 0.2};

constexpr std::string_view kTopics[kNumGenres][5] = {
    {"dragons", "wizards", "quests", "elves", "portals"},
    {"spies", "hackers", "heists", "conspiracy", "manhunt"},
    {"detectives", "country-house", "cold-case", "poison", "locked-room"},
    {"second-chance", "summer-love", "regency", "letters", "small-town"},
    {"space", "robots", "evolution", "climate", "physics"},
    {"rome", "vikings", "renaissance", "railways", "explorers"},
    {"bread", "vegan", "soups", "pastry", "spices"},
    {"animals", "bedtime", "pirates", "school", "dinosaurs"}};

BookSearch draw_search(RandomSequence& random) {
  BookSearch search;
  search.genre = static_cast<Genre>(random.below(kNumGenres));
  search.topic = kTopics[static_cast<std::size_t>(search.genre)][random.below(5)];
  search.num_words = 1 + static_cast<double>(random.below(6));
  search.is_author_name = random.uniform() < 0.15;
  search.has_price_filter = random.uniform() < 0.5;
  search.lowest_price = 5.0 * static_cast<double>(random.below(4));
  search.highest_price = search.lowest_price + 5.0 * static_cast<double>(1 + random.below(3));
  return search;
}

TextMatch draw_match(const BookSearch& search, const Book& book, RandomSequence& random) {
  const double topicality = random.uniform() * (search.genre == book.genre ? 1.0 : 0.7);
  const double title = 0.7 * topicality + 0.5 * random.uniform() - 0.3;
  const double description = 0.6 * topicality + 0.4 * random.uniform();
  const bool author = search.is_author_name && random.uniform() < 0.2;
  return {.title = round_to(18 * std::max(title, 0.0), 0.001),
          .description = round_to(10 * description, 0.001),
          .author = author ? round_to(9 + 8 * random.uniform(), 0.001) : 0.0};
}

// Different books, three in five of them of the genre that was looked for.
std::vector<std::size_t> draw_books(const BookSearch& search, const std::vector<Book>& books,
                                    std::size_t count, RandomSequence& random) {
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    const bool of_genre = random.uniform() < 0.6;
    std::size_t book = random.below(books.size());
    // A small catalogue may have none left of the genre: then any book will do.
    for (int tries = 0; tries < 50 && of_genre && books[book].genre != search.genre; ++tries) {
      book = random.below(books.size());
    }
    if (std::ranges::find(chosen, book) == chosen.end()) chosen.push_back(book);
  }
  return chosen;
}

struct Shelf {
  Dataset data;  // grades not yet set
  std::vector<float> noisy_utilities;
};

Shelf make_shelf(const BookshopParams& params, std::uint64_t seed, const Context& context) {
  const auto books = make_catalogue(static_cast<std::size_t>(params.books), seed);
  const auto features = book_features();
  Shelf shelf;
  std::vector<float> values;
  std::vector<std::string> query_ids;
  std::vector<std::size_t> sizes;
  StringColumnBuilder document_ids;
  for (int q = 0; q < params.queries; ++q) {
    context.check_stop();
    RandomSequence random(CounterRandom(seed, "bookshop search", static_cast<std::uint64_t>(q)));
    const BookSearch search = draw_search(random);
    query_ids.push_back(fmt::format("q{:03}:{}-{}", q + 1, name_of(search.genre), search.topic));
    // Between 0.6 and 1.4 times the mean.
    const auto mean = static_cast<double>(params.documents_per_query);
    const auto size = static_cast<std::size_t>(std::llround(mean * (0.6 + 0.8 * random.uniform())));
    sizes.push_back(std::max<std::size_t>(size, 2));
    for (const std::size_t b : draw_books(search, books, sizes.back(), random)) {
      const TextMatch match = draw_match(search, books[b], random);
      const std::size_t first = values.size();
      for (const BookFeature& feature : features) {
        values.push_back(static_cast<float>(feature.value(search, books[b], match)));
      }
      const double utility = book_utility(std::span(values).subspan(first));
      shelf.noisy_utilities.push_back(static_cast<float>(utility + params.noise * random.normal()));
      document_ids.add(books[b].id);
    }
  }
  DatasetParts parts;
  parts.features = Buffer<float>(values.size());
  std::ranges::copy(values, parts.features.data());
  parts.grades.resize(shelf.noisy_utilities.size());
  parts.queries = QueryGroups(std::move(query_ids), sizes);
  for (const BookFeature& feature : features) parts.schema.add_feature(std::string(feature.name));
  parts.document_ids = document_ids.finish();
  shelf.data = Dataset(std::move(parts));
  return shelf;
}

// Regrades one or two books in a share of the part's queries; returns what was done.
std::vector<JudgingMistake> add_mistakes(const std::string& part, Dataset& data, double share,
                                         std::uint64_t seed) {
  std::vector<float> grades(data.grades().begin(), data.grades().end());
  std::vector<JudgingMistake> mistakes;
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    RandomSequence random(CounterRandom(seed, "bookshop mistakes " + part, q));
    if (random.uniform() >= share) continue;
    const std::uint64_t wanted = 1 + random.below(2);
    std::vector<std::size_t> candidates;  // only plain cases: clearly wanted or clearly not
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      if (grades[r] == 0 || grades[r] >= 3) candidates.push_back(r);
    }
    random.shuffle(candidates);
    for (std::size_t i = 0; i < std::min<std::size_t>(wanted, candidates.size()); ++i) {
      const std::size_t r = candidates[i];
      const float right = grades[r];
      grades[r] = right == 0 ? 4.0F : 0.0F;
      mistakes.push_back({.part = part,
                          .query = data.queries().id(q),
                          .document = data.document_name(r),
                          .row = r,
                          .given_grade = grades[r],
                          .true_grade = right,
                          .reason = right == 0 ? "unfitting book judged perfect"
                                               : "wanted book judged irrelevant"});
    }
  }
  std::ranges::sort(mistakes, {}, &JudgingMistake::row);
  data = with_grades(data, std::move(grades));
  return mistakes;
}

void check(const BookshopParams& params) {
  check_params(params);
  if (params.queries < 3) {
    fail(ErrorKind::kUsage, "queries = {}; the book shop needs at least 3, one per part",
         params.queries);
  }
  const int most = 3 * params.documents_per_query / 2;
  if (params.books < most) {
    fail(ErrorKind::kUsage, "books = {}; {} documents per query need a catalogue of at least {}",
         params.books, params.documents_per_query, most);
  }
}

}  // namespace

void BookshopParams::visit(ParamVisitor& visitor) {
  visitor.field("queries", queries, "number of searches", kPositive);
  visitor.field("documents_per_query", documents_per_query, "mean number of books per search",
                kPositive);
  visitor.field("books", books, "size of the catalogue", kPositive);
  visitor.field("noise", noise, "spread of the noise on the utility", kNotNegative);
  visitor.field("queries_with_mistakes", queries_with_mistakes,
                "share of training and validation searches with wrongly judged books", kShare);
}

Bookshop make_bookshop(const BookshopParams& params, std::uint64_t seed, const Context& context) {
  check(params);
  const Shelf shelf = make_shelf(params, seed, context);
  Bookshop shop;
  shop.thresholds = grade_thresholds(shelf.noisy_utilities, kGradeShares);
  std::vector<float> grades;
  for (const float utility : shelf.noisy_utilities) {
    grades.push_back(grade_of(utility, shop.thresholds));
  }
  const Dataset graded = with_grades(shelf.data, std::move(grades));
  const auto parts = split_queries(graded.num_queries(), kParts, seed);
  shop.train = select_queries(graded, parts[0]).materialise();
  shop.valid = select_queries(graded, parts[1]).materialise();
  shop.test = select_queries(graded, parts[2]).materialise();
  shop.mistakes = add_mistakes("train", shop.train, params.queries_with_mistakes, seed);
  for (auto& mistake : add_mistakes("valid", shop.valid, params.queries_with_mistakes, seed)) {
    shop.mistakes.push_back(std::move(mistake));
  }
  return shop;
}

}  // namespace glassrank
