#pragma once
// Parameters declared once: a plain struct whose visit() names every field.
//
//   struct SplitParams {
//     double train = 0.6;
//     std::string by = "query";
//     void visit(ParamVisitor& v) {
//       v.field("train", train, "share of the queries that go to the training part",
//               Range{0.0, 1.0});
//     }
//   };
//
// From that one declaration come --help, the TOML reader, range checks, docs/reference and the
// provenance block of models. Nested structs: v.group("sample", sample) gives "sample.top".
// Defaults are the member initialisers. Enums carry a table of names (EnumNames<E>); text that must
// be one of a registry's names is declared with that list. Numbers are finite, whatever the range.

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace glassrank {

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;   // the lower end itself is not allowed
  bool open_high = false;  // the upper end itself is not allowed
};
inline constexpr Range kAny{};
inline constexpr Range kPositive{.low = 0.0, .open_low = true};
inline constexpr Range kNotNegative{.low = 0.0};
inline constexpr Range kShare{.low = 0.0, .high = 1.0};

// Whether a value names a file, and what is done with it: no command may write over what it reads.
enum class FileUse { kNone, kInput, kOutput };

// How a parameter appears on a command line beyond "--name VALUE".
struct ParamStyle {
  bool required = false;
  bool positional = false;
  std::string_view value_name = {};  // what --help calls the value; of a file: FILE
  FileUse file = FileUse::kNone;
  // A second, shorter option of the same meaning: --sample for --sample.method. Config files know
  // the full name only.
  std::string_view alias = {};
  // What else the default may be, and when: "1000 with validation data".
  std::string_view default_note = {};
  // Of choices: what to say of another program's name of one; empty: nothing is known of it.
  std::string_view (*hint)(std::string_view value) = nullptr;
  // Of a list: the option is repeated for more values and a comma is part of one (file names).
  bool one_value = false;
};

// Specialise for each enum that is a parameter:
//   template <> struct EnumNames<Gain> { static std::span<const std::pair<std::string_view, Gain>>
//   table(); };
template <typename E>
struct EnumNames;

// A value of which is known whether a user gave it: what is given is not tuned. Assigning gives it.
template <typename T>
struct Tunable {
  T value = {};
  bool is_given = false;

  Tunable() = default;
  Tunable(T given)  // NOLINT(google-explicit-constructor): assigned like the value it holds
      : value(given), is_given(true) {}
  static Tunable by_default(T value) {
    Tunable tunable(value);
    tunable.is_given = false;
    return tunable;
  }
  operator T() const { return value; }  // NOLINT(google-explicit-constructor): and read like it
};

// What is known of one field.
struct ParamInfo {
  std::string name;                // "sample.top"
  std::string type;                // "int", "float", "bool", "text", "choice", "list of text", ...
  std::string value;               // current value as text; the default when the object is fresh
  std::vector<std::string> items;  // of a list, one by one
  std::string doc;
  std::string section = "general";  // of a grouped --help
  Range range;
  std::vector<std::string> choices;
  ParamStyle style;
  bool is_list = false;
  bool is_flag = false;
};

// Receives every field in order of declaration. Implementations see each field as text, but for the
// one that checks values.
class ParamVisitor {
 public:
  virtual ~ParamVisitor() = default;

  // Each returns whether the field was set.

  bool field(std::string_view name, bool& value, std::string_view doc, ParamStyle style = {});
  bool field(std::string_view name, std::int64_t& value, std::string_view doc, Range range = kAny,
             ParamStyle style = {});
  bool field(std::string_view name, int& value, std::string_view doc, Range range = kAny,
             ParamStyle style = {});
  bool field(std::string_view name, std::uint64_t& value, std::string_view doc,
             Range range = kNotNegative, ParamStyle style = {});
  bool field(std::string_view name, double& value, std::string_view doc, Range range = kAny,
             ParamStyle style = {});
  bool field(std::string_view name, std::string& value, std::string_view doc,
             ParamStyle style = {});
  // One of the choices, which a registry lists; a field that is empty by default may stay so.
  // (A template, so that braces always mean a ParamStyle.)
  template <std::same_as<std::vector<std::string>> Choices>
  bool field(std::string_view name, std::string& value, std::string_view doc, Choices choices,
             ParamStyle style = {}) {
    return choice_field(name, value, std::move(choices), doc, style);
  }
  bool field(std::string_view name, std::vector<std::string>& value, std::string_view doc,
             ParamStyle style = {});
  bool field(std::string_view name, std::vector<double>& value, std::string_view doc,
             Range range = kAny, ParamStyle style = {});
  template <typename E>
    requires std::is_enum_v<E>
  bool field(std::string_view name, E& value, std::string_view doc, ParamStyle style = {}) {
    std::vector<std::string> choices;
    std::string current;
    for (const auto& [text, choice] : EnumNames<E>::table()) {
      choices.emplace_back(text);
      if (choice == value) current = text;
    }
    const bool is_set = choice_field(name, current, std::move(choices), doc, style);
    for (const auto& [text, choice] : EnumNames<E>::table()) {
      if (text == current) value = choice;
    }
    return is_set;
  }
  // As the value's own field; takes what follows the name and the value there.
  template <typename T, typename... Rest>
  bool field(std::string_view name, Tunable<T>& value, std::string_view doc, Rest... rest) {
    const bool is_set = field(name, value.value, doc, rest...);
    value.is_given = value.is_given || is_set;
    return is_set;
  }
  template <typename P>
  void group(std::string_view name, P& params) {
    prefix_.push_back(std::string(name));
    const std::string section = section_;
    params.visit(*this);
    section_ = section;
    prefix_.pop_back();
  }
  // Where help shows the fields that follow: data, model, training, sampling, cleaning, output,
  // advanced. Holds until the next call; what a group sets ends with the group.
  void section(std::string_view name) { section_ = name; }

 protected:
  // Called once per field. Returns the new texts of its values if it is to be changed: one text
  // for a scalar, any number for a list.
  virtual std::optional<std::vector<std::string>> on_field(const ParamInfo& info) = 0;

  // Whether values are checked where they are, without becoming text: on_field is not called then.
  virtual bool checks_values() const { return false; }

 private:
  bool choice_field(std::string_view name, std::string& value, std::vector<std::string> choices,
                    std::string_view doc, ParamStyle style);
  template <typename T>
  bool number_field(std::string_view name, T& value, std::string_view doc, Range range,
                    ParamStyle style);
  std::string full_name(std::string_view name) const;  // dotted
  // A ParamInfo with the full dotted name.
  ParamInfo describe(std::string_view name, std::string_view type, std::string value,
                     std::string_view doc, ParamStyle style) const;
  std::vector<std::string> prefix_;
  std::string section_ = "general";
};

// The names in a registry's table, for a field that must be one of them.
template <typename Table>
std::vector<std::string> names_in(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

template <typename P>
concept Parameters = requires(P& params, ParamVisitor& visitor) { params.visit(visitor); };

// Everything known about the fields, with their current values.
class ParamLister final : public ParamVisitor {
 public:
  std::vector<ParamInfo> infos;

 protected:
  std::optional<std::vector<std::string>> on_field(const ParamInfo& info) override;
};

// Sets the named field; remembers whether it was met.
class ParamSetter final : public ParamVisitor {
 public:
  ParamSetter(std::string_view name, std::vector<std::string> values)
      : name_(name), values_(std::move(values)) {}
  bool found() const { return found_; }

 protected:
  std::optional<std::vector<std::string>> on_field(const ParamInfo& info) override;

 private:
  std::string_view name_;
  std::vector<std::string> values_;
  bool found_ = false;
};

// Looks at every value; changes none.
class ParamChecker final : public ParamVisitor {
 protected:
  bool checks_values() const override { return true; }
  std::optional<std::vector<std::string>> on_field(const ParamInfo&) override { return {}; }
};

// For functions that take parameters from code rather than text. Throws Error{kUsage}, as reading
// the same values from a file would: a number outside its range or not finite, a text that is none
// of its choices. Visiting needs write access, so const objects are copied, here and below.
template <Parameters P>
void check_params(P params) {
  ParamChecker checker;
  params.visit(checker);
}

// The same for the parameters of a group: errors say "sample.top".
template <Parameters P>
void check_params(std::string_view group, P params) {
  ParamChecker checker;
  checker.group(group, params);
}

template <Parameters P>
std::vector<ParamInfo> list_params(P params) {
  ParamLister lister;
  params.visit(lister);
  return std::move(lister.infos);
}

[[noreturn]] void fail_unknown_param(std::string_view name, std::span<const ParamInfo> known);

// Throws Error{kUsage}: unknown name (with the nearest), not a number, outside the range.
template <Parameters P>
void set_param(P& params, std::string_view name, std::vector<std::string> values) {
  ParamSetter setter(name, std::move(values));
  params.visit(setter);
  if (!setter.found()) fail_unknown_param(name, list_params(params));
}

// "0 <= x <= 1", "x > 0", or "" when everything is allowed.
std::string range_text(const Range& range);

// One key = value assignment of a TOML file; nested tables give dotted names.
struct ParamAssignment {
  std::string name;
  std::vector<std::string> values;
  int line = 0;
};
// Throws Error{kInput} "file:line:col: ..." when the file is not TOML.
std::vector<ParamAssignment> read_toml(const std::string& path);
// A text in memory; `name` stands in messages.
std::vector<ParamAssignment> parse_toml(std::string_view text, const std::string& name);

// The inverse: "name = value" lines in TOML, without the parameters that are empty texts.
std::string toml_text(std::span<const ParamInfo> infos);

// Markdown table of the parameters, as used in docs/reference.
std::string params_markdown(std::span<const ParamInfo> infos);

}  // namespace glassrank
