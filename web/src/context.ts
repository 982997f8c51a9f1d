// What a view gets to draw itself.
import { Bundle, Model, Store } from "./bundle";
import { h } from "./dom";

export interface Setting { bundle: Bundle; store: Store; params: URLSearchParams; model: number }
export const modelOf = (setting: Setting): Model => setting.bundle.models[setting.model];

// Grades on one scale from light to dark; always with the number.
export function gradeLevel(bundle: Bundle, grade: number): number {
  const grades = (bundle.data?.stats.grades ?? []).map((g) => g.grade);
  const place = grades.findIndex((g) => g >= grade);
  const top = Math.max(1, grades.length - 1);
  return Math.round((4 * (place < 0 ? top : place)) / top);
}
export function gradeChip(bundle: Bundle, grade: number): HTMLElement {
  const level = gradeLevel(bundle, grade);
  return h("span", { class: "grade", style: `background: var(--g${level}); color: var(--g-ink${level})` }, String(Number(grade.toFixed(2))));
}
export const gradeColour = (bundle: Bundle, grade: number): string => `var(--g${gradeLevel(bundle, grade)})`;
