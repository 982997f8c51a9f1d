#include "glassrank/explain/explanation_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/text_columns.h"
#include "glassrank/explain/explanation_summary.h"
#include "glassrank/explain/explanation_words.h"

namespace glassrank {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kMostName = 40;  // characters of a feature or a document in a table

// Bytes that begin a character, not those that go on with it.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t num_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut_name(const std::string& name) {
  if (num_characters(name) <= kMostName) return name;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < name.size(); ++end) {
    if (begins_character(name[end]) && ++seen == kMostName) break;
  }
  return name.substr(0, end) + "\u2026";
}

std::string document_table(const ExplanationView& view, std::size_t most) {
  const Amounts amounts = amounts_of(view);
  const bool is_pair = view.target == TargetKind::kPair;
  const bool has_grades = std::ranges::any_of(
      view.documents, [](const ViewedDocument& d) { return d.grade.has_value(); });
  TextColumns table;
  std::vector<std::string> header = {"document", "rank", "score"};
  if (has_grades) header.emplace_back("grade");
  if (is_pair) header.insert(header.begin(), "");
  for (std::size_t c = is_pair ? 2 : 1; c < header.size(); ++c) table.align_right(c);
  table.add(std::move(header));
  const std::size_t num_shown =
      most == 0 ? view.documents.size() : std::min(most, view.documents.size());
  for (std::size_t d = 0; d < num_shown; ++d) {
    const ViewedDocument& document = view.documents[d];
    // The value of an order has another scale than scores.
    std::vector<std::string> row = {
        cut_name(table_cell(document.document)), fmt::format("{}", document.rank),
        view.target == TargetKind::kRanking ? fmt::format("{:.4g}", document.score)
                                            : amounts.whole(document.score)};
    if (has_grades) row.push_back(fmt::format("{:g}", document.grade.value_or(std::nan(""))));
    if (is_pair) row.insert(row.begin(), d == 0 ? "A" : "B");
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (num_shown < view.documents.size()) {
    text += counted(view.documents.size() - num_shown, "more document") + "\n";
  }
  return text;
}

std::string bar(double amount, double largest) {
  return text_bar(std::abs(amount), largest, amount < 0 ? '-' : '+');
}

// What a table of features shows beside their names.
struct FeatureColumns {
  bool has_parts = false;
  bool has_errors = false;
  bool has_shares = false;
};

std::vector<std::string> header_of(const ExplanationView& view, const FeatureColumns& columns) {
  std::vector<std::string> header = {"feature"};
  if (view.target == TargetKind::kPair) {
    header.insert(header.end(), {"A", "B"});
  } else {
    header.emplace_back(view.target == TargetKind::kRanking ? "values" : "value");
  }
  if (columns.has_parts) header.emplace_back("part");
  if (columns.has_errors) header.emplace_back("error");
  if (columns.has_shares) header.emplace_back("share");
  return header;
}

std::string share_text(double share) {
  if (!(std::abs(share) < 100)) return "";  // of nearly nothing
  return fmt::format("{:.0f} %", std::abs(share) < 0.005 ? 0.0 : 100 * share);
}

std::vector<std::string> row_of(const ViewedFeature& feature, const ExplanationView& view,
                                const FeatureColumns& columns, const Amounts& amounts) {
  const bool is_shown = !feature.attribution || !amounts.is_zero(*feature.attribution);
  std::vector<std::string> row = {fmt::format("{}{}", cut_name(feature_label(feature)),
                                              feature.is_chosen && is_shown ? " *" : "")};
  if (view.target == TargetKind::kPair) {
    const auto [a, b] = value_texts(feature);
    row.insert(row.end(), {a, b});
  } else {
    row.push_back(values_text(feature));
  }
  if (columns.has_parts) row.push_back(amounts.with_sign(feature.attribution.value_or(0)));
  if (columns.has_errors) row.push_back(amounts.plain(feature.standard_error.value_or(0)));
  if (columns.has_shares) row.push_back(share_text(feature.share.value_or(0)));
  return row;
}

std::string feature_table(const ExplanationView& view, std::size_t most) {
  if (view.features.empty()) return "";
  const Amounts amounts = amounts_of(view);
  const ViewedFeature& first = view.features.front();
  const FeatureColumns columns{.has_parts = first.attribution.has_value(),
                               .has_errors = first.standard_error.has_value(),
                               .has_shares = first.share.has_value()};
  TextColumns table;
  std::vector<std::string> header = header_of(view, columns);
  for (std::size_t c = 1; c < header.size(); ++c) table.align_right(c);
  const std::size_t num_columns = header.size();
  table.add(std::move(header));
  const double largest = std::abs(first.attribution.value_or(0));
  const std::size_t num_shown =
      most == 0 ? view.features.size() : std::min(most, view.features.size());
  for (std::size_t i = 0; i < num_shown; ++i) {
    const ViewedFeature& feature = view.features[i];
    std::vector<std::string> row = row_of(feature, view, columns, amounts);
    if (columns.has_parts) row.push_back(bar(*feature.attribution, largest));
    table.add(std::move(row));
  }
  if (const OtherFeatures others = other_features(view, num_shown); others.num_features > 0) {
    std::vector<std::string> row(num_columns);
    row[0] = counted(others.num_features, "other feature");
    if (columns.has_parts) {
      row[num_columns - 1 - (columns.has_errors ? 1 : 0) - (columns.has_shares ? 1 : 0)] =
          amounts.with_sign(others.attribution);
      const double whole = view.value - view.base_value;
      if (columns.has_shares) row[num_columns - 1] = share_text(others.attribution / whole);
      row.push_back(bar(std::clamp(others.attribution, -largest, largest), largest));
    }
    table.add(std::move(row));
  }
  return table.text();
}

// The pairs of features that do most together.
std::string interaction_table(const ExplanationView& view, std::size_t most) {
  if (view.interactions.empty()) return "";
  const Amounts amounts = amounts_of(view);
  TextColumns table;
  table.add({"together", "", "part"});
  table.align_right(2);
  const std::size_t num_shown =
      most == 0 ? view.interactions.size() : std::min(most, view.interactions.size());
  for (std::size_t i = 0; i < num_shown; ++i) {
    const ViewedInteraction& each = view.interactions[i];
    table.add({cut_name(table_cell(each.feature)), cut_name(table_cell(each.other)),
               amounts.with_sign(each.attribution)});
  }
  std::string text = table.text();
  if (num_shown < view.interactions.size()) {
    text += counted(view.interactions.size() - num_shown, "more pair") + "\n";
  }
  text += "half of each of these parts is in the part of either feature above\n";
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t in_line = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t size = num_characters(word);
    if (in_line > 0 && in_line + 1 + size > width) {
      lines += '\n';
      in_line = 0;
    } else if (in_line > 0) {
      lines += ' ';
      ++in_line;
    }
    lines += word;
    in_line += size;
    at = end + 1;
  }
  return lines;
}

std::string explanation_text(const ExplanationView& view, const ExplanationTextParams& params) {
  std::string text = fmt::format("query {}, {}\n{}\n{}\n", table_cell(view.query), view.explainer,
                                 document_table(view, params.documents),
                                 wrapped(table_cell(view.summary), kLineWidth));
  if (const std::string table = feature_table(view, params.features); !table.empty()) {
    text += "\n" + table;
  }
  if (const std::string table = interaction_table(view, params.features); !table.empty()) {
    text += "\n" + table;
  }
  std::string trust;
  for (const std::string& sentence : trust_sentences(view)) {
    trust += (trust.empty() ? "" : " ") + sentence;
  }
  if (!trust.empty()) text += "\n" + wrapped(trust, kLineWidth) + "\n";
  return text;
}

}  // namespace glassrank
