#include "glassrank/report/demo/demo_cleaning.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "glassrank/methods/registry.h"
#include "glassrank/methods/training/cleaned_method.h"

namespace glassrank {
namespace {

constexpr std::size_t kShownBooks = 8;

using Mistakes = std::map<std::size_t, const JudgingMistake*>;  // by row of the training part

Mistakes training_mistakes(const Bookshop& shop) {
  Mistakes mistakes;
  for (const JudgingMistake& mistake : shop.mistakes) {
    if (mistake.part == "train") mistakes.emplace(mistake.row, &mistake);
  }
  return mistakes;
}

// The first books of the list: one of each search, so that a reader sees several.
DemoTable book_table(const Bookshop& shop, const Cleaning& cleaning, const Mistakes& mistakes) {
  DemoTable table{.header = {"search", "book", "grade", "in truth"}, .rows = {}};
  const std::vector<std::uint32_t> query_of = shop.train.queries().query_of_rows();
  std::uint32_t last = static_cast<std::uint32_t>(shop.train.num_queries());
  for (const DroppedRow& dropped : cleaning.dropped) {
    if (table.rows.size() == kShownBooks) break;
    if (query_of[dropped.row] == last) continue;
    last = query_of[dropped.row];
    const auto found = mistakes.find(dropped.row);
    table.rows.push_back({shop.train.queries().id(last), shop.train.document_name(dropped.row),
                          fmt::format("{}", shop.train.grades()[dropped.row]),
                          found == mistakes.end() ? "right"
                                                  : fmt::format("{}: {}", found->second->true_grade,
                                                                found->second->reason)});
  }
  return table;
}

}  // namespace

DemoCleaning clean_bookshop(const Bookshop& shop, const TrainInputs& inputs,
                            LambdamartParams params, const Context& context) {
  CleanParams sour{.method = CleanMethod::kSour};
  sour.type = DocumentType::kNeg;  // unwanted ones the model wants
  const auto method = make_cleaned(make_lambdamart(std::move(params)), sour);
  const TrainedModel trained = train_model(*method, inputs, {}, context);
  const Cleaning& cleaning = *trained.result.cleaning;
  const Mistakes mistakes = training_mistakes(shop);
  DemoCleaning result{.model = trained.model,
                      .summary = cleaning.summary,
                      .num_dropped = cleaning.dropped.size(),
                      .num_mistakes = mistakes.size(),
                      .num_rows = shop.train.num_rows(),
                      .books = book_table(shop, cleaning, mistakes)};
  for (const DroppedRow& dropped : cleaning.dropped) {
    result.num_wrong += mistakes.contains(dropped.row) ? 1 : 0;
  }
  return result;
}

std::string found_text(const DemoCleaning& cleaning) {
  const auto share = [](std::size_t part, std::size_t whole) {
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
  };
  return fmt::format(
      "Of the {} books dropped, {} are wrongly judged in truth ({:.0f} %, where drawing blindly "
      "gives {:.1f} %): {:.0f} % of the {} wrong grades there are.",
      cleaning.num_dropped, cleaning.num_wrong, share(cleaning.num_wrong, cleaning.num_dropped),
      share(cleaning.num_mistakes, cleaning.num_rows),
      share(cleaning.num_wrong, cleaning.num_mistakes), cleaning.num_mistakes);
}

}  // namespace glassrank
