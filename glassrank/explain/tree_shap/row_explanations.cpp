#include "glassrank/explain/tree_shap/row_explanations.h"

namespace glassrank {

std::vector<Explanation> explain_rows(const ExplainedQuery& query,
                                      std::span<const std::uint32_t> documents, const RowGame& game,
                                      ValuesOfRows values, const Context& context) {
  const std::size_t num_features = game.num_features;
  std::vector<float> rows;
  for (const std::uint32_t d : documents) {
    const auto row = query.rows.row(d);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  std::vector<double> found(documents.size() * num_features);
  values({rows.data(), documents.size(), query.rows.num_columns()},
         {found.data(), documents.size(), num_features}, context);
  std::vector<Explanation> answers(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    Explanation& answer = answers[i];
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(i * num_features);
    answer.target = Target::of_document(documents[i]);
    answer.value = query.scores[documents[i]];
    answer.base_value = game.base_value;
    answer.attributions.assign(begin, begin + static_cast<std::ptrdiff_t>(num_features));
    answer.features = top_features(answer.attributions, game.num_chosen);
  }
  return answers;
}

}  // namespace glassrank
