#include "glassrank/explain/tree_shap/tree_shap_explainer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/explain/background.h"
#include "glassrank/explain/tree_shap/row_explanations.h"

namespace glassrank {
namespace {

// A linear model whose file holds no means (RankLib's) takes them from the background.
ShapGame game_for(const Model& model, ShapGame asked) {
  return match(
      model,
      [&](const Linear& linear) {
        return linear.parts().fills.empty() ? ShapGame::kInterventional : asked;
      },
      [&](const auto&) { return asked; });
}

class TreeShapExplainer final : public Explainer {
 public:
  explicit TreeShapExplainer(const TreeShapParams& params) : params_(params) {}

  std::string name() const override { return "tree-shap"; }
  ExplainerTraits traits() const override {
    return {.needs_model = true, .explains_pairs = params_.pairs_by == PairAnswer::kReference};
  }
  std::unique_ptr<Explainer> clone() const override {
    return std::make_unique<TreeShapExplainer>(params_);
  }
  void visit(ParamVisitor& visitor) override { params_.visit(visitor); }
  std::vector<ParamUse> uses() const override {
    return {{"background_rows", "game", {"interventional"}}};
  }
  std::size_t num_chosen() const override { return static_cast<std::size_t>(params_.k); }

  void prepare(const Subject& subject, const Context& context) override {
    check_subject(subject);
    check_params(params_);
    if (subject.model == nullptr) {
      fail(ErrorKind::kUsage,
           "tree-shap looks into the model, and only the scores of this one are known; kernel-shap "
           "needs no more than scores");
    }
    model_ = with_cover(*subject.model, params_.cover, subject.background, context);
    const ShapGame game = game_for(model_, params_.game);
    RowMatrix background;
    if (game == ShapGame::kInterventional) {
      background = sample_background(subject, static_cast<std::size_t>(params_.background_rows),
                                     context.seed);
    }
    engine_ = make_shap_engine(
        model_, {.game = game, .cover = cover_of(params_.cover), .background = background.view()},
        context);
  }

  std::vector<Explanation> explain(const ExplainedQuery& query, std::span<const Target> targets,
                                   const Context& context) const override {
    std::vector<std::uint32_t> documents;
    for (const Target& target : targets) {
      if (target.kind == TargetKind::kDocument) documents.push_back(target.document);
    }
    std::vector<Explanation> of_documents = explain_by(*engine_, query, documents, context);
    std::vector<Explanation> answers;
    std::size_t next = 0;
    for (const Target& target : targets) {
      answers.push_back(target.kind == TargetKind::kDocument
                            ? std::move(of_documents[next++])
                            : explain_pair(query, target, context));
      answers.back().target = target;
    }
    return answers;
  }

 private:
  std::vector<Explanation> explain_by(const ShapEngine& engine, const ExplainedQuery& query,
                                      std::span<const std::uint32_t> documents,
                                      const Context& context) const {
    const auto pairs = params_.interactions ? engine.pairs() : std::span<const FeaturePair>();
    std::vector<double> together(documents.size() * pairs.size());
    const auto values = [&](MatrixView<const float> rows, MatrixView<double> out,
                            const Context& own) {
      params_.interactions
          ? engine.interactions(rows, out, {together.data(), documents.size(), pairs.size()}, own)
          : engine.values(rows, out, own);
    };
    std::vector<Explanation> answers = explain_rows(query, documents,
                                                    {.num_features = engine.num_features(),
                                                     .base_value = engine.base_value(),
                                                     .num_chosen = num_chosen()},
                                                    values, context);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      for (std::size_t p = 0; p < pairs.size(); ++p) {
        answers[i].interactions.push_back(
            {pairs[p].first, pairs[p].second, together[i * pairs.size() + p]});
      }
    }
    return answers;
  }

  // The other document is all there is in the background: its score is the base value.
  Explanation explain_pair(const ExplainedQuery& query, const Target& target,
                           const Context& context) const {
    const auto other = query.rows.row(target.other);
    const auto engine = make_shap_engine(model_,
                                         {.game = ShapGame::kInterventional,
                                          .cover = cover_of(params_.cover),
                                          .background = {other.data(), 1, other.size()}},
                                         context);
    const std::uint32_t document = target.document;
    Explanation answer = std::move(explain_by(*engine, query, {&document, 1}, context).front());
    answer.value -= query.scores[target.other];
    answer.base_value = 0;
    return answer;
  }

  TreeShapParams params_;
  Model model_;
  std::unique_ptr<const ShapEngine> engine_;
};

}  // namespace

std::span<const std::pair<std::string_view, PairAnswer>> EnumNames<PairAnswer>::table() {
  static constexpr std::array<std::pair<std::string_view, PairAnswer>, 2> kNames = {
      {{"difference", PairAnswer::kDifference}, {"reference", PairAnswer::kReference}}};
  return kNames;
}

std::span<const std::pair<std::string_view, CoverSource>> EnumNames<CoverSource>::table() {
  static constexpr std::array<std::pair<std::string_view, CoverSource>, 4> kNames = {
      {{"auto", CoverSource::kAuto},
       {"count", CoverSource::kCount},
       {"hessian", CoverSource::kHessian},
       {"data", CoverSource::kData}}};
  return kNames;
}

Cover cover_of(CoverSource source) {
  switch (source) {
    case CoverSource::kAuto:
      return Cover::kAuto;
    case CoverSource::kHessian:
      return Cover::kHessian;
    case CoverSource::kCount:
    case CoverSource::kData:
      break;
  }
  return Cover::kCount;
}

Model with_cover(const Model& model, CoverSource source, const Dataset& background,
                 const Context& context) {
  if (source != CoverSource::kData) return model;
  return match(
      model,
      [&](const Forest& forest) {
        return Model{.body = with_cover_from(forest, background, context), .provenance = {}};
      },
      [&](const auto&) { return model; });
}

void TreeShapParams::visit(ParamVisitor& visitor) {
  visitor.field("k", k, "number of features to name as the most important ones", Range{.low = 1});
  visitor.field("game", game,
                "how unknown features are filled in: path-dependent uses the model's own counts "
                "from training, interventional uses rows of the background data");
  visitor.field(
      "cover", cover,
      "how path-dependent values weight the branches of a tree: auto uses row counts if the model "
      "has them and sums of hessians otherwise; data counts the rows of the background data");
  visitor.field("background_rows", background_rows,
                "rows drawn from the background data for interventional values", Range{.low = 1});
  visitor.field("pairs_by", pairs_by,
                "how a pair is explained: by the difference of the two documents' values, or by "
                "the values of one with the other as the only background row");
  visitor.field("interactions", interactions,
                "also show what pairs of features do together beyond what each does alone");
}

std::unique_ptr<Explainer> make_tree_shap(TreeShapParams params) {
  return std::make_unique<TreeShapExplainer>(params);
}

}  // namespace glassrank
