#include "python/bindings/machines.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "glassrank/base/agree.h"
#include "glassrank/base/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/call.h"
#include "python/bindings/values.h"
#ifdef GLASSRANK_HAS_GLOO
#include "glassrank/gloo/gloo_communicator.h"
#endif

namespace glassrank::python {
namespace {

// Numbers of the engine as an array that Python may write to, for the length of one call.
template <typename T>
nb::object lent(T* values, std::size_t count) {
  return nb::cast(nb::ndarray<nb::numpy, T>(values, {count}, nb::handle()),
                  nb::rv_policy::reference);
}

nb::bytes bytes_of(std::span<const std::byte> bytes) {
  return nb::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

Communicator::Bytes bytes_from(const nb::handle& given) {
  const nb::bytes bytes = nb::cast<nb::bytes>(given);
  const auto* begin = static_cast<const std::byte*>(bytes.data());
  return {begin, begin + bytes.size()};
}

// Calls Python with the interpreter's lock; what is raised is an error of the engine.
template <typename Use>
auto ask(Use&& use) {
  const nb::gil_scoped_acquire held;
  try {
    return use();
  } catch (const nb::python_error& error) {
    const nb::str type(error.type().attr("__name__"));
    const nb::str text(error.value());
    throw Error(ErrorKind::kIo,
                fmt::format("a call between machines failed: {}: {}", type.c_str(), text.c_str()));
  }
}

class PythonCommunicator final : public Communicator {
 public:
  explicit PythonCommunicator(nb::object calls)
      : size_(nb::cast<int>(calls.attr("size"))),
        rank_(nb::cast<int>(calls.attr("rank"))),
        kept_(keep_alive(calls)),
        calls_(calls) {}

  int size() const override { return size_; }
  int rank() const override { return rank_; }

  using Communicator::sum;
  void sum(std::span<std::int32_t> values) const override { change("sum", values); }
  void sum(std::span<std::int64_t> values) const override { change("sum", values); }
  void max(std::span<double> values) const override { change("max", values); }

  std::vector<Bytes> gather(std::span<const std::byte> own) const override {
    return ask([&] {
      std::vector<Bytes> all;
      for (const nb::handle part : nb::list(calls_.attr("gather")(bytes_of(own)))) {
        all.push_back(bytes_from(part));
      }
      if (all.size() == static_cast<std::size_t>(size_)) return all;
      fail(ErrorKind::kUsage, "gather gave {} parts; there are {} machines", all.size(), size_);
    });
  }
  void broadcast(Bytes& bytes, int root) const override {
    bytes = ask([&] { return bytes_from(calls_.attr("broadcast")(bytes_of(bytes), root)); });
  }
  void sum_scatter(std::span<const std::int32_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int32_t> own) const override {
    scatter(values, block_sizes, own);
  }
  void sum_scatter(std::span<const std::int64_t> values, std::span<const std::size_t> block_sizes,
                   std::span<std::int64_t> own) const override {
    scatter(values, block_sizes, own);
  }

 private:
  template <typename T>
  void change(const char* call, std::span<T> values) const {
    if (values.empty()) return;
    ask([&] { calls_.attr(call)(lent(values.data(), values.size())); });
  }
  template <typename T>
  void scatter(std::span<const T> values, std::span<const std::size_t> block_sizes,
               std::span<T> own) const {
    std::vector<T> sent(values.begin(), values.end());
    ask([&] {
      nb::list sizes;
      for (const std::size_t size : block_sizes) sizes.append(size);
      calls_.attr("sum_scatter")(lent(sent.data(), sent.size()), sizes,
                                 lent(own.data(), own.size()));
    });
  }

  int size_;
  int rank_;
  std::shared_ptr<const void> kept_;
  nb::handle calls_;
};

#ifdef GLASSRANK_HAS_GLOO
Machines connect(int rank, int size, const std::string& host, nb::object exchange, double seconds) {
  std::optional<nb::python_error> raised;
  const GlooSetup setup{
      .rank = rank,
      .size = size,
      .host = host,
      .exchange =
          [&](const std::string& own) {
            const nb::gil_scoped_acquire held;
            try {
              std::vector<std::string> all;
              for (const nb::handle part : nb::list(exchange(nb::bytes(own.data(), own.size())))) {
                const nb::bytes bytes = nb::cast<nb::bytes>(part);
                all.emplace_back(bytes.c_str(), bytes.size());
              }
              return all;
            } catch (nb::python_error& error) {
              raised.emplace(std::move(error));
              throw Error(ErrorKind::kIo, "the exchange of addresses failed");
            }
          },
      .timeout = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000))};
  try {
    const nb::gil_scoped_release released;
    return {connect_with_gloo(setup)};
  } catch (const Error&) {
    if (raised) throw nb::python_error(std::move(*raised));
    throw;
  }
}
#endif

}  // namespace

Machines machines_of(nb::object calls) {
  if (nb::cast<int>(calls.attr("size")) == 1) return {Communicator::alone()};
  return {std::make_shared<const PythonCommunicator>(std::move(calls))};
}

void bind_machines(nb::module_& core) {
  nb::class_<Machines>(core, "Machines", "Machines that train together.")
      .def_prop_ro("rank", [](const Machines& machines) { return machines.communicator->rank(); })
      .def_prop_ro("size", [](const Machines& machines) { return machines.communicator->size(); })
      .def(
          "agree",
          [](const Machines& machines, const std::string& failure) {
            const nb::gil_scoped_release released;
            agree(*machines.communicator, [&] {
              if (!failure.empty()) throw Error(ErrorKind::kInput, failure);
            });
          },
          nb::arg("failure"), "Raises on every machine what any of them gives.");
  core.def("machines_of", &machines_of, nb::arg("calls"));
#ifdef GLASSRANK_HAS_GLOO
  core.attr("has_gloo") = true;
  core.def("connect", &connect, nb::arg("rank"), nb::arg("size"), nb::arg("host"),
           nb::arg("exchange"), nb::arg("seconds"));
#else
  core.attr("has_gloo") = false;
#endif
}

}  // namespace glassrank::python
