#include "glassrank/data/synth/category_shop.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"
#include "glassrank/base/random.h"

namespace glassrank {
namespace {

constexpr std::string_view kColours[] = {"red",   "green", "blue",   "black", "white",
                                         "brown", "grey",  "orange", "pink",  "yellow"};
constexpr std::string_view kKinds[] = {"new", "used", "refurbished"};
constexpr double kEffectSize = 0.8;
constexpr std::size_t kNumNumbers = 4;  // price, rating, match, age
constexpr std::string_view kNumbers[] = {"price", "rating", "match", "age"};
enum Column : std::size_t { kBrand, kSeller, kColour, kKind, kNumCategories };

// Draws codes as frequent as 1 / (place + 3).
class ZipfDraw {
 public:
  explicit ZipfDraw(std::size_t size) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) ends_.push_back(sum += 1.0 / static_cast<double>(i + 3));
  }
  std::size_t operator()(double uniform) const {
    const auto at = std::ranges::upper_bound(ends_, uniform * ends_.back());
    return std::min(static_cast<std::size_t>(at - ends_.begin()), ends_.size() - 1);
  }

 private:
  std::vector<double> ends_;
};

std::vector<CategoryEffect> make_effects(const CategoryShopParams& params, std::uint64_t seed) {
  RandomSequence random(CounterRandom(seed, "category_effects"));
  std::vector<CategoryEffect> effects(kNumCategories);
  effects[kBrand].feature = "brand";
  for (int i = 0; i < params.brands; ++i)
    effects[kBrand].names.push_back(fmt::format("brand {}", i));
  effects[kSeller].feature = "seller";
  for (int i = 0; i < params.sellers; ++i) effects[kSeller].names.push_back(fmt::to_string(i));
  effects[kColour].feature = "colour";
  for (const std::string_view name : kColours) effects[kColour].names.emplace_back(name);
  effects[kKind].feature = "kind";
  for (const std::string_view name : kKinds) effects[kKind].names.emplace_back(name);
  for (CategoryEffect& effect : effects) {
    for (std::size_t c = 0; c < effect.names.size(); ++c) {
      effect.effects.push_back(kEffectSize * random.normal());
    }
  }
  return effects;
}

// One part: `first_query` numbers its queries.
struct Part {
  std::size_t first_query = 0;
  std::size_t num_queries = 0;
};

class ShopMaker {
 public:
  ShopMaker(const CategoryShopParams& params, std::uint64_t seed)
      : params_(params), random_(CounterRandom(seed, "category_shop")) {
    shop_.effects = make_effects(params, seed);
    for (const CategoryEffect& effect : shop_.effects) draws_.emplace_back(effect.names.size());
    for (std::size_t c = 0; c < shop_.effects[kColour].names.size(); ++c) {
      slopes_.push_back(0.5 * random_.normal());
    }
  }

  CategoryShop make(const Context& context) {
    const auto all = static_cast<std::size_t>(params_.queries);
    const std::size_t fifth = all / 5;
    const Part parts[] = {{0, all - 2 * fifth}, {all - 2 * fifth, fifth}, {all - fifth, fifth}};
    Dataset* const datasets[] = {&shop_.train, &shop_.valid, &shop_.test};
    for (std::size_t p = 0; p < 3; ++p) {
      context.check_stop();
      *datasets[p] = make_part(parts[p]);
    }
    return std::move(shop_);
  }

 private:
  // Writes one offer's features; its utility with noise.
  double make_offer(float* row) {
    double utility = params_.noise * random_.normal();
    for (std::size_t c = 0; c < kNumCategories; ++c) {
      const std::size_t code = draws_[c](random_.uniform());
      row[c] = static_cast<float>(code);
      utility += shop_.effects[c].effects[code];
    }
    float* const numbers = row + kNumCategories;
    for (std::size_t i = 0; i < kNumNumbers; ++i) numbers[i] = static_cast<float>(random_.normal());
    utility += 0.6 * numbers[2] - 0.4 * std::abs(numbers[0]) + (numbers[1] > 0.5F ? 0.5 : 0.0);
    return utility + slopes_[static_cast<std::size_t>(row[kColour])] * numbers[3];
  }

  Dataset make_part(const Part& part) {
    const auto size = static_cast<std::size_t>(params_.documents_per_query);
    constexpr std::size_t kWidth = kNumCategories + kNumNumbers;
    DatasetParts parts;
    for (std::size_t c = 0; c < kNumCategories; ++c) {
      const bool has_names = c != kSeller;
      parts.schema.add(
          {.name = shop_.effects[c].feature,
           .kind = ColumnKind::kCategory,
           .categories = has_names ? shop_.effects[c].names : std::vector<std::string>()});
    }
    for (const std::string_view name : kNumbers) parts.schema.add_feature(std::string(name));
    const std::size_t num_rows = part.num_queries * size;
    parts.features = Buffer<float>(num_rows * kWidth);
    std::vector<double> utilities;
    for (std::size_t r = 0; r < num_rows; ++r) {
      utilities.push_back(make_offer(parts.features.data() + r * kWidth));
    }
    if (shop_.thresholds.empty()) set_thresholds(utilities);
    for (const double utility : utilities) {
      const auto at = std::ranges::upper_bound(shop_.thresholds, static_cast<float>(utility));
      parts.grades.push_back(static_cast<float>(at - shop_.thresholds.begin()));
    }
    std::vector<std::string> ids;
    for (std::size_t q = 0; q < part.num_queries; ++q) {
      ids.push_back(fmt::format("q{}", part.first_query + q));
    }
    parts.queries = QueryGroups(ids, std::vector<std::size_t>(part.num_queries, size));
    return Dataset(std::move(parts));
  }

  // From the training part: what shares of it have less.
  void set_thresholds(std::vector<double> utilities) {
    std::ranges::sort(utilities);
    for (const double share : {0.5, 0.75, 0.9, 0.97}) {
      const auto at = static_cast<std::size_t>(share * static_cast<double>(utilities.size()));
      shop_.thresholds.push_back(static_cast<float>(utilities[at]));
    }
  }

  const CategoryShopParams& params_;
  RandomSequence random_;
  CategoryShop shop_;
  std::vector<ZipfDraw> draws_;
  std::vector<double> slopes_;  // of age, by colour
};

}  // namespace

void CategoryShopParams::visit(ParamVisitor& visitor) {
  visitor.field("queries", queries, "searches in all three parts", Range{.low = 5, .high = 1e7});
  visitor.field("documents_per_query", documents_per_query, "offers of a search",
                Range{.low = 2, .high = 10'000});
  visitor.field("brands", brands, "categories of brand, which are texts",
                Range{.low = 2, .high = 100'000});
  visitor.field("sellers", sellers, "categories of seller, which are whole numbers",
                Range{.low = 2, .high = 1'000'000});
  visitor.field("noise", noise, "spread of the part of the utility that no feature shows",
                kNotNegative);
}

CategoryShop make_category_shop(const CategoryShopParams& params, std::uint64_t seed,
                                const Context& context) {
  check_params(params);
  return ShopMaker(params, seed).make(context);
}

std::string category_csv(const Dataset& data) {
  std::string text = "grade,query";
  for (const std::string& name : data.feature_names()) text += "," + name;
  text += '\n';
  const auto to = std::back_inserter(text);
  for (std::size_t q = 0; q < data.num_queries(); ++q) {
    const RowRange rows = data.queries().rows(q);
    for (std::size_t r = rows.begin; r < rows.end; ++r) {
      fmt::format_to(to, "{},{}", data.grades()[r], data.queries().id(q));
      for (std::size_t f = 0; f < data.num_features(); ++f) {
        const std::vector<std::string>& names = data.schema().feature(f).categories;
        if (names.empty()) {
          fmt::format_to(to, ",{}", data.row(r)[f]);
        } else {
          fmt::format_to(to, ",{}", names[static_cast<std::size_t>(data.row(r)[f])]);
        }
      }
      text += '\n';
    }
  }
  return text;
}

std::string category_shop_truth_json(const CategoryShop& shop) {
  Json features = Json::array();
  for (const CategoryEffect& effect : shop.effects) {
    Json categories = Json::object();
    for (std::size_t c = 0; c < effect.names.size(); ++c) {
      categories[effect.names[c]] = effect.effects[c];
    }
    features.push_back({{"feature", effect.feature}, {"effects", std::move(categories)}});
  }
  const Json json = {{"scenario", "categories"},
                     {"categories", std::move(features)},
                     {"thresholds", shop.thresholds}};
  return json.dump(1) + "\n";
}

}  // namespace glassrank
