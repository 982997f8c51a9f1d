#pragma once
// Gauss-Legendre quadrature on 0 .. 1: the sum of w[i] * f(x[i]) is the integral of f from 0 to 1,
// exactly for every polynomial of degree below 2 n.
//
// Nodes are the zeros of the Legendre polynomial P_n, found by Newton's method from
// cos(pi (i + 3/4) / (n + 1/2)); weights are 2 / ((1 - t^2) P_n'(t)^2); both are then moved from
// -1 .. 1 to 0 .. 1. Worked out in long double, so that they are right to the last bits. O(n^2).

#include <cstddef>
#include <vector>

namespace glassrank {

struct Quadrature {
  std::vector<double> nodes;  // ascending, inside 0 .. 1
  std::vector<double> weights;
};

Quadrature gauss_legendre(std::size_t num_nodes);

}  // namespace glassrank
