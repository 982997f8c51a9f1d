#include "glassrank/data/check_shares.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/alike.h"
#include "glassrank/base/error.h"
#include "glassrank/data/io/categories.h"
#include "glassrank/data/io/checksum.h"

namespace glassrank {
namespace {

// One line of texts per feature: name, whether it is a category, names of categories.
using Features = std::vector<std::vector<std::string>>;

Features lines_of(const Schema& schema) {
  Features features;
  for (std::size_t f = 0; f < schema.num_features(); ++f) {
    const SchemaColumn& column = schema.feature(f);
    std::vector<std::string> line = {column.name, schema.is_category(f) ? "category" : "number"};
    line.insert(line.end(), column.categories.begin(), column.categories.end());
    features.push_back(std::move(line));
  }
  return features;
}

Schema schema_from(const Features& features) {
  Schema schema;
  for (const std::vector<std::string>& line : features) schema.add_feature(line[0]);
  for (std::size_t f = 0; f < features.size(); ++f) {
    if (features[f][1] == "number") continue;
    schema.set_category(f, {features[f].begin() + 2, features[f].end()});
  }
  return schema;
}

std::vector<Features> gather_features(const Schema& own, const Communicator& machines) {
  std::vector<std::string> texts;
  for (const std::vector<std::string>& line : lines_of(own)) {
    texts.push_back(std::to_string(line.size()));
    texts.insert(texts.end(), line.begin(), line.end());
  }
  std::vector<Features> all;
  for (const std::vector<std::string>& of_machine : gather_texts(machines, texts)) {
    Features& features = all.emplace_back();
    for (auto at = of_machine.begin(); at != of_machine.end();) {
      const std::ptrdiff_t size = std::stol(*at++);
      features.emplace_back(at, at + size);
      at += size;
    }
  }
  return all;
}

// What two machines have, in words.
struct MachinePair {
  std::string_view what;  // "the training data"
  std::size_t first;      // numbers of machines, from 1
  std::size_t other;
};

void check_features(const Features& first, const Features& other, const MachinePair& machines) {
  for (std::size_t f = 0; f < std::min(first.size(), other.size()); ++f) {
    const std::string& name = first[f][0];
    if (other[f][0] != name) {
      fail(ErrorKind::kInput,
           "{}: machine {} has '{}' where machine {} has '{}' (feature {}); all machines must have "
           "the same features in the same order",
           machines.what, machines.other, other[f][0], machines.first, name, f + 1);
    }
    if (other[f][1] != first[f][1]) {
      fail(ErrorKind::kInput,
           "{}: feature '{}' is a {} on machine {} and a {} on machine {}; all machines must have "
           "the same features",
           machines.what, name, other[f][1], machines.other, first[f][1], machines.first);
    }
  }
  if (first.size() == other.size()) return;
  fail(ErrorKind::kInput,
       "{}: machine {} has {} features, machine {} has {}; all machines must have the same",
       machines.what, machines.other, other.size(), machines.first, first.size());
}

// Each category of the rows and how often it is met, one behind the other.
std::vector<std::string> counted_categories(const Dataset& data, std::size_t feature) {
  if (data.num_rows() == 0) return {};
  CodeCounts counts;
  for (std::size_t row = 0; row < data.num_rows(); ++row) counts.add(data.row(row)[feature]);
  std::vector<std::string> texts;
  for (const auto& [text, count] : counts.by_name(data.schema().feature(feature).categories)) {
    texts.push_back(text);
    texts.push_back(std::to_string(count));
  }
  return texts;
}

// The names of a feature's categories as one machine would find them in the rows of all.
std::vector<std::string> names_of_all(const Dataset& own, std::size_t feature,
                                      const Communicator& machines) {
  const auto counted = agree(machines, [&] { return counted_categories(own, feature); });
  CategoryCounts counts;
  for (const std::vector<std::string>& texts : gather_texts(machines, counted)) {
    for (std::size_t i = 0; i < texts.size(); i += 2)
      counts.add(texts[i], std::stoull(texts[i + 1]));
  }
  return counts.names();
}

// What each machine has besides features, as numbers.
struct Holding {
  std::uint64_t num_rows = 0;
  std::uint64_t has_weights = 0;
  std::uint64_t has_grades = 0;
};

Holding holding_of(const RowTable& table) {
  return {.num_rows = table.num_rows(),
          .has_weights = table.weights.empty() ? 0U : 1U,
          .has_grades = table.has_grades ? 1U : 0U};
}

void check_beside(const Holding& first, const Holding& other, const MachinePair& machines) {
  const auto check = [&](std::string_view has, std::uint64_t a, std::uint64_t b) {
    if (a == b) return;
    fail(ErrorKind::kInput, "{}: machine {} has {}, machine {} has none", machines.what,
         a > b ? machines.first : machines.other, has, a > b ? machines.other : machines.first);
  };
  check("weights", first.has_weights, other.has_weights);
  check("grades", first.has_grades, other.has_grades);
}

// Numbers of queries that more than one machine has; other queries may have them by chance.
std::unordered_set<std::uint64_t> shared_numbers(std::span<const std::uint64_t> own,
                                                 const Communicator& machines) {
  std::vector<std::pair<std::uint64_t, std::size_t>> all;
  const auto parts = machines.gather(std::as_bytes(own));
  for (std::size_t machine = 0; machine < parts.size(); ++machine) {
    const auto* numbers = reinterpret_cast<const std::uint64_t*>(parts[machine].data());
    for (std::size_t i = 0; i < parts[machine].size() / sizeof(std::uint64_t); ++i) {
      all.emplace_back(numbers[i], machine);
    }
  }
  std::ranges::sort(all);
  std::unordered_set<std::uint64_t> shared;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first == all[i - 1].first && all[i].second != all[i - 1].second) {
      shared.insert(all[i].first);
    }
  }
  return shared;
}

void check_queries(const QueryGroups& own, std::string_view what, const Communicator& machines) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& id : own.ids()) numbers.push_back(checksum(id));
  const std::unordered_set<std::uint64_t> shared = shared_numbers(numbers, machines);
  if (shared.empty()) return;
  std::vector<std::string> suspects;
  for (std::size_t q = 0; q < own.num_queries(); ++q) {
    if (shared.contains(numbers[q])) suspects.push_back(own.id(q));
  }
  std::unordered_map<std::string, std::size_t> machine_of;
  const auto all = gather_texts(machines, suspects);
  for (std::size_t machine = 0; machine < all.size(); ++machine) {
    for (const std::string& id : all[machine]) {
      const auto [found, is_new] = machine_of.emplace(id, machine);
      if (is_new || found->second == machine) continue;
      fail(ErrorKind::kInput,
           "{}: query '{}' is on machine {} and on machine {}; all rows of a query must be on one "
           "machine, and different queries must have different ids",
           what, id, found->second + 1, machine + 1);
    }
  }
}

}  // namespace

std::optional<Schema> check_shares(const RowTable& own, std::string_view what,
                                   FunctionRef<const Dataset&()> values,
                                   const Communicator& machines) {
  if (machines.is_alone()) return std::nullopt;
  const Holding own_holding = holding_of(own);
  const auto holdings = gather_values<Holding>(machines, std::span(&own_holding, 1));
  const std::vector<Features> features = gather_features(own.schema, machines);
  const auto has_rows = [](const Holding& holding) { return holding.num_rows > 0; };
  const auto found = std::ranges::find_if(holdings, has_rows);
  const auto first = static_cast<std::size_t>(
      found == holdings.end() ? 0 : std::distance(holdings.begin(), found));
  std::set<std::size_t> differing;  // features of other categories
  for (std::size_t other = first + 1; other < holdings.size(); ++other) {
    if (!has_rows(holdings[other])) continue;
    const MachinePair pair{.what = what, .first = first + 1, .other = other + 1};
    check_features(features[first], features[other], pair);
    check_beside(holdings[first], holdings[other], pair);
    for (std::size_t f = 0; f < features[first].size(); ++f) {
      if (features[first][f] != features[other][f]) differing.insert(f);
    }
  }
  check_queries(own.queries, what, machines);
  Features agreed = features[first];
  if (!differing.empty()) {
    const Dataset* const data = agree(machines, [&] { return &values(); });
    for (const std::size_t f : differing) {
      agreed[f].resize(2);
      std::ranges::move(names_of_all(*data, f, machines), std::back_inserter(agreed[f]));
    }
  }
  if (features[static_cast<std::size_t>(machines.rank())] == agreed) return std::nullopt;
  return schema_from(agreed);
}

Dataset with_categories_of(const Schema& features, const Dataset& data) {
  const std::size_t width = data.num_features();
  DatasetParts parts{data.table(), Buffer<float>(data.num_rows() * width)};
  std::copy_n(data.features().data(), data.num_rows() * width, parts.features.data());
  for (std::size_t f = 0; f < width; ++f) {
    const std::vector<std::string>& from = data.schema().feature(f).categories;
    const std::vector<std::string>& to = features.feature(f).categories;
    if (from == to) continue;
    parts.schema.set_category(f, to);
    const CategoryMap map(from, to);
    for (std::size_t row = 0; row < data.num_rows(); ++row) {
      float& value = parts.features.data()[row * width + f];
      value = map(value);
    }
  }
  return Dataset(std::move(parts));
}

void check_copies(const RowTable& whole, std::uint64_t bins, const std::string& name,
                  const Communicator& machines) {
  if (machines.is_alone()) return;
  std::string ids;
  for (const std::string& id : whole.queries.ids()) ids.append(id).push_back('\0');
  const auto chars_of = [](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return std::span(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const std::array<std::uint64_t, 7> own = {whole.num_rows(),
                                            whole.queries.num_queries(),
                                            checksum(ids),
                                            checksum(chars_of(whole.queries.offsets())),
                                            checksum(chars_of(whole.grades)),
                                            checksum(chars_of(whole.weights)),
                                            bins};
  const std::vector<std::uint64_t> all = gather_values<std::uint64_t>(machines, own);
  const std::vector<Features> features = gather_features(whole.schema, machines);
  for (std::size_t machine = 1; machine < features.size(); ++machine) {
    check_features(features[0], features[machine],
                   {.what = name, .first = 1, .other = machine + 1});
    const bool are_alike = features[0] == features[machine];  // also categories
    const std::span<const std::uint64_t> first = std::span(all).first(own.size());
    const std::span<const std::uint64_t> other =
        std::span(all).subspan(machine * own.size(), own.size());
    if (are_alike && std::ranges::equal(first, other)) continue;
    fail(ErrorKind::kInput,
         "{}: machine {} has {} rows of {} queries, machine 1 {} rows of {} queries{}; every "
         "machine must have the same file",
         name, machine + 1, other[0], other[1], first[0], first[1],
         std::ranges::equal(first.first(2), other.first(2)) ? ", and they are not the same rows"
                                                            : "");
  }
}

}  // namespace glassrank
