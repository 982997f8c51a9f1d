#pragma once
// exp, log and their kin with the same bits on every machine.
//
// The C library has several versions of these functions and takes the one with fused
// multiplications where the processor has them; their last bits differ. Whatever goes into a model
// uses these instead: sums, products and divisions of IEEE doubles in a fixed order, which no
// compiler may fuse (-ffp-contract=off). Errors are below 1 unit in the last place (log2: 2); the
// tests compare them with the C library. Cost: 5 to 15 ns.
//
//   exp(x)  x = (n + i / 32) ln 2 + r, 0 <= i < 32:  2^n 2^(i/32) e^r, a table and a short series
//   log(x)  x = 2^k m, s = (m - 1) / (m + 1):  k ln 2 + 2 (s + s^3 / 3 + s^5 / 5 + ...)

#include <span>

namespace glassrank {

double portable_exp(double x);
// Of each value, in place: the same bits, several at a time (1 to 3 ns each).
void portable_exp_all(std::span<double> values);
double portable_exp2(double x);  // exact for whole x
double portable_log(double x);
double portable_log2(double x);  // exact for powers of two
double portable_log1p(double x);
// cos(2 pi u), 0 <= u <= 1.
double portable_cos_turn(double u);

}  // namespace glassrank
