#include "glassrank/data/synth/bookshop_features.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace glassrank {
namespace {

using Search = BookSearch;
using Match = TextMatch;

template <Genre kGenre>
double is_genre(const Search&, const Book& book, const Match&) {
  return book.genre == kGenre ? 1 : 0;
}

bool price_fits(const Search& search, const Book& book) {
  return !search.has_price_filter ||
         (book.price >= search.lowest_price && book.price <= search.highest_price);
}

constexpr BookRole kEffect = BookRole::kEffect;
constexpr BookRole kFollows = BookRole::kFollows;
constexpr BookRole kOfQuery = BookRole::kOfQuery;
constexpr BookRole kUseless = BookRole::kUseless;

constexpr BookFeature kFeatures[] = {
    {"bm25_title", kEffect, "BM25",
     [](const Search&, const Book&, const Match& m) { return m.title; }},
    {"bm25_description", kEffect, "BM25",
     [](const Search&, const Book&, const Match& m) { return m.description; }},
    {"bm25_author", kEffect, "BM25",
     [](const Search&, const Book&, const Match& m) { return m.author; }},
    {"query_length", kOfQuery, "words",
     [](const Search& s, const Book&, const Match&) { return s.num_words; }},
    {"query_is_author_name", kOfQuery, "yes or no",
     [](const Search& s, const Book&, const Match&) { return s.is_author_name ? 1.0 : 0.0; }},
    {"query_has_price_filter", kOfQuery, "yes or no",
     [](const Search& s, const Book&, const Match&) { return s.has_price_filter ? 1.0 : 0.0; }},
    {"query_genre_match", kEffect, "yes or no",
     [](const Search& s, const Book& b, const Match&) { return s.genre == b.genre ? 1.0 : 0.0; }},
    {"price_in_filter_range", kEffect, "yes or no",
     [](const Search& s, const Book& b, const Match&) { return price_fits(s, b) ? 1.0 : 0.0; }},
    {"price", kEffect, "currency",
     [](const Search&, const Book& b, const Match&) { return b.price; }},
    {"discount_percent", kUseless, "percent",
     [](const Search&, const Book& b, const Match&) { return b.discount_percent; }},
    {"is_ebook", kEffect, "yes or no",
     [](const Search&, const Book& b, const Match&) { return b.is_ebook ? 1.0 : 0.0; }},
    {"is_hardcover", kFollows, "price",
     [](const Search&, const Book& b, const Match&) { return b.is_hardcover ? 1.0 : 0.0; }},
    {"genre_fantasy", kEffect, "yes or no", is_genre<Genre::kFantasy>},
    {"genre_thriller", kFollows, "query_genre_match", is_genre<Genre::kThriller>},
    {"genre_mystery", kFollows, "query_genre_match", is_genre<Genre::kMystery>},
    {"genre_romance", kFollows, "query_genre_match", is_genre<Genre::kRomance>},
    {"genre_science", kFollows, "query_genre_match", is_genre<Genre::kScience>},
    {"genre_history", kFollows, "query_genre_match", is_genre<Genre::kHistory>},
    {"genre_cooking", kFollows, "query_genre_match", is_genre<Genre::kCooking>},
    {"genre_children", kFollows, "target_age", is_genre<Genre::kChildren>},
    {"target_age", kEffect, "years; 18: adults",
     [](const Search&, const Book& b, const Match&) { return b.target_age; }},
    {"publishing_year", kFollows, "days_since_release",
     [](const Search&, const Book& b, const Match&) { return b.publishing_year; }},
    {"days_since_release", kEffect, "days",
     [](const Search&, const Book& b, const Match&) { return b.days_since_release; }},
    {"is_new_arrival", kFollows, "days_since_release",
     [](const Search&, const Book& b, const Match&) {
       return b.days_since_release < 90 ? 1.0 : 0.0;
     }},
    {"number_of_reviews", kEffect, "reviews",
     [](const Search&, const Book& b, const Match&) { return b.number_of_reviews; }},
    {"average_review", kEffect, "stars from 1 to 5; missing without reviews",
     [](const Search&, const Book& b, const Match&) { return b.average_review; }},
    {"sales_last_month", kFollows, "number_of_reviews",
     [](const Search&, const Book& b, const Match&) { return b.sales_last_month; }},
    {"sales_last_year", kFollows, "sales_last_month",
     [](const Search&, const Book& b, const Match&) { return b.sales_last_year; }},
    {"author_popularity", kEffect, "0 to 1",
     [](const Search&, const Book& b, const Match&) { return b.author_popularity; }},
    {"author_number_of_books", kFollows, "author_popularity",
     [](const Search&, const Book& b, const Match&) { return b.author_number_of_books; }},
    {"in_stock", kEffect, "yes or no",
     [](const Search&, const Book& b, const Match&) { return b.in_stock ? 1.0 : 0.0; }},
    {"delivery_days", kFollows, "in_stock",
     [](const Search&, const Book& b, const Match&) { return b.delivery_days; }},
    {"pages", kUseless, "pages",
     [](const Search&, const Book& b, const Match&) { return b.pages; }},
    {"weight_grams", kFollows, "is_ebook",
     [](const Search&, const Book& b, const Match&) { return b.weight_grams; }},
    {"title_length", kUseless, "characters",
     [](const Search&, const Book& b, const Match&) { return b.title_length; }},
    {"is_english", kUseless, "yes or no",
     [](const Search&, const Book& b, const Match&) { return b.is_english ? 1.0 : 0.0; }},
    {"isbn_last_digit", kUseless, "0 to 9",
     [](const Search&, const Book& b, const Match&) { return b.isbn_last_digit; }},
    {"shelf_number", kUseless, "number",
     [](const Search&, const Book& b, const Match&) { return b.shelf_number; }},
    {"warehouse_temperature", kUseless, "degrees Celsius",
     [](const Search&, const Book& b, const Match&) { return b.warehouse_temperature; }},
    {"catalogue_checksum", kUseless, "0 to 1",
     [](const Search&, const Book& b, const Match&) { return b.catalogue_checksum; }},
};

constexpr BookEffect kEffects[] = {
    {"bm25_title", 0, 16, 41, [](double x) { return 2.0 * x / (x + 6); }},
    {"bm25_description", 0, 10, 41, [](double x) { return 0.08 * x; }},
    {"bm25_author", 0, 18, 41, [](double x) { return x > 5 ? 1.2 : 0.0; }},
    {"query_genre_match", 0, 1, 2, [](double x) { return 0.9 * x; }},
    {"price_in_filter_range", 0, 1, 2, [](double x) { return 0.8 * x; }},
    {"price", 2.99, 60, 41, [](double x) { return -0.02 * std::max(x - 12, 0.0); }},
    {"is_ebook", 0, 1, 2, [](double x) { return 0.4 * x; }},
    {"genre_fantasy", 0, 1, 2, [](double x) { return -0.4 * x; }},
    {"days_since_release", 0, 3650, 41, [](double x) { return 0.6 / (1 + x / 365); }},
    {"number_of_reviews", 0, 2000, 41, [](double x) { return 1.2 * x / (x + 60); }},
    {"average_review", 1, 5, 41, [](double x) { return 0.6 * (std::clamp(x, 2.5, 4.6) - 3.5); }},
    {"author_popularity", 0, 1, 41, [](double x) { return 0.4 * x; }},
    {"in_stock", 0, 1, 2, [](double x) { return 0.7 * x; }},
};

constexpr BookInteraction kInteractions[] = {
    {"is_ebook", "price", "an e-book for more than 10 is unwanted",
     [](double is_ebook, double price) { return is_ebook > 0 && price > 10 ? -1.2 : 0.0; }},
    {"genre_fantasy", "target_age", "fantasy for readers of 12 to 17 is wanted",
     [](double is_fantasy, double age) {
       return is_fantasy > 0 && age >= 12 && age <= 17 ? 1.3 : 0.0;
     }},
};

}  // namespace

std::span<const BookFeature> book_features() { return kFeatures; }
std::span<const BookEffect> book_effects() { return kEffects; }
std::span<const BookInteraction> book_interactions() { return kInteractions; }

std::string_view name_of(BookRole role) {
  constexpr std::string_view kNames[] = {"effect", "follows", "query", "useless"};
  return kNames[static_cast<std::size_t>(role)];
}

std::size_t book_feature_index(std::string_view name) {
  const auto found = std::ranges::find(kFeatures, name, &BookFeature::name);
  assert(found != std::end(kFeatures));
  return static_cast<std::size_t>(found - std::begin(kFeatures));
}

double book_utility(std::span<const float> row) {
  double sum = 0;
  for (const BookEffect& effect : kEffects) {
    const double x = row[book_feature_index(effect.feature)];
    if (!std::isnan(x)) sum += effect.curve(x);
  }
  for (const BookInteraction& pair : kInteractions) {
    sum += pair.effect(row[book_feature_index(pair.first)], row[book_feature_index(pair.second)]);
  }
  return sum;
}

}  // namespace glassrank
