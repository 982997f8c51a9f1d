#include "glassrank/data/io/categories.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/data/feature_index.h"
#include "glassrank/data/io/category_codes.h"

namespace glassrank {
namespace {

// Whole numbers from here on are names like any other: as codes they would need much room.
constexpr double kLargestCode = 1U << 20;

// Rows with another table, whose codes are looked at in every pass.
class MarkedSource final : public RowSource {
 public:
  MarkedSource(std::unique_ptr<RowSource> source, std::shared_ptr<const RowTable> table,
               std::vector<std::uint32_t> looked_at, std::string_view file)
      : source_(std::move(source)),
        table_(std::move(table)),
        looked_at_(std::move(looked_at)),
        file_(file) {}
  std::shared_ptr<const RowTable> shared_table() const override { return table_; }
  void pass(const Context& context, RowSink& sink) const override {
    CodeLook look(looked_at_, table_->num_features());
    CodeSink looking(sink, look);
    source_->pass(context, looking);
    look.check(table_->schema, file_);
    std::call_once(warned_, [&] { look.warn(table_->schema, file_, context); });
  }

 private:
  std::unique_ptr<RowSource> source_;
  std::shared_ptr<const RowTable> table_;
  std::vector<std::uint32_t> looked_at_;
  std::string file_;
  mutable std::once_flag warned_;
};

// None if there is nothing to mark.
std::shared_ptr<const RowTable> marked(const RowTable& table, const ReadParams& params,
                                       std::string_view file) {
  std::vector<std::uint32_t> features = categorical_features(table.schema, params, file);
  std::erase_if(features, [&](std::uint32_t f) { return table.schema.is_category(f); });
  if (features.empty()) return nullptr;
  auto copy = std::make_shared<RowTable>(table);
  for (const std::uint32_t f : features) copy->schema.set_category(f, {});
  return copy;
}

// What a user said to be categories and the reader has not looked at itself.
std::vector<std::uint32_t> unseen_categories(const RowTable& table, const ReadParams& params,
                                             std::string_view file) {
  std::vector<std::uint32_t> features = features_said_categorical(table.schema, params, file);
  std::erase_if(features, [&](std::uint32_t f) { return table.schema.is_category(f); });
  return features;
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = fast_float::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::vector<std::uint32_t> categorical_features(const Schema& schema, const ReadParams& params,
                                                std::string_view file) {
  std::vector<std::uint32_t> features;
  for (const std::string& name : params.categorical) {
    try {
      features.push_back(static_cast<std::uint32_t>(feature_index(schema.feature_names(), name)));
    } catch (Error& error) {
      error.add_context(fmt::format("{}: categorical", file));
      throw;
    }
  }
  for (const std::string& name : params.categorical_if_there) {
    const auto found = std::ranges::find(schema.feature_names(), name);
    if (found == schema.feature_names().end()) continue;
    features.push_back(static_cast<std::uint32_t>(found - schema.feature_names().begin()));
  }
  std::ranges::sort(features);
  const auto repeated = std::ranges::unique(features);
  features.erase(repeated.begin(), repeated.end());
  return features;
}

std::vector<std::uint32_t> features_said_categorical(const Schema& schema, const ReadParams& params,
                                                     std::string_view file) {
  ReadParams said = params;
  said.categorical_if_there.clear();
  return categorical_features(schema, said, file);
}

Dataset with_categories(Dataset data, const ReadParams& params, std::string_view file,
                        const Context& context) {
  auto table = marked(data.table(), params, file);
  if (table == nullptr) return data;
  CodeLook look(unseen_categories(data.table(), params, file), data.num_features());
  look.add(0, data.num_rows(), data.features().data(), nullptr);
  look.check(table->schema, file);
  look.warn(table->schema, file, context);
  return data.with_table(std::move(table));
}

std::unique_ptr<RowSource> with_categories(std::unique_ptr<RowSource> source,
                                           const ReadParams& params, std::string_view file) {
  auto table = marked(source->table(), params, file);
  if (table == nullptr) return source;
  std::vector<std::uint32_t> looked_at = unseen_categories(source->table(), params, file);
  return std::make_unique<MarkedSource>(std::move(source), std::move(table), std::move(looked_at),
                                        file);
}

void CategoryCounts::add(std::string_view text, std::uint64_t count) {
  const auto found = counts_.find(text);
  if (found != counts_.end()) {
    found->second += count;
  } else {
    counts_.emplace(text, count);
  }
}

void CategoryCounts::add(const CategoryCounts& other) {
  for (const auto& [text, count] : other.counts_) counts_[text] += count;
}

bool CategoryCounts::are_codes() const {
  return std::ranges::all_of(counts_, [](const auto& entry) {
    const auto code = number_of(entry.first);
    return code && *code == std::floor(*code) && *code < kLargestCode;
  });
}

std::optional<std::string> CategoryCounts::no_code() const {
  std::optional<std::pair<double, std::string>> least;
  for (const auto& [text, count] : counts_) {
    const auto number = number_of(text);
    if (!number) return std::nullopt;
    if (*number >= 0 && *number == std::floor(*number)) continue;
    const std::pair<double, std::string> here(*number, text);
    if (!least || here < *least) least = here;
  }
  return least ? std::optional(least->second) : std::nullopt;
}

std::uint64_t CategoryCounts::num_rows() const {
  std::uint64_t num_rows = 0;
  for (const auto& [text, count] : counts_) num_rows += count;
  return num_rows;
}

std::vector<std::string> CategoryCounts::names() const {
  std::vector<std::pair<std::uint64_t, std::string_view>> order;
  for (const auto& [text, count] : counts_) order.emplace_back(count, text);
  std::ranges::sort(order, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> names;
  for (const auto& [count, text] : order) names.emplace_back(text);
  return names;
}

void CodeCounts::add(float code) {
  if (!std::isnan(code)) ++counts_[code];
}

std::vector<std::pair<std::string, std::uint64_t>> CodeCounts::by_name(
    std::span<const std::string> names) const {
  std::vector<std::pair<std::string, std::uint64_t>> texts;
  for (const auto& [code, count] : counts_) {
    const auto place = static_cast<std::size_t>(std::max(code, 0.0F));
    if (!names.empty() && place >= names.size()) continue;
    texts.emplace_back(names.empty() ? fmt::format("{}", code) : names[place], count);
  }
  return texts;
}

CodedCategories code_categories(std::span<const std::string> texts,
                                std::span<const std::uint64_t> counts) {
  CategoryCounts all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (counts[i] > 0) all.add(texts[i], counts[i]);
  }
  CodedCategories coded;
  if (!all.are_codes()) coded.names = all.names();
  std::unordered_map<std::string_view, float> places;
  for (const std::string& name : coded.names) {
    places.emplace(name, static_cast<float>(places.size()));
  }
  for (const std::string& text : texts) {
    const auto found = places.find(text);
    float code = found == places.end() ? static_cast<float>(places.size()) : found->second;
    if (coded.names.empty()) fast_float::from_chars(text.data(), text.data() + text.size(), code);
    coded.codes.push_back(code);
  }
  return coded;
}

}  // namespace glassrank
