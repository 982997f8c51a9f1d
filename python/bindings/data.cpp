// Ranking data: reading, arrays in and out, some of the queries, writing.

#include "python/bindings/data.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <vector>

#include "glassrank/base/error.h"
#include "glassrank/data/document_name.h"
#include "glassrank/data/io/cache/cache.h"
#include "glassrank/data/io/categories.h"
#include "glassrank/data/io/csv/csv_roles.h"
#include "glassrank/data/split.h"
#include "glassrank/data/stats.h"
#include "glassrank/data/stats_report.h"
#include "glassrank/data/synth/bookshop.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/columns.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

using Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Over an array that is let go by whichever thread needs it last.
std::shared_ptr<const LateValues> values_over(std::shared_ptr<const RowTable> table,
                                              const nb::object& features) {
  if (nb::isinstance<Columns>(features)) {
    return std::make_shared<const LateValues>(
        ColumnSource(std::move(table), nb::cast<const Columns&>(features).readers()));
  }
  const Matrix matrix = nb::cast<Matrix>(features);
  Dataset::Values values;
  values.features = {matrix.data(), matrix.shape(0), matrix.shape(1)};
  values.owner = keep_array(matrix);
  return std::make_shared<const LateValues>(Dataset(std::move(table), std::move(values)));
}

StringColumn column_of(const nb::list& texts) {
  StringColumnBuilder builder;
  for (const nb::handle text : texts) builder.add(nb::cast<std::string>(text));
  return builder.finish();
}

// Queries without ids are numbered. Python has checked lengths, that grades are numbers and that
// rows of a query are together.
Data from_arrays(const nb::object& features, const ArrayIn<float>& grades,
                 std::vector<std::string> query_ids, const ArrayIn<std::uint64_t>& query_sizes,
                 std::vector<std::string> feature_names,
                 const std::vector<std::pair<std::size_t, std::vector<std::string>>>& categories,
                 const std::optional<ArrayIn<float>>& weights, const nb::list& documents,
                 const std::optional<ArrayIn<std::uint32_t>>& source_rows,
                 const std::string& name) {
  RowTable table;
  table.schema = Schema::of_features(std::move(feature_names));
  for (const auto& [feature, names] : categories) table.schema.set_category(feature, names);
  table.grades.assign(grades.data(), grades.data() + grades.size());
  const auto sizes = span_of(query_sizes);
  const bool has_query_ids = query_ids.size() == sizes.size();
  for (std::size_t q = 0; !has_query_ids && q < sizes.size(); ++q) {
    query_ids.push_back(std::to_string(q + 1));
  }
  table.queries =
      QueryGroups(std::move(query_ids), std::vector<std::size_t>(sizes.begin(), sizes.end()));
  table.document_ids = column_of(documents);
  if (weights) table.weights.assign(weights->data(), weights->data() + weights->size());
  if (source_rows) {
    table.source_rows.assign(source_rows->data(), source_rows->data() + source_rows->size());
  }
  Data data(values_over(std::make_shared<const RowTable>(std::move(table)), features), name, {});
  data.has_query_ids = has_query_ids;
  return data;
}

// All reading parameters under plain names.
struct ReadOptions {
  ReadParams params;
  void visit(ParamVisitor& visitor) {
    params.visit_matching(visitor);
    params.visit(visitor);
  }
};

Data read(const Call& call, const std::string& path, const nb::dict& params, bool needs_grades) {
  ReadOptions options;
  set_params(options, params);
  options.params.may_lack_grades = !needs_grades;
  refuse_unused(options.params, "", given_in(params), {{path}});
  Dataset rows =
      call.run([&](const Context& context) { return load_dataset(path, options.params, context); });
  return {std::move(rows), path, options.params};
}

// The part of every column of a table that is no file of ours, and what is to be told of it.
nb::tuple table_parts(const std::string& file, const nb::list& names, const nb::dict& params,
                      bool needs_grades) {
  ReadOptions options;
  set_params(options, params);
  options.params.may_lack_grades = !needs_grades;
  const TableRoles found = table_roles(file, strings_of(names), options.params);
  constexpr const char* kNames[] = {"feature", "grade", "query", "document", "weight", "ignored"};
  nb::list roles;
  for (const ColumnRole role : found.roles) roles.append(kNames[static_cast<int>(role)]);
  return nb::make_tuple(roles, text_of(found.notice));
}

nb::object features_of(nb::handle self) {
  const Data& data = nb::cast<const Data&>(self);
  const MatrixView<const float> values = data.rows().features();
  return nb::cast(nb::ndarray<nb::numpy, const float>(
      values.data(), {values.num_rows(), values.num_columns()}, self));
}

Data select(const Data& data, const std::vector<std::size_t>& queries) {
  const std::size_t num_queries = data.table().queries.num_queries();
  bool is_slice = !queries.empty();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i] >= num_queries) {
      fail(ErrorKind::kUsage, "query number {} of {}; they are counted from 0", queries[i],
           num_queries);
    }
    if (i > 0 && queries[i] <= queries[i - 1]) {
      fail(ErrorKind::kUsage, "queries must be chosen in the order of the data, each once");
    }
    is_slice = is_slice && queries[i] == queries.front() + i;
  }
  Data chosen =
      is_slice
          ? Data(data.values().slice(queries.front(), queries.back() + 1), data.name, data.read)
          : Data(select_queries(data.rows(), queries).materialise(), data.name, data.read);
  chosen.has_query_ids = data.has_query_ids;
  return chosen;
}

// The names behind the codes of every feature whose values are categories; [] where they are the
// codes themselves.
nb::dict categories_of(const Data& data) {
  nb::dict categories;
  const Schema& schema = data.table().schema;
  for (std::size_t f = 0; f < schema.num_features(); ++f) {
    if (!schema.is_category(f)) continue;
    categories[text_of(schema.feature_names()[f])] = texts_of(schema.feature(f).categories);
  }
  return categories;
}

nb::list document_names(const Data& data) {
  nb::list names;
  const RowTable& table = data.table();
  for (std::size_t r = 0; r < table.num_rows(); ++r) {
    names.append(text_of(document_name(table.document_ids, table.queries, r)));
  }
  return names;
}

nb::dict stats(const Call& call, const Data& data) {
  return result_of(call.run([&](const Context& context) {
    const Dataset& rows = data.rows(context);
    return stats_report(data_stats(rows, {}, context), rows, true);
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
      .def_prop_ro("num_rows", [](const Data& d) { return d.table().num_rows(); })
      .def_prop_ro("num_features", [](const Data& d) { return d.table().num_features(); })
      .def_prop_ro("num_queries", [](const Data& d) { return d.table().queries.num_queries(); })
      .def_prop_ro("feature_names",
                   [](const Data& d) { return texts_of(d.table().feature_names()); })
      .def_prop_ro("categories", &categories_of)
      .def_prop_ro("query_ids", [](const Data& d) { return texts_of(d.table().queries.ids()); })
      .def_prop_ro("has_document_ids",
                   [](const Data& d) { return !d.table().document_ids.empty(); })
      .def_prop_ro("is_regrouped", [](const Data& d) { return !d.table().source_rows.empty(); })
      .def_prop_ro("is_copied", [](const Data& d) { return d.values().source() == nullptr; })
      .def_prop_ro("features", &features_of)
      .def_prop_ro("grades",
                   [](nb::handle self) {
                     return array_view(
                         std::span<const float>(nb::cast<const Data&>(self).table().grades), self);
                   })
      .def_prop_ro("weights",
                   [](nb::handle self) -> nb::object {
                     const Data& data = nb::cast<const Data&>(self);
                     const std::span<const float> weights = data.table().weights;
                     return weights.empty() ? nb::none() : array_view(weights, self);
                   })
      .def_prop_ro("offsets",
                   [](const Data& d) {
                     const auto offsets = d.table().queries.offsets();
                     return array_of(std::vector<std::int64_t>(offsets.begin(), offsets.end()));
                   })
      .def_prop_ro("source_rows",
                   [](nb::handle self) {
                     return array_view(std::span<const std::uint32_t>(
                                           nb::cast<const Data&>(self).table().source_rows),
                                       self);
                   })
      .def("document_names", &document_names)
      .def("select", &select)
      .def("to_file_order",
           [](const Data& d, const ArrayIn<double>& values) {
             return array_of(to_file_order(d.table(), span_of(values)));
           })
      .def("stats", [](const Data& d, const Call& call) { return stats(call, d); })
      .def("digest",
           [](const Data& d, const Call& call) {
             return call.run([&](const Context& context) { return d.values().digest(context); });
           })
      .def("write_text",
           [](const Data& d, const Call& call, const std::string& path, bool sparse) {
             call.run([&](const Context& context) {
               write_svmlight(path, DatasetView(d.rows(context)), {.sparse = sparse}, context);
             });
           })
      .def("write_cache", [](const Data& d, const Call& call, const std::string& path) {
        call.run([&](const Context& context) { write_cache(path, d.rows(context), context); });
      });
  core.def("data_from_arrays", &from_arrays, nb::arg("features"), nb::arg("grades"),
           nb::arg("query_ids"), nb::arg("query_sizes"), nb::arg("feature_names"),
           nb::arg("categories"), nb::arg("weights").none(), nb::arg("documents"),
           nb::arg("source_rows").none(), nb::arg("name"));
  core.def("code_categories",
           [](const std::vector<std::string>& texts, const std::vector<std::uint64_t>& counts) {
             const CodedCategories coded = code_categories(texts, counts);
             return nb::make_tuple(array_of(coded.codes), texts_of(coded.names));
           });
  core.def("read", &read);
  core.def("table_parts", &table_parts);
  core.def("bookshop", &bookshop);
  core.def("split_queries",
           [](std::size_t num_queries, const std::vector<double>& fractions, std::uint64_t seed) {
             return split_queries(num_queries, fractions, seed);
           });
}

}  // namespace glassrank::python
