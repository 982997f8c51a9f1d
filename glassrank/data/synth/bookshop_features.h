#pragma once
// The features of the book shop scenario and its truth: which of them decide whether a searcher
// wants a book, and how.
//
//   utility(search, book) = sum of effect(feature) + sum of pair effect(feature, feature)
//
// An effect of a missing value is 0. Exactly two pairs interact: expensive e-books are unwanted
// (is_ebook x price), fantasy is wanted for readers of 12 to 17 (genre_fantasy x target_age).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "glassrank/data/synth/bookshop_catalogue.h"

namespace glassrank {

// What somebody looked for.
struct BookSearch {
  Genre genre = Genre::kFantasy;
  std::string_view topic;
  double num_words = 1;
  bool is_author_name = false;
  bool has_price_filter = false;
  double lowest_price = 0;
  double highest_price = 0;
};

// How well the words of a search fit the texts of a book.
struct TextMatch {
  double title = 0;
  double description = 0;
  double author = 0;
};

enum class BookRole { kEffect, kFollows, kOfQuery, kUseless };
std::string_view name_of(BookRole role);

struct BookFeature {
  std::string_view name;
  BookRole role;
  std::string_view about;  // the unit or, for kFollows, the feature it follows
  double (*value)(const BookSearch&, const Book&, const TextMatch&);
};

struct BookEffect {
  std::string_view feature;
  double low, high;  // where the curve is worth drawing, and
  int num_points;    // in how many points (2 for yes or no)
  double (*curve)(double x);
};

struct BookInteraction {
  std::string_view first, second;
  std::string_view about;
  double (*effect)(double first, double second);
};

std::span<const BookFeature> book_features();
std::span<const BookEffect> book_effects();
std::span<const BookInteraction> book_interactions();

// Index of a feature by its name, which must exist.
std::size_t book_feature_index(std::string_view name);

// `row` has one value per feature, in the order of book_features().
double book_utility(std::span<const float> row);

}  // namespace glassrank
