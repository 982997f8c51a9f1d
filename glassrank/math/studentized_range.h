#pragma once
// The studentized range: the distribution behind Tukey's honestly significant difference.
//
//   Q = (largest - smallest of k standard normals) / S,   S^2 ~ chi^2_v / v independent of them
//   P(Q >= q) = integral over s of f_v(s) R(q s),   R(w) = P(range of k normals >= w)
//   R(w) = k integral phi(z) [ Phi(z)^(k-1) - (Phi(z) - Phi(z - w))^(k-1) ] dz
//
// Both integrals are taken by the trapezoidal rule, which converges exponentially for these
// integrands: they are analytic and, with s = e^t, fall off at least exponentially at both ends.
// Differences of near-equal powers go through expm1 and log1p, so small tails keep their relative
// accuracy (about 1e-10) instead of being lost in 1 - P(Q < q).
// Cost: about 10^4 to 10^5 error functions for a tail, some ten tails for a quantile.

namespace glassrank {

// P(Q >= q) for `groups` >= 2 means and `degrees` >= 1 degrees of freedom of the variance.
double studentized_range_upper(double q, int groups, double degrees);
// q with P(Q >= q) = p, 0 < p < 1.
double studentized_range_upper_quantile(double p, int groups, double degrees);

}  // namespace glassrank
