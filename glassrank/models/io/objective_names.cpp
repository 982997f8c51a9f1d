#include "glassrank/models/io/objective_names.h"

#include <array>
#include <cmath>

#include "glassrank/base/error.h"

namespace glassrank {
namespace {

struct Pair {
  std::string_view lightgbm;
  std::string_view xgboost;
};

// The first entry that matches wins.
constexpr std::array kPairs = {
    Pair{"lambdarank", "rank:ndcg"},
    Pair{"rank_xendcg", "rank:ndcg"},
    Pair{"lambdarank", "rank:map"},
    Pair{"lambdarank", "rank:pairwise"},
    Pair{"regression", "reg:squarederror"},
    Pair{"regression", "reg:linear"},
    Pair{"binary sigmoid:1", "binary:logistic"},
};

// Our own names that mean the same. The others (rank_xendcg, lambdarank) are LightGBM's too.
struct Own {
  std::string_view name;
  std::string_view lightgbm;
  std::string_view xgboost;
};
constexpr std::array kOwn = {
    Own{"pairwise", "lambdarank", "rank:pairwise"},
    Own{"squared_error", "regression", "reg:squarederror"},
    Own{"logistic", "binary sigmoid:1", "binary:logitraw"},  // whose base_score is a raw score
    Own{"LambdaMART", "lambdarank", "rank:ndcg"},            // RankLib's and QuickRank's
};

constexpr std::array<std::string_view, 13> kLightgbmObjectives = {
    "lambdarank", "rank_xendcg", "regression", "regression_l1", "huber",  "fair",         "poisson",
    "quantile",   "mape",        "gamma",      "tweedie",       "binary", "cross_entropy"};

struct Linked {
  std::string_view objective;
  XgboostLink link;
};

constexpr std::array kLinks = {
    Linked{"rank:ndcg", XgboostLink::kIdentity},
    Linked{"rank:map", XgboostLink::kIdentity},
    Linked{"rank:pairwise", XgboostLink::kIdentity},
    Linked{"reg:squarederror", XgboostLink::kIdentity},
    Linked{"reg:linear", XgboostLink::kIdentity},
    Linked{"reg:squaredlogerror", XgboostLink::kIdentity},
    Linked{"reg:absoluteerror", XgboostLink::kIdentity},
    Linked{"reg:pseudohubererror", XgboostLink::kIdentity},
    Linked{"reg:quantileerror", XgboostLink::kIdentity},
    Linked{"binary:logitraw", XgboostLink::kIdentity},
    Linked{"binary:hinge", XgboostLink::kIdentity},
    Linked{"binary:logistic", XgboostLink::kLogit},
    Linked{"reg:logistic", XgboostLink::kLogit},
    Linked{"count:poisson", XgboostLink::kLog},
    Linked{"reg:gamma", XgboostLink::kLog},
    Linked{"reg:tweedie", XgboostLink::kLog},
};

// "binary sigmoid:1" -> "binary".
std::string_view first_word(std::string_view text) { return text.substr(0, text.find(' ')); }

}  // namespace

std::string lightgbm_objective(std::string_view objective) {
  for (const Own& own : kOwn) {
    if (own.name == objective) return std::string(own.lightgbm);
  }
  for (const std::string_view known : kLightgbmObjectives) {
    if (first_word(objective) == known) return std::string(objective);
  }
  for (const Pair& pair : kPairs) {
    if (pair.xgboost == objective) return std::string(pair.lightgbm);
  }
  return {};
}

std::string xgboost_objective(std::string_view objective) {
  for (const Own& own : kOwn) {
    if (own.name == objective) return std::string(own.xgboost);
  }
  for (const Pair& pair : kPairs) {
    if (pair.xgboost == objective) return std::string(objective);
  }
  if (objective == "binary:logitraw") return "binary:logitraw";
  for (const Pair& pair : kPairs) {
    if (pair.lightgbm == objective) return std::string(pair.xgboost);
  }
  return "reg:squarederror";
}

XgboostLink xgboost_link(std::string_view objective) {
  for (const Linked& entry : kLinks) {
    if (entry.objective == objective) return entry.link;
  }
  fail(ErrorKind::kInput,
       "objective '{}' is not supported: only rank:*, reg:*, count:poisson and binary:* models "
       "have one raw score per row",
       objective);
}

double xgboost_raw_base(XgboostLink link, float base_score) {
  float raw = base_score;
  if (link == XgboostLink::kLogit) raw = -std::log(1.0F / base_score - 1.0F);
  if (link == XgboostLink::kLog) raw = std::log(base_score);
  if (!std::isfinite(raw)) {
    fail(ErrorKind::kInput, "base_score {} is outside of what the objective allows", base_score);
  }
  return raw;
}

double xgboost_base_of_raw(XgboostLink link, double raw) {
  switch (link) {
    case XgboostLink::kLogit:
      return 1 / (1 + std::exp(-raw));
    case XgboostLink::kLog:
      return std::exp(raw);
    case XgboostLink::kIdentity:
      break;
  }
  return raw;
}

}  // namespace glassrank
