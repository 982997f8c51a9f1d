#pragma once
// What the rows of one cell of a table add up to: gradients, hessians and how many they are. Of
// ebm's steps (ebm/step.h) and of FAST's grids (fast_pairs.h).

namespace glassrank {

struct CellSum {
  double gradient = 0;
  double hessian = 0;
  double rows = 0;

  CellSum& operator+=(const CellSum& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    rows += other.rows;
    return *this;
  }
  friend CellSum operator+(CellSum a, const CellSum& b) { return a += b; }
  friend CellSum operator-(const CellSum& a, const CellSum& b) {
    return {a.gradient - b.gradient, a.hessian - b.hessian, a.rows - b.rows};
  }
};

}  // namespace glassrank
