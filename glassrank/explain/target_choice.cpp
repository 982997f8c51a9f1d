#include "glassrank/explain/target_choice.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/suggest.h"

namespace glassrank {
namespace {

constexpr std::string_view kRank = "rank:";

// A whole number from 1 on.
std::optional<std::size_t> place_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

// "; did you mean 'x'?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::optional<std::string> nearest = nearest_name(name, known);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

std::uint32_t document_named(const std::string& text, const ExplainedQuery& query,
                             std::span<const std::string> documents) {
  const auto found = std::ranges::find(documents, text);
  if (found != documents.end()) return static_cast<std::uint32_t>(found - documents.begin());
  const bool is_rank = text.starts_with(kRank);
  const std::optional<std::size_t> place =
      place_in(std::string_view(text).substr(is_rank ? kRank.size() : 0));
  if (place && *place <= documents.size()) {
    return is_rank ? query.ranking[*place - 1] : static_cast<std::uint32_t>(*place - 1);
  }
  if (place || is_rank) {
    fail(ErrorKind::kUsage, "query {} has {} documents; there is no document '{}'", query.id,
         documents.size(), text);
  }
  const std::string nearest = suggestion(text, documents);
  if (!nearest.empty()) {
    fail(ErrorKind::kUsage, "query {} has no document '{}'{}", query.id, text, nearest);
  }
  fail(ErrorKind::kUsage,
       "query {} has no document '{}'; say its name, its place in the data (1 to {}) or its rank "
       "(rank:1)",
       query.id, text, documents.size());
}

}  // namespace

void TargetChoice::visit(ParamVisitor& visitor) {
  visitor.field("query", query, "query to explain; empty is the first", {.value_name = "ID"});
  visitor.field("queries", queries, "explain several instead: all, or so many of the first",
                {.value_name = "N|all"});
  visitor.field("document", document,
                "why this score? A document by name, by place in the data (3) or by rank "
                "(rank:1), or all of them",
                {.value_name = "D"});
  visitor.field("pair", pair,
                "why is A above B? Two documents; without --document and --pair: the "
                "whole ranking",
                {.value_name = "A,B"});
}

TargetKind TargetChoice::kind() const {
  if (!pair.empty()) return TargetKind::kPair;
  return document.empty() ? TargetKind::kRanking : TargetKind::kDocument;
}

void TargetChoice::check() const {
  if (!query.empty() && !queries.empty()) {
    fail(ErrorKind::kUsage, "--query and --queries exclude each other");
  }
  if (!document.empty() && !pair.empty()) {
    fail(ErrorKind::kUsage, "--document and --pair exclude each other");
  }
  if (!pair.empty() && pair.size() != 2) {
    fail(ErrorKind::kUsage, "--pair takes two documents, A,B; these are {}", pair.size());
  }
  if (!queries.empty() && queries != "all" && !place_in(queries)) {
    fail(ErrorKind::kUsage, "--queries '{}' must be all or a number from 1 on", queries);
  }
}

std::vector<std::size_t> chosen_queries(const TargetChoice& choice, const Dataset& data) {
  choice.check();
  if (data.num_queries() == 0) fail(ErrorKind::kInput, "the data has no queries to explain");
  std::size_t count = 1;
  if (!choice.queries.empty()) {
    count = choice.queries == "all" ? data.num_queries()
                                    : std::min(*place_in(choice.queries), data.num_queries());
  }
  std::vector<std::size_t> queries(count);
  std::iota(queries.begin(), queries.end(), std::size_t{0});
  if (choice.query.empty()) return queries;
  const std::span<const std::string> ids = data.queries().ids();
  const auto found = std::ranges::find(ids, choice.query);
  if (found == ids.end()) {
    fail(ErrorKind::kUsage, "there is no query '{}' in the data{}", choice.query,
         suggestion(choice.query, ids));
  }
  return {static_cast<std::size_t>(found - ids.begin())};
}

std::vector<Target> chosen_targets(const TargetChoice& choice, const ExplainedQuery& query,
                                   std::span<const std::string> documents) {
  if (choice.is_every_document()) {
    std::vector<Target> targets;
    for (const std::uint32_t d : query.ranking) targets.push_back(Target::of_document(d));
    return targets;
  }
  switch (choice.kind()) {
    case TargetKind::kDocument:
      return {Target::of_document(document_named(choice.document, query, documents))};
    case TargetKind::kPair:
      return {Target::of_pair(document_named(choice.pair[0], query, documents),
                              document_named(choice.pair[1], query, documents))};
    case TargetKind::kRanking:
      break;
  }
  return {Target::of_ranking()};
}

}  // namespace glassrank
