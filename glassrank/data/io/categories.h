#pragma once
// Which features of a file are categories, as ReadParams says.
//
// CSV's reader turns texts into codes itself (it must know of them while it parses); whole numbers,
// and what caches hold, are codes as they are: their features are only marked.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "glassrank/data/dataset.h"
#include "glassrank/data/io/formats.h"
#include "glassrank/data/io/row_source.h"

namespace glassrank {

// The features that params.categorical (an unknown one throws Error{kUsage} with the nearest name)
// and params.categorical_if_there name, ascending.
std::vector<std::uint32_t> categorical_features(const Schema& schema, const ReadParams& params,
                                                std::string_view file);

// The same without those that only a model knows: what a user said to be categories is checked
// (category_codes.h).
std::vector<std::uint32_t> features_said_categorical(const Schema& schema, const ReadParams& params,
                                                     std::string_view file);

// The same rows, their schema with these kinds. Throws Error{kInput} for a number that is no code;
// of a source in pass().
Dataset with_categories(Dataset data, const ReadParams& params, std::string_view file,
                        const Context& context);
std::unique_ptr<RowSource> with_categories(std::unique_ptr<RowSource> source,
                                           const ReadParams& params, std::string_view file);

// How often each text is met in a column, which gives the codes of its categories.
class CategoryCounts {
 public:
  void add(std::string_view text, std::uint64_t count = 1);
  void add(const CategoryCounts& other);
  // Whether every text is a whole number, not too large: such columns need no names. ("2.0" is
  // one, as columns with missing values are often written; below 0 is no category.)
  bool are_codes() const;
  // Of numbers only: one that is a fraction or negative, the least as text.
  std::optional<std::string> no_code() const;
  std::size_t num_categories() const { return counts_.size(); }
  std::uint64_t num_rows() const;
  // The most frequent first, among equals by name.
  std::vector<std::string> names() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>> counts_;
};

// How often each code of a column is met, and what that says of its categories.
class CodeCounts {
 public:
  void add(float code);  // NaN counts for nothing
  // By name; where there are none, the codes are the texts. Codes without a name count for nothing.
  std::vector<std::pair<std::string, std::uint64_t>> by_name(
      std::span<const std::string> names) const;

 private:
  std::map<float, std::uint64_t> counts_;
};

// The categories of a table that has a list of them and the place of each row's in it (data frames,
// Arrow): the codes and names that the same texts have in a CSV file.
struct CodedCategories {
  std::vector<float> codes;        // by place
  std::vector<std::string> names;  // by code; none where the codes are the texts
};
// `counts`: the rows of each place. What no row has is no category.
CodedCategories code_categories(std::span<const std::string> texts,
                                std::span<const std::uint64_t> counts);

}  // namespace glassrank
