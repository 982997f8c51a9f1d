#include "python/bindings/values.h"

#include <cstdint>
#include <nanobind/stl/string.h>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "glassrank/base/error.h"
#include "glassrank/base/json.h"

namespace glassrank::python {
namespace {

nb::object value_of(const ResultValue& value) {
  return std::visit(
      [](const auto& v) -> nb::object {
        using V = std::remove_cvref_t<decltype(v)>;
        if constexpr (std::is_same_v<V, std::string_view>) {
          return text_of(v);
        } else if constexpr (std::is_same_v<V, std::span<const std::string>>) {
          return texts_of(v);
        } else if constexpr (std::is_same_v<V, std::span<const NamedValue>>) {
          nb::dict named;
          for (const auto& [name, number] : v) named[text_of(name)] = number;
          return named;
        } else if constexpr (std::is_same_v<V, std::span<const NamedText>>) {
          nb::dict named;
          for (const auto& [name, text] : v) named[text_of(name)] = text_of(text);
          return named;
        } else if constexpr (std::is_same_v<V, const Json*>) {
          return nb::module_::import_("json").attr("loads")(text_of(v->dump()));
        } else if constexpr (requires { typename V::value_type; }) {
          using T = typename V::value_type;
          return array_of(std::vector<T>(v.begin(), v.end()));
        } else {
          return nb::cast(v);
        }
      },
      value);
}

// Builds objects within lists within objects, the innermost last on a stack. Objects within the
// result are glassrank.Result, so that they differ from values whose names are data.
class PythonVisitor final : public ResultVisitor {
 public:
  nb::dict root;

  PythonVisitor() : type_(nb::module_::import_("glassrank._results").attr("Result")) {
    objects_.push_back(root);
  }

 protected:
  void on_field(std::string_view key, const ResultValue& value, std::string_view) override {
    objects_.back()[text_of(key)] = value_of(value);
  }
  void on_absent(std::string_view key, const ResultValue&, std::string_view) override {
    objects_.back()[text_of(key)] = nb::none();
  }
  void begin_object(std::string_view key, std::string_view, bool) override {
    keys_.push_back(text_of(key));
    objects_.emplace_back();
  }
  void end_object() override {
    const nb::object made = type_(objects_.back());
    objects_.pop_back();
    objects_.back()[keys_.back()] = made;
    keys_.pop_back();
  }
  void begin_list(std::string_view key, std::string_view) override {
    nb::list list;
    objects_.back()[text_of(key)] = list;
    lists_.push_back(list);
  }
  void begin_item() override { objects_.emplace_back(); }
  void end_item() override {
    lists_.back().append(type_(objects_.back()));
    objects_.pop_back();
  }
  void end_list() override { lists_.pop_back(); }

 private:
  nb::object type_;
  std::vector<nb::dict> objects_;
  std::vector<nb::str> keys_;
  std::vector<nb::list> lists_;
};

std::string text_of_value(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) ? "true" : "false";
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::int_>(value)) return nb::cast<std::string>(nb::str(value));
  if (nb::isinstance<nb::float_>(value)) return fmt::format("{}", nb::cast<double>(value));
  // Numbers of numpy and others that are none of Python's own.
  if (PyIndex_Check(value.ptr()) != 0) {
    PyObject* whole = PyNumber_Index(value.ptr());
    if (whole == nullptr) throw nb::python_error();
    return nb::cast<std::string>(nb::str(nb::steal<nb::object>(whole)));
  }
  if (nb::hasattr(value, "__bool__") && nb::hasattr(value, "dtype") &&
      nb::cast<std::string>(nb::str(value.attr("dtype"))) == "bool") {
    return PyObject_IsTrue(value.ptr()) != 0 ? "true" : "false";
  }
  if (nb::hasattr(value, "__float__")) {
    return fmt::format("{}", nb::cast<double>(nb::float_(nb::borrow(value))));
  }
  fail(ErrorKind::kUsage, "{}: {} is neither a number nor a text", name,
       nb::cast<std::string>(nb::repr(value)));
}

}  // namespace

nb::str text_of(std::string_view text) {
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal<nb::str>(made);
}

nb::list texts_of(std::span<const std::string> texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(text_of(text));
  return list;
}

std::vector<std::string> strings_of(nb::handle sequence) {
  std::vector<std::string> texts;
  for (const nb::handle item : sequence) texts.push_back(nb::cast<std::string>(item));
  return texts;
}

std::vector<std::string> param_texts(const std::string& name, nb::handle value) {
  if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value)) {
    return {text_of_value(name, value)};
  }
  std::vector<std::string> texts;
  for (const nb::handle item : value) texts.push_back(text_of_value(name, item));
  return texts;
}

std::vector<std::string> given_in(const nb::dict& params) {
  std::vector<std::string> names;
  for (const auto& [key, value] : params) {
    if (!value.is_none()) names.push_back(nb::cast<std::string>(key));
  }
  return names;
}

nb::list params_of(std::span<const ParamInfo> infos) {
  nb::list params;
  for (const ParamInfo& info : infos) {
    nb::dict param;
    param["name"] = text_of(info.name);
    param["type"] = text_of(info.type);
    param["value"] = info.is_list ? nb::object(texts_of(info.items)) : text_of(info.value);
    param["doc"] = text_of(info.doc);
    param["choices"] = texts_of(info.choices);
    params.append(param);
  }
  return params;
}

nb::dict result_of(ResultVisit visit) {
  PythonVisitor visitor;
  visit(visitor);
  return visitor.root;
}

nb::dict table_of(const Table& table) {
  nb::dict columns;
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    nb::list values;
    for (const auto& row : table.rows()) {
      values.append(std::visit(
          [](const auto& cell) -> nb::object {
            using C = std::remove_cvref_t<decltype(cell)>;
            if constexpr (std::is_same_v<C, std::monostate>) {
              return nb::none();
            } else if constexpr (std::is_same_v<C, std::string>) {
              return text_of(cell);
            } else {
              return nb::cast(cell);
            }
          },
          row[c]));
    }
    columns[text_of(table.columns()[c].name)] = values;
  }
  return columns;
}

}  // namespace glassrank::python
