#include "glassrank/data/match_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

constexpr std::array<std::pair<std::string_view, MatchColumns>, 2> kMatches = {{
    {"name", MatchColumns::kName},
    {"position", MatchColumns::kPosition},
}};

using Names = std::span<const std::string>;

// Files without a header name columns by number, LightGBM without names "Column_0", XGBoost "f0".
bool are_real(Names names) {
  constexpr std::pair<std::string_view, std::size_t> kNumberings[] = {
      {"{}", 0}, {"{}", 1}, {"Column_{}", 0}, {"f{}", 0}};
  return std::ranges::none_of(kNumberings, [&](const auto& numbering) {
    const auto& [form, first] = numbering;
    for (std::size_t f = 0; f < names.size(); ++f) {
      if (names[f] != fmt::format(fmt::runtime(form), first + f)) return false;
    }
    return true;
  });
}

// The number of the first column, where names are numbers.
std::optional<int> first_number(Names names) {
  if (names.empty() || are_real(names)) return std::nullopt;
  if (names.front() == "0") return 0;
  return names.front() == "1" ? std::optional(1) : std::nullopt;
}

// What names stand for if all of them are numbers: the ids of LETOR text.
std::optional<std::vector<std::int64_t>> ids_of(Names names) {
  std::vector<std::int64_t> ids;
  for (const std::string& name : names) {
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc{} || end != name.data() + name.size() || fmt::to_string(id) != name) {
      return std::nullopt;
    }
    ids.push_back(id);
  }
  return ids;
}

// LightGBM writes '_' for blanks.
std::string without_blanks(std::string name) {
  std::ranges::replace_if(name, [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }, '_');
  return name;
}

using Places = std::unordered_map<std::string, std::uint32_t>;

Places places_of(Names names, bool as_written, std::string_view whose) {
  Places places;
  for (std::uint32_t f = 0; f < names.size(); ++f) {
    const bool is_new = places.emplace(as_written ? names[f] : without_blanks(names[f]), f).second;
    if (is_new || !as_written) continue;
    fail(ErrorKind::kInput,
         "'{}' is the name of two columns of {}, so that columns cannot be matched by name; "
         "--match position takes them in their order",
         names[f], whose);
  }
  return places;
}

// "'a', 'b', 'c' and 4 more".
std::string list_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) {
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
  }
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

ColumnMatch by_name(const WantedFeatures& wanted, const Schema& data, const MatchRules& rules) {
  places_of(wanted.names, true, wanted.who);
  const Places exact = places_of(data.feature_names(), true, rules.file);
  const Places loose = places_of(data.feature_names(), false, rules.file);
  ColumnMatch match;
  std::vector<std::string> missing;
  for (const std::string& name : wanted.names) {
    auto found = exact.find(name);
    if (found == exact.end()) {
      found = loose.find(without_blanks(name));
      if (found == loose.end()) {
        missing.push_back(name);
        continue;
      }
    }
    match.columns.push_back(found->second);
  }
  if (!missing.empty()) {
    fail(ErrorKind::kInput,
         "{} does not have {} of the {} features of {}: {}; columns are matched by name, --match "
         "position takes them in their order",
         rules.file, missing.size(), wanted.num_features, wanted.who, list_text(missing));
  }
  const std::size_t num_others = data.num_features() - match.columns.size();
  if (!match.is_in_place()) {
    match.notice =
        fmt::format("{}: columns are matched to those of {} by name", rules.file, wanted.who);
  }
  if (num_others > 0) {
    match.notice += match.notice.empty() ? fmt::format("{}: {} of its ", rules.file, num_others)
                                         : fmt::format("; {} of the data's ", num_others);
    match.notice += fmt::format("{} features are not in {}", data.num_features(), wanted.who);
  }
  return match;
}

// Feature f is column f + shift; where there is no such column it is absent.
ColumnMatch by_place(const WantedFeatures& wanted, const Schema& data, int shift = 0) {
  ColumnMatch match;
  for (std::size_t f = 0; f < wanted.num_features; ++f) {
    const std::int64_t column = static_cast<std::int64_t>(f) + shift;
    const bool is_there = column >= 0 && column < static_cast<std::int64_t>(data.num_features());
    match.columns.push_back(is_there ? static_cast<std::uint32_t>(column) : ColumnMatch::kAbsent);
  }
  return match;
}

// A model of some of the ids of numbered data, as "1", "3" and "11".
std::optional<ColumnMatch> by_id(const WantedFeatures& wanted, const Schema& data,
                                 const MatchRules& rules) {
  const std::optional<int> first = first_number(data.feature_names());
  const bool is_some = are_real(wanted.names) || !wanted.knows_all;
  if (!first || wanted.names.empty() || !is_some) return std::nullopt;
  const std::optional<std::vector<std::int64_t>> ids = ids_of(wanted.names);
  if (!ids) return std::nullopt;
  const bool is_sparse = data.padding() && data.padding()->is_sparse;
  ColumnMatch match;
  std::vector<std::string> missing;
  for (const std::int64_t id : *ids) {
    const std::int64_t column = id - *first;
    const bool is_there = column >= 0 && column < static_cast<std::int64_t>(data.num_features());
    if (!is_there && (column < 0 || !is_sparse)) missing.push_back(fmt::to_string(id));
    match.columns.push_back(is_there ? static_cast<std::uint32_t>(column) : ColumnMatch::kAbsent);
  }
  if (missing.empty()) return match;
  fail(ErrorKind::kInput,
       "{} does not have {} of the {} features of {}: {}; columns are matched by number, --match "
       "position takes them in their order",
       rules.file, missing.size(), wanted.num_features, wanted.who, list_text(missing));
}

// Whether other counts may come from sparse text.
bool may_be_sparse(const WantedFeatures& wanted, const Schema& data) {
  const bool is_sparse = wanted.is_sparse || (data.padding() && data.padding()->is_sparse);
  const std::size_t fewer = std::min(wanted.num_features, data.num_features());
  const std::size_t more = std::max(wanted.num_features, data.num_features());
  return is_sparse && 2 * fewer >= more;
}

[[noreturn]] void fail_counts(const WantedFeatures& wanted, const Schema& data,
                              const MatchRules& rules) {
  const bool is_narrow = data.num_features() < wanted.num_features;
  fail(ErrorKind::kInput,
       "{} has {} features, {} has {}; give data with the same features, or --match position to "
       "take columns in their order, {}",
       rules.file, data.num_features(), wanted.who, wanted.num_features,
       is_narrow ? "the last features as absent" : "the last columns not at all");
}

[[noreturn]] void fail_unnamed(const WantedFeatures& wanted, const MatchRules& rules) {
  fail(ErrorKind::kInput,
       "{} has no names of columns, and the file of {} names only the features that it uses: {}; "
       "give data with these names, or --match position to take the columns in that order",
       rules.file, wanted.who, list_text({wanted.names.begin(), wanted.names.end()}));
}

// Names on one side, numbers on the other: which column is which cannot be checked, so it is said.
void tell_order(const WantedFeatures& wanted, const Schema& data, const MatchRules& rules,
                ColumnMatch& match) {
  const bool is_wanted_named = are_real(wanted.names);
  if (is_wanted_named == are_real(data.feature_names())) return;
  const Names names = is_wanted_named ? wanted.names : data.feature_names();
  constexpr std::size_t kShown = 3;
  std::string list;
  for (std::size_t f = 0; f < std::min(names.size(), kShown); ++f) {
    list += fmt::format("{}feature {} is '{}'", f == 0 ? "" : ", ", f + 1, names[f]);
  }
  match.notice = fmt::format("{}: columns are taken in their order, as {} has no names: {}{}",
                             rules.file, is_wanted_named ? "the data" : wanted.who, list,
                             names.size() > kShown ? ", ..." : "");
  match.is_certain = false;
}

bool counts_from_one(const Schema& data) {
  const auto& padding = data.padding();
  if (padding && padding->has_ids) return padding->first_number == 1;
  return first_number(data.feature_names()) == 1;
}

// LightGBM and XGBoost count the columns of text from 0, text itself from 1.
std::optional<ColumnMatch> by_text_column(const WantedFeatures& wanted, const Schema& data,
                                          const MatchRules& rules) {
  const std::size_t in_data = data.num_features();
  // Names that count from 1 are the ids: these models are ours, whatever their format.
  const bool is_known = wanted.first == FirstColumn::kKnown || first_number(wanted.names) == 1;
  if (is_known || rules.is_first_given || !counts_from_one(data) ||
      wanted.num_features == in_data) {
    return std::nullopt;
  }
  if (wanted.num_features == in_data + 1) {
    ColumnMatch match = by_place(wanted, data, -1);
    match.is_certain = wanted.first == FirstColumn::kEmpty;
    match.notice = fmt::format(
        "{}: the model counts the columns of such text from 0 and never uses column 0, so that "
        "its column 1 is feature 1 (--first-feature 1 makes it feature 2)",
        rules.file);
    return match;
  }
  if (!may_be_sparse(wanted, data)) return std::nullopt;
  fail(ErrorKind::kInput,
       "{} has {} features, {} has {} and does not use its first: give --first-feature 0 if the "
       "program that trained it read such text itself (column 1 is feature 1), --first-feature 1 "
       "if it was given arrays (column 0 is feature 1)",
       rules.file, in_data, wanted.who, wanted.num_features);
}

// One side counts from 0, the other from 1.
std::optional<ColumnMatch> by_number(const WantedFeatures& wanted, const Schema& data,
                                     const MatchRules& rules) {
  const std::optional<int> ours = first_number(wanted.names);
  const std::optional<int> theirs = first_number(data.feature_names());
  if (!ours || !theirs || *ours == *theirs) return std::nullopt;
  if (wanted.num_features == data.num_features()) {
    ColumnMatch match = by_place(wanted, data);
    match.notice =
        fmt::format("{} counts features from {}, {} from {}: its feature {} is taken as {}",
                    rules.file, *theirs, wanted.who, *ours, *theirs, *ours);
    return match;
  }
  const auto [zero_based, one_based] = *ours == 0
                                           ? std::pair(wanted.num_features, data.num_features())
                                           : std::pair(data.num_features(), wanted.num_features);
  // Only ids say so: a header or a frame of such numbers may have any column more.
  if (zero_based == one_based + 1 && data.padding() && data.padding()->has_ids) {
    ColumnMatch match = by_place(wanted, data, *ours - *theirs);
    match.notice = fmt::format("{} counts features from {}, {} from {}: they are matched by number",
                               rules.file, *theirs, wanted.who, *ours);
    return match;
  }
  fail(ErrorKind::kInput,
       "{} has {} features counted from {}, {} has {} counted from {}; give data with the same "
       "features, or for text --first-feature, the id of its first column",
       rules.file, data.num_features(), *theirs, wanted.who, wanted.num_features, *ours);
}

}  // namespace

std::span<const std::pair<std::string_view, MatchColumns>> EnumNames<MatchColumns>::table() {
  return kMatches;
}

bool ColumnMatch::is_in_place() const {
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (columns[f] != f) return false;
  }
  return true;
}

ColumnMatch match_columns(const WantedFeatures& wanted, const Schema& data,
                          const MatchRules& rules) {
  if (rules.match == MatchColumns::kPosition) return by_place(wanted, data);
  const bool is_named = are_real(wanted.names);
  if (is_named && are_real(data.feature_names())) return by_name(wanted, data, rules);
  if (std::optional<ColumnMatch> match = by_id(wanted, data, rules)) return *match;
  if (is_named && !wanted.knows_all) fail_unnamed(wanted, rules);
  if (std::optional<ColumnMatch> match = by_text_column(wanted, data, rules)) return *match;
  if (std::optional<ColumnMatch> match = by_number(wanted, data, rules)) return *match;
  const std::size_t in_data = data.num_features();
  ColumnMatch match = by_place(wanted, data);
  if (in_data == wanted.num_features) {
    tell_order(wanted, data, rules, match);
    return match;
  }
  if (in_data > wanted.num_features && !wanted.knows_all) {
    tell_order(wanted, data, rules, match);
    return match;
  }
  if (!may_be_sparse(wanted, data)) fail_counts(wanted, data, rules);
  match.notice = fmt::format("{} has {} features, {} has {}: the rest {}", rules.file, in_data,
                             wanted.who, wanted.num_features,
                             in_data < wanted.num_features ? "count as absent" : "are not used");
  return match;
}

void tell(const ColumnMatch& match, const Context& context) {
  if (match.notice.empty()) return;
  match.is_certain ? context.info(match.notice) : context.warn(match.notice);
}

}  // namespace glassrank
