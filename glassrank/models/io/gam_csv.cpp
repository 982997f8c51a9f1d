#include "glassrank/models/io/gam_csv.h"

#include <iterator>

#include <fmt/format.h>

#include "glassrank/models/model_categories.h"

namespace glassrank {
namespace {

// In quotes where a comma, a quote or a line's end asks for them.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// "price,9.5,20"
std::string place(const Gam& gam, const GamAxis& axis, std::size_t cell) {
  const std::string name = field(gam.feature_name(axis.feature));
  if (cell == axis.missing_cell()) return fmt::format("{},missing,missing", name);
  if (const auto category =
          category_of_cell(axis, cell, names_of(gam.categories(), axis.feature))) {
    return fmt::format("{},{},{}", name, field(*category), field(*category));
  }
  const std::string lower = cell == 0 ? "-inf" : fmt::format("{}", axis.edges[cell - 1]);
  const std::string upper = cell == axis.edges.size() ? "inf" : fmt::format("{}", axis.edges[cell]);
  return fmt::format("{},{},{}", name, lower, upper);
}

std::string known(const std::vector<double>& cells, std::size_t cell) {
  return cells.empty() ? "" : fmt::format("{}", cells[cell]);
}

}  // namespace

std::string write_gam_csv(const Model& model) {
  const Gam gam = require_gam(model, "a table of cells");
  std::string text = fmt::format(
      "effect,feature_1,lower_1,upper_1,feature_2,lower_2,upper_2,value,error,weight\n"
      "intercept,,,,,,,{},,\n",
      gam.intercept());
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    const GamEffect& effect = gam.effects()[e];
    const std::string name = field(gam.effect_name(e));
    const std::size_t row_size = effect.is_pair() ? effect.axes[1].num_cells() : 1;
    for (std::size_t c = 0; c < effect.values.size(); ++c) {
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", name,
                     place(gam, effect.axes[0], c / row_size),
                     effect.is_pair() ? place(gam, effect.axes[1], c % row_size) : ",,",
                     effect.values[c], known(effect.errors, c), known(effect.weights, c));
    }
  }
  return text;
}

}  // namespace glassrank
