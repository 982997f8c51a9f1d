#pragma once
// Steps that may fail on one machine, agreed on by all.
//
// A file that cannot be read or a grade that an objective refuses is found on one machine; were it
// thrown there alone, the others would wait for it in their next sum for ever. agree() runs a local
// step and lets all machines know how it ended: if any failed, every machine throws the error of
// the lowest rank that did, with "(on machine R of N)" unless all failed alike. A program alone
// just runs the step.
// The step itself makes no collective calls. One small sum when nothing fails.

#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "glassrank/base/communicator.h"
#include "glassrank/base/context.h"
#include "glassrank/base/function_ref.h"

namespace glassrank {

// `work` makes its result in place.
void agree_on(const Communicator& communicator, FunctionRef<void()> work);

template <typename Work>
auto agree(const Communicator& communicator, Work&& work) {
  using Result = std::invoke_result_t<Work&>;
  if constexpr (std::is_void_v<Result>) {
    agree_on(communicator, work);
  } else {
    std::optional<Result> result;
    agree_on(communicator, [&] { result.emplace(work()); });
    return *std::move(result);
  }
}

template <typename Work>
auto agree(const Context& context, Work&& work) {
  return agree(*context.communicator, std::forward<Work>(work));
}

// Values of every machine, one after the other in the order of their ranks.
template <typename T>
std::vector<T> gather_values(const Communicator& communicator, std::span<const T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all;
  for (const Communicator::Bytes& part : communicator.gather(std::as_bytes(own))) {
    const std::size_t begin = all.size();
    all.resize(begin + part.size() / sizeof(T));
    if (!part.empty()) __builtin_memcpy(all.data() + begin, part.data(), part.size());
  }
  return all;
}

// Whether it is so on any machine.
bool any_machine(const Communicator& communicator, bool own);

}  // namespace glassrank
