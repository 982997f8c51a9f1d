// Ranking data: reading, arrays in and out, some of the queries, writing.

#include "python/bindings/data.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/digest.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/split.h"
#include "glassrank/data/stats.h"
#include "glassrank/data/stats_report.h"
#include "glassrank/data/synth/bookshop.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

StringColumn column_of(const nb::list& texts) {
  StringColumnBuilder builder;
  for (const nb::handle text : texts) builder.add(nb::cast<std::string>(text));
  return builder.finish();
}

// Python has checked lengths, that grades are numbers and that rows of a query are together.
Data from_arrays(const Matrix& features, const ArrayIn<float>& grades,
                 std::vector<std::string> query_ids, const ArrayIn<std::uint64_t>& query_sizes,
                 std::vector<std::string> feature_names,
                 const std::optional<ArrayIn<float>>& weights, const nb::list& documents,
                 const std::optional<ArrayIn<std::uint32_t>>& source_rows,
                 const std::string& name) {
  RowTable table;
  table.schema = Schema::of_features(std::move(feature_names));
  table.grades.assign(grades.data(), grades.data() + grades.size());
  const auto sizes = span_of(query_sizes);
  table.queries =
      QueryGroups(std::move(query_ids), std::vector<std::size_t>(sizes.begin(), sizes.end()));
  table.document_ids = column_of(documents);
  if (weights) table.weights.assign(weights->data(), weights->data() + weights->size());
  if (source_rows) {
    table.source_rows.assign(source_rows->data(), source_rows->data() + source_rows->size());
  }
  Dataset::Values values;
  values.features = {features.data(), features.shape(0), features.shape(1)};
  // The array is let go by whichever thread needs it last.
  values.owner = std::shared_ptr<const Matrix>(new Matrix(features), [](const Matrix* kept) {
    if (!nb::is_alive()) return;
    const nb::gil_scoped_acquire held;
    delete kept;
  });
  return {Dataset(std::make_shared<const RowTable>(std::move(table)), std::move(values)), name,
          ReadParams{}};
}

// All reading parameters under plain names.
struct ReadOptions {
  ReadParams params;
  void visit(ParamVisitor& visitor) {
    params.visit_matching(visitor);
    params.visit(visitor);
  }
};

Data read(const Call& call, const std::string& path, const nb::dict& params) {
  ReadOptions options;
  set_params(options, params);
  Dataset rows =
      call.run([&](const Context& context) { return load_dataset(path, options.params, context); });
  return {std::move(rows), path, options.params};
}

nb::object features_of(nb::handle self) {
  const Data& data = nb::cast<const Data&>(self);
  const MatrixView<const float> values = data.rows.features();
  return nb::cast(nb::ndarray<nb::numpy, const float>(
      values.data(), {values.num_rows(), values.num_columns()}, self));
}

Data select(const Data& data, const std::vector<std::size_t>& queries) {
  bool is_slice = !queries.empty();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i] >= data.rows.num_queries()) {
      fail(ErrorKind::kUsage, "query number {} of {}; they are counted from 0", queries[i],
           data.rows.num_queries());
    }
    if (i > 0 && queries[i] <= queries[i - 1]) {
      fail(ErrorKind::kUsage, "queries must be chosen in the order of the data, each once");
    }
    is_slice = is_slice && queries[i] == queries.front() + i;
  }
  Dataset rows = is_slice ? slice_queries(data.rows, queries.front(), queries.back() + 1)
                          : select_queries(data.rows, queries).materialise();
  return {std::move(rows), data.name, data.read};
}

nb::list document_names(const Data& data) {
  nb::list names;
  for (std::size_t r = 0; r < data.rows.num_rows(); ++r) {
    names.append(text_of(data.rows.document_name(r)));
  }
  return names;
}

nb::dict stats(const Call& call, const Data& data) {
  return result_of(call.run([&](const Context& context) {
    return stats_report(data_stats(data.rows, {}, context), data.rows, true);
  }));
}

nb::dict bookshop(const nb::dict& params, std::uint64_t seed) {
  BookshopParams options;
  set_params(options, params);
  Bookshop shop = [&] {
    const nb::gil_scoped_release released;
    return make_bookshop(options, seed);
  }();
  nb::dict parts;
  parts["train"] = Data(std::move(shop.train), "bookshop train", {});
  parts["valid"] = Data(std::move(shop.valid), "bookshop valid", {});
  parts["test"] = Data(std::move(shop.test), "bookshop test", {});
  return parts;
}

}  // namespace

void bind_data(nb::module_& core) {
  nb::class_<Data>(core, "Data", "Rows of queries; glassrank.Dataset is the user's view.")
      .def_ro("name", &Data::name)
      .def_prop_ro("num_rows", [](const Data& d) { return d.rows.num_rows(); })
      .def_prop_ro("num_features", [](const Data& d) { return d.rows.num_features(); })
      .def_prop_ro("num_queries", [](const Data& d) { return d.rows.num_queries(); })
      .def_prop_ro("feature_names", [](const Data& d) { return texts_of(d.rows.feature_names()); })
      .def_prop_ro("query_ids", [](const Data& d) { return texts_of(d.rows.queries().ids()); })
      .def_prop_ro("has_document_ids", [](const Data& d) { return !d.rows.document_ids().empty(); })
      .def_prop_ro("is_regrouped", [](const Data& d) { return !d.rows.source_rows().empty(); })
      .def_prop_ro("features", &features_of)
      .def_prop_ro("grades",
                   [](nb::handle self) {
                     return array_view(nb::cast<const Data&>(self).rows.grades(), self);
                   })
      .def_prop_ro("weights",
                   [](nb::handle self) -> nb::object {
                     const Data& data = nb::cast<const Data&>(self);
                     if (data.rows.weights().empty()) return nb::none();
                     return array_view(data.rows.weights(), self);
                   })
      .def_prop_ro("offsets",
                   [](const Data& d) {
                     const auto offsets = d.rows.queries().offsets();
                     return array_of(std::vector<std::int64_t>(offsets.begin(), offsets.end()));
                   })
      .def_prop_ro("source_rows",
                   [](nb::handle self) {
                     return array_view(nb::cast<const Data&>(self).rows.source_rows(), self);
                   })
      .def("document_names", &document_names)
      .def("select", &select)
      .def("to_file_order",
           [](const Data& d, const ArrayIn<double>& values) {
             return array_of(d.rows.to_file_order(span_of(values)));
           })
      .def("stats", [](const Data& d, const Call& call) { return stats(call, d); })
      .def("digest",
           [](const Data& d, const Call& call) {
             return call.run(
                 [&](const Context& context) { return dataset_digest(d.rows, context); });
           })
      .def("write_text",
           [](const Data& d, const Call& call, const std::string& path, bool sparse) {
             call.run([&](const Context& context) {
               write_svmlight(path, DatasetView(d.rows), {.sparse = sparse}, context);
             });
           })
      .def("write_cache", [](const Data& d, const Call& call, const std::string& path) {
        call.run([&](const Context& context) { write_cache(path, d.rows, context); });
      });
  core.def("data_from_arrays", &from_arrays, nb::arg("features"), nb::arg("grades"),
           nb::arg("query_ids"), nb::arg("query_sizes"), nb::arg("feature_names"),
           nb::arg("weights").none(), nb::arg("documents"), nb::arg("source_rows").none(),
           nb::arg("name"));
  core.def("read", &read);
  core.def("bookshop", &bookshop);
  core.def("split_queries",
           [](std::size_t num_queries, const std::vector<double>& fractions, std::uint64_t seed) {
             return split_queries(num_queries, fractions, seed);
           });
}

}  // namespace glassrank::python
