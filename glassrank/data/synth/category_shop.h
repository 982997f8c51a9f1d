#pragma once
// Ranking data with categories whose effects are known: offers of a shop.
//
//   utility = size * sum over brand, seller, colour and kind of effect[category]
//             + linear and bent effects of three numbers + colour's own slope of one of them
//   grade   = number of thresholds <= utility + noise; 0 for about half of the offers, 4 for a few
//
// Categories of a feature are as frequent as 1 / (place + 3) (Zipf), so that most of a large one's
// are rare; effects are normal numbers of their own, without any order. Brands, colours and kinds
// are texts; sellers are whole numbers. A pure function of (parameters, seed); effects are the same
// in all three parts.

#include <cstdint>
#include <string>
#include <vector>

#include "glassrank/base/context.h"
#include "glassrank/base/params.h"
#include "glassrank/data/dataset.h"

namespace glassrank {

struct CategoryShopParams {
  int queries = 600;
  int documents_per_query = 25;
  int brands = 150;
  int sellers = 1000;
  double noise = 0.6;

  void visit(ParamVisitor& visitor);
};

struct CategoryEffect {
  std::string feature;
  std::vector<std::string> names;  // by code
  std::vector<double> effects;     // on the utility, by code
};

struct CategoryShop {
  Dataset train;
  Dataset valid;
  Dataset test;
  std::vector<CategoryEffect> effects;
  std::vector<float> thresholds;
};

// Throws Error{kUsage} for fewer than 5 queries. The context is asked whether to stop.
CategoryShop make_category_shop(const CategoryShopParams& params, std::uint64_t seed,
                                const Context& context = {});

// One part as CSV: grade, query, then the features; categories by name.
std::string category_csv(const Dataset& data);

std::string category_shop_truth_json(const CategoryShop& shop);

}  // namespace glassrank
