#include "glassrank/models/model.h"

#include <algorithm>

#include <fmt/format.h>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

// "a forest", "an additive model".
std::string with_article(std::string_view kind) {
  const bool vowel = std::string_view("aeiou").find(kind.front()) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", kind);
}

template <typename Body>
Body require(const Model& model, std::string_view what_needs_it) {
  return match(
      model, [](const Body& body) { return body; },
      [&]<typename Other>(const Other&) -> Body {
        fail(ErrorKind::kUsage, "{} needs {}; this is {}", what_needs_it, with_article(Body::kKind),
             with_article(Other::kKind));
      });
}

}  // namespace

std::string_view provenance_value(const Model& model, std::string_view key) {
  const auto found = std::ranges::find(model.provenance, key, &Provenance::value_type::first);
  return found == model.provenance.end() ? std::string_view() : found->second;
}

std::string_view kind_of(const Model& model) {
  return match(model, []<typename Body>(const Body&) { return Body::kKind; });
}

std::string_view parts_of(const Model& model) {
  return match(model, []<typename Body>(const Body&) { return Body::kParts; });
}

std::size_t num_parts_of(const Model& model) {
  return match(model, [](const auto& body) { return body.num_parts(); });
}

std::size_t num_features_of(const Model& model) {
  return match(model, [](const auto& body) { return body.num_features(); });
}

std::span<const std::string> feature_names_of(const Model& model) {
  return match(model, [](const auto& body) { return body.feature_names(); });
}

CategoryNames category_names_of(const Model& model) {
  return match(
      model, [](const Forest& forest) { return forest.categories(); },
      [](const Gam& gam) { return gam.categories(); }, [](const auto&) { return CategoryNames(); });
}

double score_row(const Model& model, std::span<const float> row) {
  return match(model, [&](const auto& body) { return body.score(row); });
}

Forest require_forest(const Model& model, std::string_view what_needs_it) {
  return require<Forest>(model, what_needs_it);
}

Gam require_gam(const Model& model, std::string_view what_needs_it) {
  return require<Gam>(model, what_needs_it);
}

}  // namespace glassrank
