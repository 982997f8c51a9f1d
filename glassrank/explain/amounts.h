#pragma once
// How the amounts of one explanation are written: so many decimals that the largest of them has
// three digits, all alike, so that they can be compared and added up by eye. Very small and very
// large ones are written as 1.50e-09.

#include <string>

namespace glassrank {

class Amounts {
 public:
  explicit Amounts(double largest);

  std::string plain(double amount) const;      // "1.80", "-0.02", "0.00"
  std::string with_sign(double amount) const;  // "+1.80", "-0.02", "0.00"
  // A score may be much smaller than the parts that make it up: as the parts, but not with fewer
  // than three digits of its own or two decimals.
  std::string whole(double amount) const;
  // Too small to show: written as 0.
  bool is_zero(double amount) const;

 private:
  int decimals_ = 2;
  bool is_scientific_ = false;
};

}  // namespace glassrank
