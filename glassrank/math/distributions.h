#pragma once
// Tail probabilities of the distributions behind the significance tests.

namespace glassrank {

// P(|T| >= |t|) for Student's t with `degrees` > 0 degrees of freedom.
double student_t_two_sided(double t, double degrees);
// P(T >= t).
double student_t_upper(double t, double degrees);
// t with P(T <= t) = p, 0 < p < 1.
double student_t_quantile(double p, double degrees);
// P(Z >= z) for the standard normal.
double normal_upper(double z);
// z with P(Z <= z) = p, 0 < p < 1.
double normal_quantile(double p);

}  // namespace glassrank
