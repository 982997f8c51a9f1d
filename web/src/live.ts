// Questions to the server that serves the page, and what the page makes of the answers.
import { Bundle, Counterfactual, Trust } from "./bundle";
import { figure, fixed, h, select, valueText } from "./dom";
import { Part, hasErrors, kErrorWords, largest, sides, waterfall } from "./plots";

interface ViewedFeature { index: number; feature: string; is_chosen: boolean; value?: number | null; other_value?: number | null; category?: string; other_category?: string; attribution?: number; standard_error?: number }
interface Explanation { explainer: string; value: number; base_value: number; measure: string; features: ViewedFeature[]; audit: Trust; summary: string }
export interface Asked { query: string; document?: string; other?: string }

const kMostParts = 11;

async function send(bundle: Bundle, path: string, options: RequestInit): Promise<any> {
  if (!bundle.is_live) throw new Error("this page has no server behind it");
  const token = new URLSearchParams(location.search).get("token");
  const headers: Record<string, string> = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response: Response;
  try { response = await fetch(path, { ...options, headers }); } catch { throw new Error("the server does not answer; is it still running?"); }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error?.message ?? response.statusText);
  return answer;
}
export const ask = (bundle: Bundle, path: string, body: unknown): Promise<any> => send(bundle, path, { method: "POST", body: JSON.stringify(body) });

export async function askScores(bundle: Bundle, rows: Float32Array[]): Promise<number[]> {
  const documents = rows.map((row) => ({ features: Array.from(row, (v) => (Number.isNaN(v) ? null : v)) }));
  return (await ask(bundle, "/v1/score", { documents })).scores;
}
export const askCounterfactual = (bundle: Bundle, asked: Asked): Promise<Counterfactual> => ask(bundle, "/v1/counterfactual", { ...asked, top: 1, max_features: 2 });

let explainers: Promise<string[]> | undefined;
const askExplainers = (bundle: Bundle): Promise<string[]> => (explainers ??= send(bundle, "/v1/model", {}).then((model) => model.explainers));

// A button that asks, and the place for the answer or for what is wrong.
export function asking(label: string, id: string, answer: () => Promise<HTMLElement>): HTMLElement {
  const place = h("div", { id, "aria-live": "polite" });
  const button = h("button", { type: "button", click: async () => {
    button.disabled = true;
    place.textContent = "Asking\u2026";
    try { place.replaceChildren(await answer()); } catch (error) { place.replaceChildren(h("p", { class: "error" }, (error as Error).message)); }
    button.disabled = false;
  } }, label);
  return h("div", {}, button, place);
}

function trust(audit: Trust): string {
  const known = ([["validity", audit.validity], ["completeness", audit.completeness]] as [string, number | undefined][]).filter(([, value]) => value !== undefined);
  return known.length ? `${known.map(([name, value]) => `${name} ${fixed(value, 2)}`).join(", ")} (of the features it names).` : "";
}

// What one more explainer says of a document or a pair; `documents` are their numbers here.
export function anotherExplainer(bundle: Bundle, asked: Asked, present: string, documents: number[]): HTMLElement {
  const text = (f: ViewedFeature, value: number | null | undefined, which: number): string => valueText(bundle.features[f.index], value, documents[which]);
  const section = h("section", { class: "panel", id: "ask" }, h("h3", {}, "Ask another explainer"));
  const controls = h("div", { class: "controls" });
  section.append(h("p", { class: "soft" }, "The server explains it anew. Explainers that disagree tell you to be careful."), controls);
  let name = "";
  const explain = async (): Promise<HTMLElement> => {
    const answer: Explanation = await ask(bundle, asked.other === undefined ? "/v1/explain" : "/v1/pair", { ...asked, explainer: name });
    const said = h("div", {}, h("p", {}, answer.summary), h("p", { class: "soft" }, trust(answer.audit)));
    const parts: Part[] = answer.features.filter((f) => f.attribution !== undefined).map((f) => ({ feature: f.index, name: f.feature, value: asked.other === undefined ? text(f, f.value, 0) : `${text(f, f.value, 0)} vs ${text(f, f.other_value, 1)}`, amount: f.attribution!, error: f.standard_error }));
    if (parts.length === 0) { said.append(h("p", {}, `It names ${answer.features.filter((f) => f.is_chosen).map((f) => f.feature).join(", ")}.`)); return said; }
    const shown = largest(parts, kMostParts);
    said.append(figure({
      id: "asked", title: `${answer.explainer}: ${answer.measure} is ${fixed(answer.value, 2)}`,
      how: (asked.other === undefined ? "Each bar is what one feature adds (orange) or takes away (blue), from the score when no feature is known." : "A bar is what the feature adds to the difference: orange speaks for the first document, blue for the second.") + (hasErrors(parts) ? kErrorWords : ""),
      draw: (width) => (asked.other === undefined ? waterfall(shown, answer.base_value, "score", width) : sides(shown, "difference of the scores", width)),
      records: () => parts.map((p) => ({ feature: p.name, value: p.value, adds: p.amount, ...(hasErrors(parts) ? { standard_error: p.error } : {}) })),
    }));
    return said;
  };
  void askExplainers(bundle).then((names) => {
    const others = names.filter((n) => n !== present);
    name = others[0] ?? "";
    controls.append(select("explainer", others.map((n) => ({ value: n, text: n })), name, (v) => { name = v; }, "another explainer"));
    section.append(asking("Explain", "asked-place", explain));
  }).catch((error) => section.append(h("p", { class: "error" }, (error as Error).message)));
  return section;
}

export function explainOrder(bundle: Bundle, query: string): HTMLElement {
  return asking("Explain the order", "order-answer", async () => {
    const answer: Explanation = await ask(bundle, "/v1/explain", { query });
    const chosen = answer.features.filter((f) => f.is_chosen).map((f) => f.feature);
    return h("div", {}, h("p", {}, answer.summary), h("dl", { class: "definitions" }, h("dt", {}, "explainer"), h("dd", {}, answer.explainer), h("dt", {}, "features, best first"), h("dd", {}, chosen.join(", ")),
      h("dt", {}, "validity"), h("dd", {}, fixed(answer.audit.validity, 2)), h("dt", {}, "completeness"), h("dd", {}, fixed(answer.audit.completeness, 2))));
  });
}
