#pragma once
// A non-owning reference to a callable: two words, no allocation. For parameters only: it must not
// outlive the callable it was made from.

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace glassrank {

template <typename Signature>
class FunctionRef;

template <typename R, typename... Args>
class FunctionRef<R(Args...)> {
 public:
  template <typename F>
    requires(!std::same_as<std::remove_cvref_t<F>, FunctionRef> && std::invocable<F&, Args...>)
  // NOLINTNEXTLINE(google-explicit-constructor): lambdas convert at the call site.
  FunctionRef(F&& callable)
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Args... args) -> R {
          return std::invoke(*static_cast<std::remove_reference_t<F>*>(object),
                             std::forward<Args>(args)...);
        }) {}

  R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*call_)(void*, Args...);
};

}  // namespace glassrank
