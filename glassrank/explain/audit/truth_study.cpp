#include "glassrank/explain/audit/truth_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "glassrank/base/error.h"
#include "glassrank/explain/audit/bookshop_truth.h"
#include "glassrank/math/rank_correlation.h"

namespace glassrank {
namespace {

constexpr std::array<std::string_view, 4> kQuestions = {"document", "pair", "ranking",
                                                        "ranking, spread"};

using Numbers = std::vector<double>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// A target, what is true of it, and which question that answers.
struct Question {
  std::size_t number = 0;  // of kQuestions
  Target target;
  Numbers truth;
};

// Documents evenly over the ranking, the first and the last among them.
std::vector<std::uint32_t> chosen_documents(const ExplainedQuery& query, std::size_t wanted) {
  const std::size_t size = query.ranking.size();
  const std::size_t number = std::min(std::max<std::size_t>(wanted, 2), size);
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < number; ++i) {
    chosen.push_back(query.ranking[i * (size - 1) / (number - 1)]);
  }
  return chosen;
}

Numbers difference_of(const Numbers& a, const Numbers& b) {
  Numbers result = a;
  for (std::size_t f = 0; f < result.size(); ++f) result[f] -= b[f];
  return result;
}

Numbers sum_over_first(const ExplainedQuery& query, const std::vector<Numbers>& truths,
                       std::size_t first) {
  Numbers sum(truths[0].size());
  for (std::size_t i = 0; i < std::min(first, query.ranking.size()); ++i) {
    for (std::size_t f = 0; f < sum.size(); ++f) sum[f] += truths[query.ranking[i]][f];
  }
  return sum;
}

Numbers spread_within(const std::vector<Numbers>& truths) {
  const auto size = static_cast<double>(truths.size());
  Numbers mean(truths[0].size());
  for (const Numbers& truth : truths) {
    for (std::size_t f = 0; f < mean.size(); ++f) mean[f] += truth[f] / size;
  }
  Numbers spread(mean.size());
  for (const Numbers& truth : truths) {
    for (std::size_t f = 0; f < mean.size(); ++f) spread[f] += std::abs(truth[f] - mean[f]) / size;
  }
  return spread;
}

std::vector<Question> questions_of(const ExplainedQuery& query, const BookshopTruth& truth,
                                   std::size_t num_features, const TruthParams& params) {
  std::vector<Numbers> truths;
  for (std::size_t d = 0; d < query.num_documents(); ++d) {
    truths.push_back(truth.contributions(query.rows.row(d)));
    truths.back().resize(num_features);
  }
  std::vector<Question> questions;
  const auto chosen = chosen_documents(query, static_cast<std::size_t>(params.documents));
  for (const std::uint32_t d : chosen) questions.push_back({0, Target::of_document(d), truths[d]});
  for (std::size_t i = 0; i + 1 < chosen.size(); ++i) {
    questions.push_back({1, Target::of_pair(chosen[i], chosen[i + 1]),
                         difference_of(truths[chosen[i]], truths[chosen[i + 1]])});
  }
  const auto first = static_cast<std::size_t>(params.aggregation.top_documents);
  questions.push_back({2, Target::of_ranking(), sum_over_first(query, truths, first)});
  questions.push_back({3, Target::of_ranking(), spread_within(truths)});
  return questions;
}

bool can_answer(const ExplainerTraits& traits, TargetKind kind) {
  if (traits.explains_documents && traits.gives_attributions) return true;
  return kind == TargetKind::kDocument ? traits.explains_documents
         : kind == TargetKind::kPair   ? traits.explains_pairs
                                       : traits.explains_rankings;
}

// Numbers of one query, then of all of them.
struct Collected {
  Numbers pearson;
  Numbers spearman;
  Numbers overlap;
};

void add(std::optional<double> number, Numbers& numbers) {
  if (number) numbers.push_back(*number);
}

void compare(const Question& question, const Explanation& answer, std::size_t k,
             Collected& collected) {
  const bool has_sign = question.number < 3;
  std::vector<std::uint32_t> features = answer.features;
  if (!answer.attributions.empty()) {
    Numbers given = answer.attributions;
    if (!has_sign) {
      for (double& value : given) value = std::abs(value);
    }
    add(pearson(given, question.truth), collected.pearson);
    add(spearman(given, question.truth), collected.spearman);
    features = top_features(answer.attributions, k);
  }
  add(top_overlap(question.truth, features, k), collected.overlap);
}

double mean_of_numbers(const Numbers& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number;
  return sum / static_cast<double>(numbers.size());
}

MeanOverQueries mean_over_queries(Numbers numbers) {
  std::erase_if(numbers, [](double number) { return std::isnan(number); });
  MeanOverQueries result{.mean = {}, .error = {}, .num_queries = numbers.size()};
  if (numbers.empty()) return result;
  const double mean = mean_of_numbers(numbers);
  result.mean = mean;
  if (numbers.size() < 2) return result;
  double squares = 0;
  for (const double number : numbers) squares += (number - mean) * (number - mean);
  const auto size = static_cast<double>(numbers.size());
  result.error = std::sqrt(squares / (size - 1) / size);
  return result;
}

using NumbersByQuestion = std::array<TruthNumbers, kQuestions.size()>;

// The questions about one shop's queries, and what explainers answer.
class ShopStudy {
 public:
  ShopStudy(const TruthShop& shop, const TruthParams& params, const Context& context)
      : subject_(shop.subject), params_(params), context_(context) {
    const BookshopTruth truth(subject_.background);
    const Dataset& data = shop.data;
    // Columns of the data are those of the background.
    if (!std::ranges::equal(data.feature_names(), subject_.background.feature_names())) {
      fail(ErrorKind::kUsage, "the background data has other features than the data");
    }
    const auto wanted = static_cast<std::size_t>(params.queries);
    for (std::size_t q = 0; q < data.num_queries() && queries_.size() < wanted; ++q) {
      if (data.queries().rows(q).size() < 2) continue;
      queries_.push_back(view_query(subject_, data, q, context));
      const ExplainedQuery& query = queries_.back();
      questions_.push_back(questions_of(query, truth, subject_.num_features(), params));
      Numbers utilities;
      for (std::size_t d = 0; d < query.num_documents(); ++d) {
        utilities.push_back(truth.utility(query.rows.row(d)));
      }
      agreements_.push_back(spearman(query.scores, utilities).value_or(kNone));
    }
    if (queries_.empty()) {
      fail(ErrorKind::kInput, "no query of the data has two documents; nothing is ranked");
    }
  }

  std::size_t num_queries() const { return queries_.size(); }
  // Of scores and utilities, by query.
  const Numbers& model_agreements() const { return agreements_; }

  // Adds a number per query to each of the lists.
  void ask(const NamedExplainer& named, NumbersByQuestion& numbers) const {
    named.explainer->prepare(subject_, context_);
    Progress progress(context_, named.label, "queries", queries_.size());
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      context_.check_stop();
      ask_about(*named.explainer, q, numbers);
      progress.add(1);
      progress.report();
    }
  }

 private:
  void ask_about(const Explainer& explainer, std::size_t q, NumbersByQuestion& numbers) const {
    std::vector<const Question*> asked;
    std::vector<Target> targets;
    for (const Question& question : questions_[q]) {
      if (!can_answer(explainer.traits(), question.target.kind)) continue;
      asked.push_back(&question);
      targets.push_back(question.target);
    }
    const std::vector<Explanation> answers =
        explain_targets(explainer, queries_[q], targets, params_.aggregation, context_);
    std::array<Collected, kQuestions.size()> of_query;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      compare(*asked[i], answers[i], static_cast<std::size_t>(params_.k),
              of_query[asked[i]->number]);
    }
    const auto keep = [](const Numbers& from, Numbers& to) {
      to.push_back(from.empty() ? kNone : mean_of_numbers(from));
    };
    for (std::size_t i = 0; i < of_query.size(); ++i) {
      keep(of_query[i].pearson, numbers[i].pearson);
      keep(of_query[i].spearman, numbers[i].spearman);
      keep(of_query[i].overlap, numbers[i].overlap);
    }
  }

  const Subject& subject_;
  const TruthParams& params_;
  const Context& context_;
  std::vector<ExplainedQuery> queries_;
  std::vector<std::vector<Question>> questions_;  // of each query
  Numbers agreements_;
};

// Marks the best of the answers to a question, all of which have a mean, and how surely the others
// are worse.
void mark_best(std::span<TruthAgreement* const> rivals, const CompareParams& params,
               const Context& context) {
  if (rivals.empty()) return;
  const auto mean = [](const TruthAgreement* each) { return *each->pearson.mean; };
  const auto best = std::ranges::max_element(rivals, {}, mean) - rivals.begin();
  rivals[best]->is_best = true;
  if (rivals.size() < 2) return;
  std::vector<std::string> labels;
  SystemValues values{.metric = "pearson", .values = {}};
  for (const TruthAgreement* const each : rivals) {
    labels.push_back(each->explainer);
    values.values.push_back(each->numbers.pearson);
  }
  const Comparison found = compare_systems(labels, {&values, 1}, params, context);
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const PairComparison* const pair =
        found.metrics.front().find(i, static_cast<std::size_t>(best));
    if (pair != nullptr) rivals[i]->p_best = pair->corrected_p;
  }
}

}  // namespace

std::optional<double> pearson(std::span<const double> a, std::span<const double> b) {
  double mean_a = 0;
  double mean_b = 0;
  const auto size = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / size;
    mean_b += b[i] / size;
  }
  double both = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    squares_a += (a[i] - mean_a) * (a[i] - mean_a);
    squares_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (!(squares_a > 0 && squares_b > 0)) return std::nullopt;
  return both / std::sqrt(squares_a) / std::sqrt(squares_b);
}

std::optional<double> top_overlap(std::span<const double> truth,
                                  std::span<const std::uint32_t> features, std::size_t k) {
  const std::vector<std::uint32_t> top = top_features(truth, k);
  if (top.empty()) return std::nullopt;
  const auto named = features.first(std::min(features.size(), top.size()));
  const auto found = std::ranges::count_if(
      top, [&](std::uint32_t f) { return std::ranges::find(named, f) != named.end(); });
  return static_cast<double>(found) / static_cast<double>(top.size());
}

TruthStudy study_truth(std::span<const TruthShop> shops, std::span<const NamedExplainer> explainers,
                       const TruthParams& params, const Context& context) {
  check_params(params);
  std::vector<NumbersByQuestion> numbers(explainers.size());
  Numbers model_agreements;
  TruthStudy study{.num_shops = shops.size(), .k = params.k, .agreements = {}};
  for (const TruthShop& shop : shops) {
    check_subject(shop.subject);
    const ShopStudy of_shop(shop, params, context);
    study.num_queries += of_shop.num_queries();
    std::ranges::copy(of_shop.model_agreements(), std::back_inserter(model_agreements));
    for (std::size_t e = 0; e < explainers.size(); ++e) of_shop.ask(explainers[e], numbers[e]);
  }
  study.model_agreement = mean_over_queries(std::move(model_agreements)).mean.value_or(0);
  for (std::size_t e = 0; e < explainers.size(); ++e) {
    for (std::size_t i = 0; i < kQuestions.size(); ++i) {
      TruthAgreement agreement{.explainer = explainers[e].label,
                               .question = std::string(kQuestions[i]),
                               .pearson = mean_over_queries(numbers[e][i].pearson),
                               .spearman = mean_over_queries(numbers[e][i].spearman),
                               .top_overlap = mean_over_queries(numbers[e][i].overlap),
                               .p_best = {},
                               .numbers = std::move(numbers[e][i])};
      if (!agreement.pearson.mean && !agreement.top_overlap.mean) continue;
      study.agreements.push_back(std::move(agreement));
    }
  }
  for (const std::string_view question : kQuestions) {
    std::vector<TruthAgreement*> rivals;
    for (TruthAgreement& each : study.agreements) {
      if (each.question == question && each.pearson.mean) rivals.push_back(&each);
    }
    mark_best(rivals, params.compare, context);
  }
  return study;
}

}  // namespace glassrank
