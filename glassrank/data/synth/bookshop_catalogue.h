#pragma once
// The invented books of the book shop scenario. A book is a pure function of (seed, its number).
//
// Prices are in a currency's main unit (2.99 to 60), ages and years in years, weight in grams;
// reviews and sales are heavy-tailed counts; a book without reviews has no average review.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glassrank {

enum class Genre {
  kFantasy,
  kThriller,
  kMystery,
  kRomance,
  kScience,
  kHistory,
  kCooking,
  kChildren
};
inline constexpr std::size_t kNumGenres = 8;
std::string_view name_of(Genre genre);

struct Book {
  std::string id;  // "the-silent-harbour-42"
  Genre genre = Genre::kFantasy;
  bool is_ebook = false;
  bool is_hardcover = false;
  bool in_stock = true;
  bool is_english = true;
  double price = 0;
  double discount_percent = 0;
  double target_age = 18;
  double days_since_release = 0;
  double publishing_year = 2026;
  double pages = 0;
  double weight_grams = 0;
  double number_of_reviews = 0;
  double average_review = 0;  // NaN without reviews
  double sales_last_month = 0;
  double sales_last_year = 0;
  double author_popularity = 0;  // 0 to 1
  double author_number_of_books = 1;
  double delivery_days = 1;
  double title_length = 0;
  // Of no use to anybody who searches.
  double isbn_last_digit = 0;
  double shelf_number = 0;
  double warehouse_temperature = 0;
  double catalogue_checksum = 0;
};

Book make_book(std::size_t number, std::uint64_t seed);
std::vector<Book> make_catalogue(std::size_t num_books, std::uint64_t seed);

double round_to(double value, double step);

}  // namespace glassrank
