#pragma once
// A method by name with everything that goes around any method: bags, then cleaning.
//
// Whoever trains a method by name takes it from here, so that bags and cleaning are there for every
// method whose traits allow them. Cleaning is the outer one: documents are dropped once, and all
// bags are made of the rows that are left.

#include <memory>
#include <string_view>

#include "glassrank/methods/method.h"

namespace glassrank {

// Its parameters are the method's own, those of bags where the method has none itself, and the
// group `clean`. Throws Error{kUsage} for an unknown name.
std::unique_ptr<Method> make_pipeline(std::string_view method);

}  // namespace glassrank
