// Tables of Arrow: columns of numbers, read where they lie, columns of ids as text or numbers.

#include "python/bindings/arrow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <string_view>
#include <vector>

#include "glassrank/base/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/columns.h"
#include "python/bindings/values.h"

namespace glassrank::python {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

template <typename T>
struct Release {
  void operator()(T* held) const {
    if (held->release != nullptr) held->release(held);
    delete held;
  }
};
template <typename T>
using Held = std::unique_ptr<T, Release<T>>;
template <typename T>
Held<T> make_held() {
  return Held<T>(new T{});
}

bool is_valid(const ArrowArray& array, std::int64_t i) {
  if (array.null_count == 0 || array.n_buffers == 0 || array.buffers[0] == nullptr) return true;
  const std::int64_t bit = i + array.offset;
  return (static_cast<const std::uint8_t*>(array.buffers[0])[bit / 8] >> (bit % 8) & 1) != 0;
}

template <typename T>
const T* values_of(const ArrowArray& array) {
  return static_cast<const T*>(array.buffers[1]) + array.offset;
}

// put(i, value) for every value of a column of numbers, NaN where there is none.
template <typename T, typename Put>
void each_number(const ArrowArray& array, Put&& put) {
  const T* values = values_of<T>(array);
  for (std::int64_t i = 0; i < array.length; ++i) {
    put(i, is_valid(array, i) ? static_cast<double>(values[i]) : static_cast<double>(kMissing));
  }
}

template <typename Put>
void each_number(const ArrowArray& array, char format, Put&& put) {
  switch (format) {
    case 'c':
      return each_number<std::int8_t>(array, put);
    case 'C':
      return each_number<std::uint8_t>(array, put);
    case 's':
      return each_number<std::int16_t>(array, put);
    case 'S':
      return each_number<std::uint16_t>(array, put);
    case 'i':
      return each_number<std::int32_t>(array, put);
    case 'I':
      return each_number<std::uint32_t>(array, put);
    case 'l':
      return each_number<std::int64_t>(array, put);
    case 'L':
      return each_number<std::uint64_t>(array, put);
    case 'f':
      return each_number<float>(array, put);
    case 'g':
      return each_number<double>(array, put);
    default:
      break;
  }
  const auto* bits = static_cast<const std::uint8_t*>(array.buffers[1]);  // bool
  for (std::int64_t i = 0; i < array.length; ++i) {
    const std::int64_t bit = i + array.offset;
    const bool is_set = (bits[bit / 8] >> (bit % 8) & 1) != 0;
    put(i, is_valid(array, i) ? (is_set ? 1.0 : 0.0) : static_cast<double>(kMissing));
  }
}

template <typename Offset>
std::string_view text_at(const ArrowArray& array, std::int64_t i) {
  const Offset* offsets = values_of<Offset>(array);
  const char* bytes = static_cast<const char*>(array.buffers[2]);
  return {bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
}

// Views: 16 bytes each, the text itself where it is short, else buffer and place.
std::string_view view_at(const ArrowArray& array, std::int64_t i) {
  const char* view = static_cast<const char*>(array.buffers[1]) + 16 * (i + array.offset);
  std::int32_t parts[4];
  std::memcpy(parts, view, sizeof parts);
  const auto length = static_cast<std::size_t>(parts[0]);
  if (length <= 12) return {view + 4, length};
  const char* bytes = static_cast<const char*>(array.buffers[2 + parts[2]]);
  return {bytes + parts[3], length};
}

class ArrowTable {
 public:
  explicit ArrowTable(const nb::capsule& capsule) : schema_(make_held<ArrowSchema>()) {
    if (std::string_view(capsule.name()) != "arrow_array_stream") {
      fail(ErrorKind::kUsage, "not a stream of Arrow");
    }
    auto* stream = static_cast<ArrowArrayStream*>(capsule.data());
    check(stream, stream->get_schema(stream, schema_.get()));
    if (std::string_view(schema_->format) != "+s") {
      fail(ErrorKind::kInput, "Arrow data must be a table of columns");
    }
    while (true) {
      Held<ArrowArray> batch = make_held<ArrowArray>();
      check(stream, stream->get_next(stream, batch.get()));
      if (batch->release == nullptr) break;
      num_rows_ += static_cast<std::size_t>(batch->length);
      batches_.push_back(std::move(batch));
    }
  }

  std::size_t num_rows() const { return num_rows_; }
  nb::list names() const {
    nb::list list;
    for (std::int64_t c = 0; c < schema_->n_children; ++c) {
      list.append(text_of(schema_->children[c]->name));
    }
    return list;
  }
  // "number", "text", "dictionary", or the format as Arrow writes it.
  std::string kind(std::size_t column) const {
    const ArrowSchema& schema = *schema_->children[column];
    const std::string_view format = schema.format;
    if (schema.dictionary != nullptr) return "dictionary";
    if (is_number(format)) return "number";
    if (is_text(format)) return "text";
    return "values of Arrow's type " + std::string(format);
  }

  // Float32 values of some rows of a column of numbers, `stride` places apart.
  void read(std::size_t column, std::size_t first_row, std::size_t num_rows, float* out,
            std::size_t stride) const {
    const char format = schema_->children[column]->format[0];
    std::size_t begin = 0;  // row of the batch's first
    for (const auto& batch : batches_) {
      const ArrowArray& array = *batch->children[column];
      const std::size_t end = begin + static_cast<std::size_t>(array.length);
      const std::size_t from = std::max(begin, first_row);
      const std::size_t to = std::min(end, first_row + num_rows);
      if (from < to) {
        ArrowArray part = array;
        part.offset += static_cast<std::int64_t>(from - begin);
        part.length = static_cast<std::int64_t>(to - from);
        float* place = out + (from - first_row) * stride;
        each_number(part, format, [&](std::int64_t i, double value) {
          place[static_cast<std::size_t>(i) * stride] = static_cast<float>(value);
        });
      }
      begin = end;
    }
  }

  // One column as a list: numbers, or texts; None where there is no value.
  nb::object column(std::size_t number) const {
    nb::list list;
    for (const auto& batch : batches_) {
      append(list, *schema_->children[number], *batch->children[number]);
    }
    return list;
  }

 private:
  static bool is_number(std::string_view format) {
    return format.size() == 1 && std::string_view("cCsSiIlLfgb").find(format[0]) < 11;
  }
  static bool is_text(std::string_view format) {
    return format == "u" || format == "U" || format == "vu";
  }
  static void check(ArrowArrayStream* stream, int code) {
    if (code == 0) return;
    const char* message = stream->get_last_error(stream);
    fail(ErrorKind::kInput, "Arrow data cannot be read: {}",
         message == nullptr ? std::strerror(code) : message);
  }
  static void append(nb::list& list, const ArrowSchema& schema, const ArrowArray& array) {
    const std::string_view format = schema.format;
    if (schema.dictionary != nullptr) {
      nb::list words;
      append(words, *schema.dictionary, *array.dictionary);
      each_number(array, format[0], [&](std::int64_t, double code) {
        list.append(std::isnan(code) ? nb::none()
                                     : nb::object(words[static_cast<std::size_t>(code)]));
      });
    } else if (is_number(format)) {
      const bool is_whole = format != "f" && format != "g" && format != "b";
      for (std::int64_t i = 0; i < array.length; ++i) {
        if (!is_valid(array, i)) {
          list.append(nb::none());
        } else if (format == "l") {  // not through double: ids may be large
          list.append(values_of<std::int64_t>(array)[i]);
        } else if (format == "L") {
          list.append(values_of<std::uint64_t>(array)[i]);
        } else {
          ArrowArray one = array;
          one.offset += i;
          one.length = 1;
          each_number(one, format[0], [&](std::int64_t, double value) {
            is_whole ? list.append(static_cast<std::int64_t>(value)) : list.append(value);
          });
        }
      }
    } else if (is_text(format)) {
      for (std::int64_t i = 0; i < array.length; ++i) {
        if (!is_valid(array, i)) {
          list.append(nb::none());
        } else {
          list.append(text_of(format == "u"   ? text_at<std::int32_t>(array, i)
                              : format == "U" ? text_at<std::int64_t>(array, i)
                                              : view_at(array, i)));
        }
      }
    } else {
      fail(ErrorKind::kInput,
           "column '{}' holds values of Arrow's type {}; numbers or text are "
           "needed",
           schema.name, format);
    }
  }

  Held<ArrowSchema> schema_;
  std::vector<Held<ArrowArray>> batches_;
  std::size_t num_rows_ = 0;
};

}  // namespace

void bind_arrow(nb::module_& core) {
  nb::class_<ArrowTable>(core, "ArrowTable", "A table that came through Arrow's PyCapsule.")
      .def(nb::init<const nb::capsule&>())
      .def_prop_ro("num_rows", &ArrowTable::num_rows)
      .def_prop_ro("names", &ArrowTable::names)
      .def("kind", &ArrowTable::kind)
      .def("add_to",
           [](nb::object self, Columns& columns, std::size_t column) {
             const auto& table = nb::cast<const ArrowTable&>(self);
             columns.add_reader(
                 [kept = keep_alive(self), &table, column](
                     std::size_t first_row, std::size_t num_rows, float* out, std::size_t stride) {
                   table.read(column, first_row, num_rows, out, stride);
                 });
           })
      .def("column", &ArrowTable::column);
}

}  // namespace glassrank::python
