#pragma once
// The Shapley weights of one leaf, one row and one background row (Lundberg et al. 2020).
//
// The path to a leaf asks for d features. Of them a are passed by the row alone, n by the
// background row alone, the others by both; if a feature is passed by neither, no mixture of the
// two reaches the leaf. Mixed, the leaf is reached iff all a come from the row and all n from the
// background: a game whose values are
//
//   each of the a:   v (a - 1)! n! / (a + n)!            each of the n:  -v a! (n - 1)! / (a + n)!
//   a pair:          v s! t! / (s + t + 1)!  where s and t count the others of the a and of the n;
//                    negative if one is of the a and the other of the n

#include <cstddef>
#include <vector>

namespace glassrank {

class PathWeights {
 public:
  // For up to so many features on a path.
  explicit PathWeights(std::size_t max_features)
      : width_(max_features + 1), beta_((max_features + 1) * (max_features + 1)) {
    for (std::size_t a = 1; a < width_; ++a) {
      beta_[a * width_] = 1 / static_cast<double>(a);
      for (std::size_t n = 1; a + n < width_; ++n) {
        beta_[a * width_ + n] =
            beta_[a * width_ + n - 1] * static_cast<double>(n) / static_cast<double>(a + n);
      }
    }
  }

  // (a - 1)! n! / (a + n)!, a > 0: of one of the a. The n's is of_row(n, a), negative.
  double of_row(std::size_t a, std::size_t n) const { return beta_[a * width_ + n]; }
  double of_background(std::size_t a, std::size_t n) const { return of_row(n, a); }
  // s! t! / (s + t + 1)!
  double of_pair(std::size_t s, std::size_t t) const { return of_row(s + 1, t); }

 private:
  std::size_t width_;
  std::vector<double> beta_;
};

}  // namespace glassrank
