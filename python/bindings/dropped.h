#pragma once
// What a cleaner dropped, as a table: query, document, row, grade and evidence of each.

#include <nanobind/nanobind.h>

#include "glassrank/data/row_table.h"
#include "glassrank/methods/cleaners/cleaner.h"

namespace nb = nanobind;

namespace glassrank::python {

nb::dict dropped_rows(const RowTable& table, const Cleaning& cleaning);

}  // namespace glassrank::python
