#include "glassrank/math/distributions.h"

#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace glassrank {

double student_t_upper(double t, double degrees) {
  if (std::isinf(t)) return t > 0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), t));
}

double student_t_two_sided(double t, double degrees) {
  return 2.0 * student_t_upper(std::abs(t), degrees);
}

double student_t_quantile(double p, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

double normal_upper(double z) {
  if (std::isinf(z)) return z > 0 ? 0.0 : 1.0;
  return boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

}  // namespace glassrank
