#pragma once
// Results declared once, as parameters are (params.h): a plain struct whose visit() names every
// field with one line of doc.
//
//   struct FoldResult {
//     std::size_t num_trees = 0;
//     std::vector<std::pair<std::string, double>> test;  // by metric
//     void visit(ResultVisitor& visitor) const {
//       visitor.field("num_trees", num_trees, "trees of the model");
//       visitor.values("test", test, "metrics on the test data");
//     }
//   };
//
// From that one declaration come the JSON of --json, docs/reference/results.md and, later, what the
// Python package returns. An absent std::optional leaves its key out; a number that is not finite
// is null in JSON. Keys and their words: docs/design/vocabulary.md.
// Cost: one virtual call a field, whatever the length of a list of numbers.

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "glassrank/base/function_ref.h"
#include "glassrank/base/json_fwd.h"

namespace glassrank {

using NamedValue = std::pair<std::string, double>;
using NamedValues = std::vector<NamedValue>;
using NamedText = std::pair<std::string, std::string>;
using NamedTexts = std::vector<NamedText>;

// The value of one field, borrowed from the result for the time of the call.
using ResultValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view, std::span<const int>,
                 std::span<const std::int64_t>, std::span<const std::uint32_t>,
                 std::span<const std::uint64_t>, std::span<const float>, std::span<const double>,
                 std::span<const std::string>, std::span<const NamedValue>,
                 std::span<const NamedText>, const Json*>;

// Receives every field in order of declaration.
class ResultVisitor {
 public:
  virtual ~ResultVisitor() = default;

  // bool, whole numbers, float, double, text, lists of numbers and of text.
  template <typename T>
  void field(std::string_view key, const T& value, std::string_view doc) {
    on_field(key, view_of(value), doc);
  }
  template <typename T>
  void field(std::string_view key, const std::optional<T>& value, std::string_view doc) {
    if (value) {
      field(key, *value, doc);
    } else {
      on_absent(key, view_of(T{}), doc);
    }
  }
  // Numbers whose names are data: metrics, features.
  void values(std::string_view key, const NamedValues& values, std::string_view doc) {
    on_field(key, std::span<const NamedValue>(values), doc);
  }
  void values(std::string_view key, const std::optional<NamedValues>& values,
              std::string_view doc) {
    if (values) {
      this->values(key, *values, doc);
    } else {
      on_absent(key, std::span<const NamedValue>(), doc);
    }
  }
  // The same with text: what a model says of its making.
  void texts(std::string_view key, const NamedTexts& texts, std::string_view doc) {
    on_field(key, std::span<const NamedText>(texts), doc);
  }
  // A value whose shape is its own and described elsewhere, the nodes of a tree; null: no key.
  void json(std::string_view key, const Json* value, std::string_view doc) {
    value != nullptr ? on_field(key, value, doc) : on_absent(key, value, doc);
  }
  // A result within a result.
  template <typename R>
  void object(std::string_view key, const R& result, std::string_view doc) {
    begin_object(key, doc, true);
    result.visit(*this);
    end_object();
  }
  template <typename R>
  void object(std::string_view key, const std::optional<R>& result, std::string_view doc) {
    if (!result && !describes_types()) return;
    begin_object(key, doc, false);
    result ? result->visit(*this) : R{}.visit(*this);
    end_object();
  }
  template <typename R>
  void list(std::string_view key, const std::vector<R>& results, std::string_view doc) {
    begin_list(key, doc);
    if (describes_types()) {
      R{}.visit(*this);
    } else {
      for (const R& result : results) {
        begin_item();
        result.visit(*this);
        end_item();
      }
    }
    end_list();
  }

 protected:
  // Whether the visitor asks which keys there may be, not what is in this result: optional objects
  // and the entries of lists are then shown once, empty.
  virtual bool describes_types() const { return false; }
  virtual void on_field(std::string_view key, const ResultValue& value, std::string_view doc) = 0;
  // Of an optional without a value; `type` holds an empty value of its type.
  virtual void on_absent(std::string_view key, const ResultValue& type, std::string_view doc) = 0;
  virtual void begin_object(std::string_view key, std::string_view doc, bool is_always_there) = 0;
  virtual void end_object() = 0;
  virtual void begin_list(std::string_view key, std::string_view doc) = 0;
  virtual void begin_item() = 0;
  virtual void end_item() = 0;
  virtual void end_list() = 0;

 private:
  template <typename T>
  static ResultValue view_of(const T& value) {
    if constexpr (std::same_as<T, bool>) {
      return value;
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (std::is_integral_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
      return std::string_view(value);
    } else {
      return std::span<const typename T::value_type>(value);
    }
  }
};

template <typename R>
concept Result = std::default_initializable<R> &&
                 requires(const R& result, ResultVisitor& visitor) { result.visit(visitor); };

using ResultVisit = FunctionRef<void(ResultVisitor&)>;

// Keys in order of declaration. Bytes that are not UTF-8 become U+FFFD.
Json result_json(ResultVisit visit);
// The same as indented text with a line end.
std::string result_json_text(ResultVisit visit);
// The same on one line.
std::string result_json_line(ResultVisit visit);
// A table of key, type and doc, nested keys dotted: `folds[].num_trees`.
std::string result_markdown(ResultVisit visit);

// Include base/json.h to call it: only then is the returned type complete.
template <Result R, typename J = Json>
J to_json(const R& result) {
  return result_json([&](ResultVisitor& visitor) { result.visit(visitor); });
}
template <Result R>
std::string json_text(const R& result) {
  return result_json_text([&](ResultVisitor& visitor) { result.visit(visitor); });
}
template <Result R>
std::string json_line(const R& result) {
  return result_json_line([&](ResultVisitor& visitor) { result.visit(visitor); });
}
template <Result R>
std::string results_markdown() {
  return result_markdown([](ResultVisitor& visitor) { R{}.visit(visitor); });
}

// The text with every byte that is not part of a UTF-8 character replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace glassrank
