#include "glassrank/data/synth/bookshop_catalogue.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "glassrank/base/elementary.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr std::string_view kAdjectives[] = {
    "silent", "crimson", "forgotten", "golden",  "hidden", "last",   "distant", "broken",
    "winter", "burning", "quiet",     "scarlet", "hollow", "lucky",  "paper",   "restless",
    "silver", "stolen",  "strange",   "sunken",  "tidal",  "velvet", "wild",    "wandering"};
constexpr std::string_view kNouns[] = {
    "harbour", "crown",  "kitchen", "garden", "letter",   "island", "orchard", "clockmaker",
    "river",   "dragon", "witness", "recipe", "empire",   "shadow", "station", "lighthouse",
    "forest",  "mirror", "compass", "market", "voyage",   "winter", "archive", "cartographer",
    "bridge",  "planet", "secret",  "summer", "stranger", "fox"};

double log_normal(RandomSequence& random, double median, double spread) {
  return median * portable_exp(spread * random.normal());
}

void draw_format_and_price(Book& book, RandomSequence& random) {
  const double format = random.uniform();
  book.is_ebook = format < 0.35;
  book.is_hardcover = format > 0.75;
  const double median = book.is_ebook ? 8 : book.is_hardcover ? 22 : 12;
  const double price =
      std::floor(log_normal(random, median, 0.4)) + (random.below(4) ? 0.99 : 0.49);
  book.price = std::clamp(price, 2.99, 60.0);
  book.discount_percent =
      random.uniform() < 0.7 ? 0 : 5.0 * (1.0 + static_cast<double>(random.below(8)));
  book.in_stock = book.is_ebook || random.uniform() < 0.85;
  book.delivery_days = book.is_ebook   ? 0
                       : book.in_stock ? 1 + static_cast<double>(random.below(4))
                                       : 14;
  book.pages = std::clamp(round_to(log_normal(random, 320, 0.35), 1), 24.0, 1400.0);
  const double weight = book.pages * (book.is_hardcover ? 1.6 : 1.1) + 60 + 15 * random.normal();
  book.weight_grams = book.is_ebook ? 0 : std::max(round_to(weight, 1), 40.0);
}

void draw_age(Book& book, RandomSequence& random) {
  constexpr double kChildAges[] = {3, 5, 7, 9, 12};
  const double u = random.uniform();
  if (book.genre == Genre::kChildren) {
    book.target_age = kChildAges[random.below(5)];
  } else if (book.genre == Genre::kFantasy) {
    book.target_age = u < 0.45 ? 12 + static_cast<double>(random.below(5)) : 18;
  } else {
    book.target_age = u < 0.12 ? 14 + static_cast<double>(random.below(3)) : 18;
  }
}

void draw_history(Book& book, RandomSequence& random) {
  // Most books are recent; some are up to 76 years old.
  const double recent = random.uniform();
  const double years = 76 * (recent * recent * recent);
  book.days_since_release = std::floor(years * 365.25);
  book.publishing_year = std::floor(2026.9 - years);
  const double u = random.uniform();
  book.author_popularity = round_to(u * u * std::sqrt(u), 0.001);
  book.author_number_of_books =
      1 + std::floor(log_normal(random, 3, 0.8) * (0.5 + book.author_popularity));
  const double readers = log_normal(random, 18, 1.5) * (0.4 + 2 * book.author_popularity) *
                         std::min(1.0, 0.1 + years / 3);
  book.number_of_reviews = std::floor(readers);
  const double liking = 3.9 + 0.6 * random.normal() + 0.2 * book.author_popularity;
  book.average_review = book.number_of_reviews < 1 ? std::numeric_limits<double>::quiet_NaN()
                                                   : round_to(std::clamp(liking, 1.0, 5.0), 0.01);
  book.sales_last_month = std::floor(log_normal(random, 0.6, 0.4) * (1 + book.number_of_reviews));
  book.sales_last_year = std::floor(book.sales_last_month * (9 + 4 * random.uniform()));
}

}  // namespace

double round_to(double value, double step) { return std::round(value / step) * step; }

std::string_view name_of(Genre genre) {
  constexpr std::string_view kNames[kNumGenres] = {"fantasy", "thriller", "mystery", "romance",
                                                   "science", "history",  "cooking", "children"};
  return kNames[static_cast<std::size_t>(genre)];
}

Book make_book(std::size_t number, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "bookshop book", number));
  Book book;
  book.genre = static_cast<Genre>(random.below(kNumGenres));
  const std::string title =
      fmt::format("the-{}-{}", kAdjectives[random.below(std::size(kAdjectives))],
                  kNouns[random.below(std::size(kNouns))]);
  book.id = fmt::format("{}-{}", title, number);
  book.title_length = static_cast<double>(title.size());
  draw_format_and_price(book, random);
  draw_age(book, random);
  draw_history(book, random);
  book.is_english = random.uniform() < 0.8;
  book.isbn_last_digit = static_cast<double>(random.below(10));
  book.shelf_number = static_cast<double>(1 + random.below(240));
  book.warehouse_temperature = round_to(18 + 2 * random.normal(), 0.1);
  book.catalogue_checksum = round_to(random.uniform(), 0.001);
  return book;
}

std::vector<Book> make_catalogue(std::size_t num_books, std::uint64_t seed) {
  std::vector<Book> books;
  for (std::size_t number = 1; number <= num_books; ++number) {
    books.push_back(make_book(number, seed));
  }
  return books;
}

}  // namespace glassrank
