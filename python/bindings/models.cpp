// Models and black boxes: loading, saving, scoring, editing.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/evaluation/model_results.h"
#include "glassrank/evaluation/score_parity.h"
#include "glassrank/models/display_names.h"
#include "glassrank/models/gam/distil.h"
#include "glassrank/models/gam/effect_importance.h"
#include "glassrank/models/gam/gam_edit.h"
#include "glassrank/models/gam/verify_report.h"
#include "glassrank/models/io/formats.h"
#include "glassrank/models/model_categories.h"
#include "glassrank/models/model_kinds.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/ranker.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

using RankerPtr = std::shared_ptr<Ranker>;

RankerPtr load(const Call& call, const std::string& path, const nb::dict& params) {
  ModelReadParams read;
  set_params(read, params);
  LoadedModel loaded =
      call.run([&](const Context& context) { return load_model_and_format(path, context, read); });
  return std::make_shared<Ranker>(std::move(loaded.model), path, std::string(loaded.format.name));
}

RankerPtr load_bytes(const Call& call, const nb::bytes& bytes, const std::string& name,
                     const nb::dict& params) {
  ModelReadParams read;
  set_params(read, params);
  const std::string_view text(bytes.c_str(), bytes.size());
  LoadedModel loaded =
      call.run([&](const Context&) { return read_model_and_format(text, name, read); });
  return std::make_shared<Ranker>(std::move(loaded.model), name, std::string(loaded.format.name));
}

nb::bytes to_bytes(const Ranker& ranker, const Call& call, const std::string& format) {
  const Model& model = ranker.require_model("saving");
  const std::string text =
      call.run([&](const Context& context) { return write_model(model, format, context); });
  return nb::bytes(text.data(), text.size());
}

// Calls the function with a matrix of rows; it returns as many scores.
RankerPtr black_box(nb::object function, std::size_t num_features,
                    std::vector<std::string> feature_names, const std::string& name) {
  const auto kept = keep_alive(function);
  const nb::handle callee = function;
  const auto score = [kept, callee](MatrixView<const float> rows, std::span<double> scores) {
    const nb::gil_scoped_acquire held;
    const nb::object matrix =
        nb::cast(nb::ndarray<nb::numpy, const float>(
                     rows.data(), {rows.num_rows(), rows.num_columns()}, nb::handle()),
                 nb::rv_policy::copy);
    const nb::object given = callee(matrix);
    const auto values = nb::cast<ArrayIn<double>>(given);
    if (values.size() != scores.size()) {
      fail(ErrorKind::kInput, "the black box gave {} scores for {} rows", values.size(),
           scores.size());
    }
    std::copy_n(values.data(), scores.size(), scores.begin());
  };
  return std::make_shared<Ranker>(make_function_scorer(num_features, score),
                                  std::move(feature_names), name);
}

nb::object predict(const Ranker& ranker, const Call& call, const Data& data) {
  return array_of(call.run([&](const Context& context) {
    return to_file_order(data.table(), ranker.scores(data, context));
  }));
}

// The data's columns as the ranker sees them.
nb::object features(const Ranker& ranker, const Data& data) {
  const Dataset rows = ranker.rows(data, Context{});
  const MatrixView<const float> all = rows.features();
  const std::size_t width = ranker.scorer().num_features();
  std::vector<float> values(all.num_rows() * width);
  for (std::size_t r = 0; r < all.num_rows(); ++r) {
    std::copy_n(all.row(r).data(), width, values.data() + r * width);
  }
  return matrix_of(std::move(values), all.num_rows(), width);
}

nb::dict provenance(const Ranker& ranker) {
  nb::dict lines;
  if (ranker.model() == nullptr) return lines;
  for (const auto& [key, value] : ranker.model()->provenance) lines[text_of(key)] = text_of(value);
  return lines;
}

nb::list feature_names(const Ranker& ranker) { return texts_of(display_names(ranker.scorer())); }

RankerPtr edit(const Ranker& ranker, const Call& call, const std::vector<std::string>& texts,
               const Data* data) {
  Model model = ranker.require_model("edit");
  call.run([&](const Context& context) {
    std::vector<GamEdit> edits;
    for (const std::string& text : texts) edits.push_back(parse_edit(text));
    Gam gam = as_gam(model);
    if (data != nullptr) gam = with_missing_weights(gam, ranker.rows(*data, context), context);
    model.body = std::move(gam);
    for (const GamEdit& each : edits) model = edited(model, each);
  });
  return std::make_shared<Ranker>(std::move(model), ranker.name, "");
}

nb::dict verify_ranker(const Ranker& ranker, const Call& call) {
  const Model& model = ranker.require_model("verify");
  return result_of(
      call.run([&](const Context&) { return verification_report(ranker.name, model); }));
}

// What the cells of an axis of categories are called, None of one of numbers.
nb::object cell_names(const Gam& gam, const GamAxis& axis) {
  const auto names = names_of(gam.categories(), axis.feature);
  if (names.empty()) return nb::none();
  nb::list cells;
  for (std::size_t c = 0; c < axis.num_cells(); ++c) {
    const bool is_missing = c == axis.missing_cell();
    cells.append(text_of(is_missing ? std::string("missing")
                                    : category_of_cell(axis, c, names).value_or("others")));
  }
  return cells;
}

// The names by code of features whose values are categories; [] where they are the codes.
nb::dict categories_of_model(const Ranker& ranker) {
  nb::dict found;
  if (!ranker.model()) return found;
  const Model& model = *ranker.model();
  const std::vector<bool> is_category = category_features_of(model);
  const CategoryNames names = category_names_of(model);
  const std::vector<std::string> features =
      display_names(num_features_of(model), feature_names_of(model), {});
  for (std::size_t f = 0; f < is_category.size(); ++f) {
    if (is_category[f]) found[text_of(features[f])] = texts_of(names_of(names, f));
  }
  return found;
}

// {name, features, values, edges, errors, weights, importance} of every effect.
nb::list effects(const Ranker& ranker) {
  const Gam gam = as_gam(ranker.require_model("effects"));
  nb::list list;
  for (std::size_t e = 0; e < gam.effects().size(); ++e) {
    const GamEffect& effect = gam.effects()[e];
    nb::dict made;
    made["name"] = text_of(gam.effect_name(e));
    nb::list names;
    nb::list edges;
    nb::list features;
    nb::list categories;
    for (const GamAxis& axis : effect.axes) {
      names.append(text_of(gam.feature_name(axis.feature)));
      features.append(axis.feature);
      edges.append(array_of(axis.edges));
      categories.append(cell_names(gam, axis));
    }
    made["categories"] = categories;
    made["features"] = names;
    made["indices"] = features;
    made["edges"] = edges;
    const std::size_t last = effect.axes.back().num_cells();
    const auto table = [&](const std::vector<double>& values) -> nb::object {
      if (values.empty()) return nb::none();
      return effect.is_pair() ? matrix_of(values, effect.axes[0].num_cells(), last)
                              : array_of(values);
    };
    made["values"] = table(effect.values);
    made["errors"] = table(effect.errors);
    made["weights"] = table(effect.weights);
    const EffectImportance importance = importance_of(effect);
    made["importance"] = importance.weighted.value_or(importance.unweighted);
    list.append(made);
  }
  return list;
}

// The cell of an axis with these edges that each value falls into.
nb::object cells_of(const ArrayIn<float>& edges, const ArrayIn<float>& values) {
  const GamAxis axis{.feature = 0, .edges = {edges.data(), edges.data() + edges.size()}};
  std::vector<std::int64_t> cells;
  for (const float value : span_of(values)) {
    cells.push_back(static_cast<std::int64_t>(axis.cell(value)));
  }
  return array_of(std::move(cells));
}

// The categories that these values stand for, as the engine writes them.
nb::list category_texts(const std::vector<std::string>& names, const ArrayIn<float>& values) {
  nb::list texts;
  for (const float value : span_of(values)) texts.append(text_of(category_of_value(names, value)));
  return texts;
}

nb::dict check_parity(const Ranker& before, const Call& call, const Ranker& after, const Data& data,
                      double tolerance) {
  return result_of(call.run([&](const Context& context) {
    const Dataset rows = before.rows(data, context);
    const Dataset rows_after = after.rows(data, context);
    return compare_scores({before.scorer(), rows}, {after.scorer(), rows_after}, tolerance,
                          context);
  }));
}

nb::list formats() {
  nb::list list;
  for (const ModelFormat& format : model_formats()) {
    nb::dict made;
    made["name"] = text_of(format.name);
    made["doc"] = text_of(format.doc);
    made["is_read"] = format.read != nullptr;
    made["is_written"] = format.write != nullptr;
    list.append(made);
  }
  return list;
}

}  // namespace

void bind_models(nb::module_& core) {
  nb::class_<Ranker>(core, "Ranker", "A model or a black box.")
      .def_ro("name", &Ranker::name)
      .def_ro("format", &Ranker::format)
      .def_prop_ro("is_model", [](const Ranker& r) { return r.model() != nullptr; })
      .def_prop_ro("kind",
                   [](const Ranker& r) {
                     return std::string(r.model() == nullptr ? "black box" : kind_of(*r.model()));
                   })
      .def_prop_ro("parts",
                   [](const Ranker& r) {
                     return std::string(r.model() == nullptr ? "" : parts_of(*r.model()));
                   })
      .def_prop_ro(
          "num_parts",
          [](const Ranker& r) { return r.model() == nullptr ? 0 : num_parts_of(*r.model()); })
      .def_prop_ro("num_features", [](const Ranker& r) { return r.scorer().num_features(); })
      .def_prop_ro("feature_names", &feature_names)
      .def_prop_ro("has_names",
                   [](const Ranker& r) {
                     return r.model() != nullptr && !feature_names_of(*r.model()).empty();
                   })
      .def_prop_ro("used_features",
                   [](const Ranker& r) { return array_of(r.scorer().used_features()); })
      .def_prop_ro("provenance", &provenance)
      .def("features", &features)
      .def("predict", &predict)
      .def("to_bytes", &to_bytes)
      .def("save",
           [](const Ranker& r, const Call& call, const std::string& path,
              const std::string& format) {
             const Model& model = r.require_model("saving");
             call.run([&](const Context& context) { save_model(path, model, format, context); });
           })
      .def("edit", &edit, nb::arg("call"), nb::arg("edits"), nb::arg("data").none())
      .def("verify", &verify_ranker)
      .def("categories", &categories_of_model)
      .def("effects", &effects)
      .def("check_parity", &check_parity);
  core.def("load", &load);
  core.def("load_bytes", &load_bytes);
  core.def("black_box", &black_box);
  core.def("model_formats", &formats);
  core.def("cells_of", &cells_of);
  core.def("category_texts", &category_texts);
}

}  // namespace glassrank::python
