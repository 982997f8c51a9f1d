// What is shown, in the address: #rankings?q=12&d=3,7. Every view can be linked to.

export const kViews = ["overview", "model", "rankings", "data", "audit"] as const;
// `all` shows them one below the other: what is printed.
export type View = (typeof kViews)[number] | "all";

export interface State { view: View; params: URLSearchParams }

export function readState(): State {
  const [view, query] = location.hash.replace(/^#/, "").split("?");
  return { view: view === "all" || (kViews as readonly string[]).includes(view) ? (view as View) : "overview", params: new URLSearchParams(query ?? "") };
}
export function address(view: View, params: URLSearchParams): string {
  const text = params.toString();
  return `#${view}${text ? "?" + text : ""}`;
}
// The present view with other parameters; null takes one out.
export function go(changes: Record<string, string | number | null>, view?: View): void {
  const state = readState();
  const params = view && view !== state.view ? new URLSearchParams() : state.params;
  for (const key of ["m"]) {  // the model stays from view to view
    const kept = state.params.get(key);
    if (kept !== null) params.set(key, kept);
  }
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === "") params.delete(key);
    else params.set(key, String(value));
  }
  location.hash = address(view ?? state.view, params);
}
