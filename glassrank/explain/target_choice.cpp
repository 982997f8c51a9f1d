#include "glassrank/explain/target_choice.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "glassrank/base/error.h"
#include "glassrank/explain/find_document.h"

namespace glassrank {
namespace {

// A whole number from 1 on.
std::optional<std::size_t> place_in(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

}  // namespace

void TargetChoice::visit(ParamVisitor& visitor) {
  visitor.field("query", query, "query to explain; by default the first", {.value_name = "ID"});
  visitor.field("queries", queries, "explain several queries: all, or a number of the first ones",
                {.value_name = "N|all"});
  visitor.field(
      "document", document,
      "explain the score of this document: an id, a place in the data (3), a rank (rank:1), or all",
      {.value_name = "D"});
  visitor.field("pair", pair,
                "explain why document A is above document B; without --document and --pair the "
                "whole ranking is explained",
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
  return {find_query(data, choice.query)};
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
      return {Target::of_document(find_document(query, documents, choice.document))};
    case TargetKind::kPair:
      return {Target::of_pair(find_document(query, documents, choice.pair[0]),
                              find_document(query, documents, choice.pair[1]))};
    case TargetKind::kRanking:
      break;
  }
  return {Target::of_ranking()};
}

}  // namespace glassrank
