#pragma once
// Values on their way between Python and the engine: text, parameters, results, arrays.

#include <cstddef>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glassrank/base/params.h"
#include "glassrank/base/result.h"
#include "glassrank/base/table.h"

namespace nb = nanobind;

namespace glassrank::python {

// Bytes that are not UTF-8 become U+FFFD.
nb::str text_of(std::string_view text);
nb::list texts_of(std::span<const std::string> texts);
// Of any sequence of str.
std::vector<std::string> strings_of(nb::handle sequence);

// A value as a config file would have it: a list has several texts, everything else one.
std::vector<std::string> param_texts(const std::string& name, nb::handle value);

// Sets every parameter that the dict names; None leaves it as it is. Throws as set_param does.
template <Parameters P>
void set_params(P& params, const nb::dict& values) {
  for (const auto& [key, value] : values) {
    if (value.is_none()) continue;
    const std::string name = nb::cast<std::string>(key);
    ParamSetter setter(name, param_texts(name, value));
    params.visit(setter);
    if (setter.found()) continue;
    ParamLister lister;
    params.visit(lister);
    fail_unknown_param(name, lister.infos);
  }
}

// The names of those that are not None.
std::vector<std::string> given_in(const nb::dict& params);

// [{name, type, default, doc, section, choices, ...}]
nb::list params_of(std::span<const ParamInfo> infos);

// Keys in order; lists of numbers are arrays, absent values None.
nb::dict result_of(ResultVisit visit);
template <Result R>
nb::dict result_of(const R& result) {
  return result_of([&](ResultVisitor& visitor) { result.visit(visitor); });
}
// {column: [value, ...]}
nb::dict table_of(const Table& table);

// A new array that owns its values.
template <typename T>
nb::object array_of(std::vector<T> values) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const std::size_t size = kept->size();
  const nb::capsule owner(kept.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {size}, owner));
}
template <typename T>
nb::object matrix_of(std::vector<T> values, std::size_t num_rows, std::size_t num_columns) {
  auto kept = std::make_unique<std::vector<T>>(std::move(values));
  T* data = kept->data();
  const nb::capsule owner(kept.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, {num_rows, num_columns}, owner));
}
// Over values that `owner` keeps alive; not to be written to.
template <typename T>
nb::object array_view(std::span<const T> values, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, owner));
}

template <typename T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> span_of(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

}  // namespace glassrank::python
