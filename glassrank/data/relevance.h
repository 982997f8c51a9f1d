#pragma once
// Which grades count as relevant: the one comparison of a grade with a limit that a user gave.
//
// Grades are float32, limits come as double: 0.1 in a file is 0.100000001..., above the double 0.1.
// Both mean the same number to the one who wrote them, so the limit is rounded as the grade was.

namespace glassrank {

// Above the last grade that is not relevant.
inline bool is_relevant(float grade, double negative_grade) {
  return grade > static_cast<float>(negative_grade);
}

// From the first grade that is relevant on.
inline bool is_relevant_from(float grade, double relevant_grade) {
  return grade >= static_cast<float>(relevant_grade);
}

}  // namespace glassrank
