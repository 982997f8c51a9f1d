// One query: its documents in the model's order, why they are there, and what would move them.
import { Setting, gradeChip, modelOf } from "./context";
import { Bundle, Counterfactual, ListSet, Parts } from "./bundle";
import { Cell, ColumnSpec, choice, digitsFor, figure, fixed, h, plain, say, select, signed, table, valueText } from "./dom";
import { DecisionLine, Part, decision, force, hasErrors, kErrorWords, kStyle, largest, nameRoom, Plot, short, sides, waterfall } from "./plots";
import { anotherExplainer, askCounterfactual, askScores, asking, explainOrder } from "./live";
import { scorerOf, valuesOf } from "./score";
import { go } from "./state";

const kParts = 11;

export async function rankings(setting: Setting): Promise<HTMLElement> {
  const { store, params } = setting;
  const query = Math.min(Math.max(0, Number(params.get("q") ?? 0) || 0), store.numQueries - 1);
  const detail = h("div", {}, await queryPart(setting, query));
  return h("div", {}, h("h2", {}, "Rankings"), h("div", { class: "split" }, picker(setting, query), detail));
}

function picker(setting: Setting, query: number): HTMLElement {
  const { bundle, store, params } = setting;
  const sort = params.get("qsort") ?? "file";
  const values = store.queryValues[setting.model];
  const change = (q: number): number => (bundle.models.length > 1 ? Math.abs(store.queryValues[0][q] - store.queryValues[1][q]) : 0);
  const order = bundle.documents.queries.map((_, q) => q);
  if (sort === "worst") order.sort((a, b) => (values[a] || 0) - (values[b] || 0));
  if (sort === "change") order.sort((a, b) => (change(b) || 0) - (change(a) || 0));
  const list = h("ul", {});
  const fill = (text: string): void => {
    const shown = order.filter((q) => bundle.documents.queries[q].toLowerCase().includes(text.toLowerCase())).slice(0, 300);
    list.replaceChildren(...shown.map((q) => h("li", {}, h("button", { type: "button", "aria-current": q === query ? "true" : undefined, title: bundle.documents.queries[q], click: () => go({ q, d: null, w: null }) },
      h("span", {}, bundle.documents.queries[q]), h("span", { class: "soft" }, fixed(values[q], 2))))));
  };
  const input = h("input", { type: "search", placeholder: "find a query", "aria-label": "Find a query", input: () => fill(input.value) });
  fill("");
  queueMicrotask(() => list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }));
  return h("section", { class: "picker", "aria-label": "Queries" }, input,
    h("div", { class: "controls" }, select("sort", [{ value: "file", text: "as in the file" }, { value: "worst", text: `lowest ${bundle.metric} first` }, ...(bundle.models.length > 1 ? [{ value: "change", text: "largest change first" }] : [])], sort, (v) => go({ qsort: v }))),
    h("p", { class: "soft" }, `${store.numQueries} queries, ${bundle.metric}`), list);
}

function chosenDocuments(setting: Setting, query: number): number[] {
  const [begin, end] = setting.store.rows(query);
  return (setting.params.get("d") ?? "").split(",").filter(Boolean).map((text) => begin + Number(text)).filter((d) => d >= begin && d < end).slice(0, 2);
}

async function queryPart(setting: Setting, query: number): Promise<HTMLElement[]> {
  const { bundle, store, params } = setting;
  const model = modelOf(setting), m = setting.model;
  const [begin] = store.rows(query);
  const ranking = store.ranking(query, m);
  const chosen = chosenDocuments(setting, query);
  const others = bundle.models.map((_, i) => i).filter((i) => i !== m);
  const against = others.includes(Number(params.get("vs"))) ? Number(params.get("vs")) : others[0];
  const toggle = (document: number): void => {
    const now = chosen.includes(document) ? chosen.filter((d) => d !== document) : chosen.length < 2 ? [...chosen, document] : [document];
    go({ d: now.map((d) => d - begin).join(","), w: null });
  };
  const scores = store.scores[m];
  const low = Math.min(...ranking.map((d) => scores[d])), high = Math.max(...ranking.map((d) => scores[d]));
  const digits = digitsFor(ranking.map((d) => scores[d]));
  const isCompared = against !== undefined;
  const moveOf = (d: number, rank: number): number => (isCompared ? store.ranks[against][d] - rank : 0);
  const columns: ColumnSpec[] = [{ name: "rank", number: true }, { name: "document", heads: true }, { name: "grade" }, { name: "score", number: true }, { name: "lowest to highest", picture: true }];
  if (isCompared) columns.splice(1, 0, { name: `vs ${bundle.models[against].name}`, number: true, help: `places higher or lower than in the order of ${bundle.models[against].name}` });
  const rows = ranking.map((d, rank) => {
    const move = moveOf(d, rank);
    const cells: Cell[] = [rank + 1,
      h("button", { type: "button", class: "link", "aria-pressed": chosen.includes(d) ? "true" : "false", "data-document": d - begin, click: () => toggle(d) }, bundle.documents.names[d]),
      gradeChip(bundle, store.grades[d]), fixed(scores[d], digits),
      h("span", { style: `display:inline-block;height:.6rem;background:var(--zero);width:${(6 * (scores[d] - low)) / (high - low || 1)}rem` })];
    if (isCompared) cells.splice(1, 0, move === 0 ? "=" : h("span", { class: move > 0 ? "up" : "down" }, h("span", { "aria-hidden": "true" }, move > 0 ? "\u25b2" : "\u25bc"), h("span", { class: "hidden" }, move > 0 ? "higher by " : "lower by "), String(Math.abs(move))));
    return cells;
  });
  const result: HTMLElement[] = [
    h("section", {},
      h("h3", { id: "query-name" }, bundle.documents.queries[query]),
      h("p", { class: "soft" }, `${ranking.length} documents in the order of ${model.name}; ${bundle.metric} ${fixed(store.queryValues[m][query], 3)}. Choose one to see why it is there, two to see why one is above the other. The score orders documents; it is not the grade.`),
      against === undefined ? "" : h("div", { class: "controls" }, select("moves against", others.map((i) => ({ value: String(i), text: bundle.models[i].name })), String(against), (v) => go({ vs: v }))),
      table(columns, rows, {
        caption: `Documents of ${bundle.documents.queries[query]} in the order of ${model.name}`, id: "documents", tall: true, chosen: (r) => chosen.includes(ranking[r]),
        csv: () => ranking.map((d, rank) => ({ query: bundle.documents.queries[query], rank: rank + 1, document: bundle.documents.names[d], grade: store.grades[d], score: scores[d], ...(isCompared ? { places_gained: moveOf(d, rank) } : {}) })),
      })),
  ];
  const explainer = Math.max(0, model.attributions.findIndex((a) => a.explainer === params.get("x")));
  const parts = await store.parts(m, explainer);
  if (parts && chosen.length === 1) result.push(await documentPart(setting, query, chosen[0], parts, explainer));
  if (parts && chosen.length === 2) result.push(await pairPart(setting, chosen, parts, explainer));
  if (isLive(setting) && chosen.length > 0) {
    const order = [...chosen].sort((a, b) => store.ranks[m][a] - store.ranks[m][b]);
    const [document, other] = order.map((d) => placeOf(setting, query, d));
    result.push(anotherExplainer(bundle, { query: bundle.documents.queries[query], document, other }, model.attributions[explainer]?.explainer ?? "", order));
  }
  if (chosen.length === 1) result.push(await whatIf(setting, query, chosen[0], parts), counterfactualPart(setting, query, chosen[0]));
  result.push(listPart(setting, query));
  if (parts) result.push(await heatMap(setting, query, parts));
  return result;
}

// What the server is told a document by: an id may be that of two, or look like a place.
const placeOf = (setting: Setting, query: number, document: number): string => `place:${document - setting.store.rows(query)[0] + 1}`;
// The server has the first model.
const isLive = (setting: Setting): boolean => setting.bundle.is_live && setting.model === 0;

async function partsOf(setting: Setting, document: number, parts: Parts): Promise<Part[]> {
  const columns = await setting.store.allColumns();
  return setting.bundle.features.map((feature, f) => ({ feature: f, name: feature.name, value: valueText(feature, columns[f].value(document), document), amount: parts.part(document, f), error: parts.error(document, f) }));
}
function explainerChoice(setting: Setting, explainer: number): HTMLElement | null {
  const given = modelOf(setting).attributions;
  return given.length < 2 ? null : select("explained by", given.map((a) => ({ value: a.explainer, text: a.explainer })), given[explainer].explainer, (v) => go({ x: v }));
}

async function documentPart(setting: Setting, query: number, document: number, parts: Parts, explainer: number): Promise<HTMLElement> {
  const { bundle, store, params } = setting;
  const model = modelOf(setting);
  const all = await partsOf(setting, document, parts);
  const name = bundle.documents.names[document], score = store.scores[setting.model][document], base = parts.base[document];
  const rank = store.ranks[setting.model][document];
  const kind = params.get("plot") ?? "waterfall";
  const shown = largest(all, kParts);
  const kinds = choice("picture", ["waterfall", "force", "decision"].map((v) => ({ value: v, text: v })), kind, (v) => go({ plot: v }));
  const controls: (HTMLElement | null)[] = [kinds, explainerChoice(setting, explainer)];
  const label = "score";
  let draw = (width: number): Element => waterfall(shown, base, label, width);
  let how = `Begin at the top, with the score when no feature is known. Each bar is what one feature adds (orange) or takes away (blue) in this document; the last line is its score.${hasErrors(all) ? kErrorWords : ""}`;
  if (kind === "force") { draw = (width) => force(shown, base, label, width); how = "Orange parts push the score up from the left, blue ones push it down from the right; they meet at the score. The dashed line is the score when no feature is known."; }
  if (kind === "decision") {
    const by = params.get("order") ?? "here";
    const importance = (f: number): number => modelOf(setting).importance[f].mean_amount_within ?? 0;
    const order = bundle.features.map((_, f) => f).sort((a, b) => by === "here" ? Math.abs(all[b].amount) - Math.abs(all[a].amount) : by === "name" ? bundle.features[b].name.localeCompare(bundle.features[a].name) * -1 : by === "model" ? a - b : importance(b) - importance(a)).slice(0, 16);
    const lines: DecisionLine[] = store.ranking(query, setting.model).slice(0, 30).map((d) => ({ name: bundle.documents.names[d], base: parts.base[d], parts: parts.all(d), chosen: d === document }));
    if (!lines.some((l) => l.chosen)) lines.push({ name, base, parts: parts.all(document), chosen: true });
    draw = (width) => decision(lines, order.map((f) => ({ feature: f, name: bundle.features[f].name })), label, width);
    how = "Each line is a document of the query, from the bottom, where the features that are not listed have been added, to its score at the top; the chosen one is thick. Where lines part, that feature decides. The order of features is yours to choose and changes the picture, not the sums.";
    controls.push(select("features by", [{ value: "here", text: "amount in this document" }, { value: "importance", text: "importance in the model" }, { value: "model", text: "order of the file" }, { value: "name", text: "name" }], by, (v) => go({ order: v })));
  }
  const raised = largest(all.filter((p) => p.amount > 0), 3).filter((p) => p.feature >= 0)[0], lowered = largest(all.filter((p) => p.amount < 0), 3).filter((p) => p.feature >= 0)[0];
  const text = [raised ? `${raised.name} raises it most (${signed(raised.amount, 2)})` : "", lowered ? `${lowered.name} lowers it most (${signed(lowered.amount, 2)})` : ""].filter(Boolean).join(", ");
  return h("section", { id: "why-document" }, figure({
    id: "why", title: `${name} is at rank ${rank + 1} with a score of ${fixed(score, 2)}: ${text || "no feature moves it"}`, how: `${how} ${model.attributions[explainer].explainer}: ${model.attributions[explainer].doc}.`, controls, draw,
    records: () => all.filter((p) => p.amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount)).map((p) => ({ feature: p.name, value: p.value, adds: p.amount, ...(hasErrors(all) ? { standard_error: p.error } : {}) })),
  }));
}

async function pairPart(setting: Setting, chosen: number[], parts: Parts, explainer: number): Promise<HTMLElement> {
  const { bundle, store } = setting;
  const scores = store.scores[setting.model];
  const [a, b] = store.ranks[setting.model][chosen[0]] < store.ranks[setting.model][chosen[1]] ? chosen : [chosen[1], chosen[0]];
  const ofA = await partsOf(setting, a, parts), ofB = await partsOf(setting, b, parts);
  const all = ofA.map((p, f) => ({ ...p, value: p.value === ofB[f].value ? p.value : `${p.value} vs ${ofB[f].value}`, amount: p.amount - ofB[f].amount, error: Math.hypot(p.error ?? 0, ofB[f].error ?? 0) }));
  const shown = largest(all, kParts);
  const nameA = bundle.documents.names[a], nameB = bundle.documents.names[b];
  const total = scores[a] - scores[b];
  const top = shown.find((p) => p.feature >= 0 && p.amount > 0);
  return h("section", { id: "why-pair" }, figure({
    id: "pair", title: `${nameA} is above ${nameB} by ${fixed(total, 2)}${top ? `, most of all for ${top.name}` : ""}`,
    how: `A bar is the difference of what the feature adds to the two scores: orange speaks for ${nameA}, blue for ${nameB}. The bars sum to the difference of the scores.${hasErrors(all) ? kErrorWords : ""}`,
    controls: explainerChoice(setting, explainer), draw: (width) => sides(shown, "difference of the scores", width),
    records: () => all.filter((p) => p.amount !== 0).sort((x, y) => Math.abs(y.amount) - Math.abs(x.amount)).map((p) => ({ feature: p.name, [nameA]: ofA[p.feature].value, [nameB]: ofB[p.feature].value, difference: p.amount, ...(hasErrors(all) ? { standard_error: p.error } : {}) })),
  }));
}

// Other values for the features that count most, and where the document would then be.
async function whatIf(setting: Setting, query: number, document: number, parts: Parts | null): Promise<HTMLElement> {
  const { bundle, store, params } = setting;
  const model = modelOf(setting);
  const live = isLive(setting);
  const score = live ? null : await scorerOf(model);
  const section = h("section", { class: "panel", id: "what-if" }, h("h3", {}, "What if?"));
  if (!score && !live) {
    section.append(h("p", { class: "soft" }, `The file does not hold this ${model.kind}; glassrank serve answers such questions.`));
    return section;
  }
  const values = await valuesOf(store, document);
  const changed = new Map<number, number>();
  for (const entry of (params.get("w") ?? "").split(";").filter(Boolean)) {
    const [f, value] = entry.split(":");
    if (bundle.features[Number(f)] && Number.isFinite(Number(value))) changed.set(Number(f), Number(value));
  }
  const order = bundle.features.map((_, f) => f).sort((a, b) => Math.abs(parts?.part(document, b) ?? 0) - Math.abs(parts?.part(document, a) ?? 0));
  const listed = [...new Set([...changed.keys(), ...order.slice(0, 6)])];
  const exact = store.scores[setting.model][document];
  const [begin, end] = store.rows(query);
  const answer = h("p", { class: "big", id: "what-if-answer", "aria-live": "polite" });
  let numAsked = 0;
  const update = async (): Promise<void> => {
    const mine = ++numAsked;
    const row = values.slice();
    for (const [f, value] of changed) row[f] = value;
    let now: number;
    try {
      if (changed.size === 0) now = exact;
      else if (score) now = exact + score(row) - score(values);
      else { const [old, fresh] = await askScores(bundle, [values, row]); now = exact + fresh - old; }
    } catch (error) { answer.textContent = String((error as Error).message); return; }
    if (mine !== numAsked) return;  // another value was set meanwhile
    let rank = 1;
    for (let d = begin; d < end; ++d) if (d !== document && (store.scores[setting.model][d] > now || (store.scores[setting.model][d] === now && d < document))) ++rank;
    const before = store.ranks[setting.model][document] + 1;
    answer.replaceChildren(changed.size === 0 ? `Score ${fixed(exact, 3)}, rank ${before} of ${end - begin}.`
      : h("span", {}, `Score ${fixed(exact, 3)} \u2192 ${fixed(now, 3)} (`, h("span", { class: now < exact ? "down" : "up" }, signed(now - exact, 3)), `), rank ${before} \u2192 ${rank} of ${end - begin}.`));
  };
  const keep = (): void => { history.replaceState(null, "", location.hash.replace(/[?&]w=[^&]*/, "") + (changed.size ? `${location.hash.includes("?") ? "&" : "?"}w=${[...changed].map(([f, v]) => `${f}:${v}`).join(";")}` : "")); };
  const grid = h("div", { class: "whatif" });
  const add = (f: number): void => {
    const feature = bundle.features[f], old = values[f], present = changed.get(f) ?? old;
    const id = `what-if-${f}`;
    if (feature.is_category) {
      const codes = feature.categories.length ? feature.categories.map((_, code) => code) : Array.from({ length: Math.max(feature.high, 0) + 1 }, (_, code) => code);
      const options = codes.map((code) => ({ code, text: valueText(feature, code) })).sort((a, b) => a.text.localeCompare(b.text, undefined, { numeric: true }));
      const own = Number.isNaN(present) ? "" : String(Math.trunc(present));
      const list = h("select", { id, "data-feature": feature.name, change: () => { if (list.value === "") changed.delete(f); else changed.set(f, Number(list.value)); keep(); void update(); } },
        own !== "" && codes.includes(Number(own)) ? null : h("option", { value: own, selected: true }, valueText(feature, present, document)),
        options.map((o) => h("option", { value: String(o.code), selected: String(o.code) === own }, o.text)));
      grid.append(h("label", { for: id }, feature.name), list, h("span", {}), h("span", { class: "soft old" }, `was ${valueText(feature, old, document)}`));
      return;
    }
    const step = feature.is_switch ? 1 : Number.isInteger(feature.low) && Number.isInteger(feature.high) && feature.num_distinct < 100 ? 1 : (feature.high - feature.low) / 200 || 1;
    const number = h("input", { type: "number", id, step: "any", value: Number.isNaN(present) ? "" : Number(present.toPrecision(6)), "data-feature": feature.name });
    const range = h("input", { type: "range", "aria-label": `${feature.name}, slider`, min: feature.low, max: feature.high, step, value: Number.isNaN(present) ? feature.low : present });
    const set = (value: number): void => {
      if (!Number.isFinite(value)) changed.delete(f); else changed.set(f, value);
      keep();
      void update();
    };
    range.addEventListener("input", () => { number.value = String(Number(Number(range.value).toPrecision(6))); set(Number(range.value)); });
    number.addEventListener("input", () => { if (number.value !== "") { range.value = number.value; set(Number(number.value)); } else set(NaN); });
    grid.append(h("label", { for: id }, feature.name), range, number, h("span", { class: "soft old" }, `was ${plain(old)}`));
  };
  listed.forEach(add);
  const more = select("another feature", [{ value: "", text: "choose" }, ...order.filter((f) => !listed.includes(f)).map((f) => ({ value: String(f), text: bundle.features[f].name }))], "", (v) => { if (v) { add(Number(v)); say(`${bundle.features[Number(v)].name} added`); } });
  section.append(h("p", { class: "soft" }, `Change a value and see the score and the rank move. The other documents stay as they are.${bundle.documents.is_rounded ? " Values are rounded; the change is what counts." : ""}`), answer, grid,
    h("div", { class: "controls" }, more, h("button", { type: "button" }, "As it was")));
  (section.querySelector(".controls button") as HTMLElement).addEventListener("click", () => { changed.clear(); keep(); void whatIf(setting, query, document, parts).then((fresh) => section.replaceWith(fresh)); });
  await update();
  return section;
}

// A server knows no text for categories that training did not see; the page does.
function withTexts(bundle: Bundle, answer: Counterfactual, document: number): Counterfactual {
  let text = answer.text;
  const changes = answer.changes.map((c) => {
    const feature = bundle.features.find((f) => f.name === c.feature);
    if (!feature || c.from_category === undefined) return c;
    const own = valueText(feature, c.from, document);
    text = text.replace(`${c.feature} from ${c.from_category} `, () => `${c.feature} from ${own} `);
    return { ...c, from_category: own };
  });
  return { ...answer, changes, text };
}

function answerOf(bundle: Bundle, given: Counterfactual, document: number): HTMLElement {
  const answer = withTexts(bundle, given, document);
  return h("div", {}, h("p", {}, answer.text), answer.changes.length ? table(
    [{ name: "feature" }, { name: "from", number: true }, { name: "to", number: true }, { name: "spreads", number: true, help: "how far, measured by how much the feature usually differs" }],
    answer.changes.map((c) => [c.feature, c.from_category ?? plain(c.from), c.to_category ?? plain(c.to), fixed(c.cost, 2)]),
    { caption: "Changes", id: "changes", csv: () => answer.changes.map((c) => ({ query: answer.query, document: answer.document, feature: c.feature, from: c.from_category ?? c.from, to: c.to_category ?? c.to, spreads: c.cost })) }) : null);
}

function counterfactualPart(setting: Setting, query: number, document: number): HTMLElement {
  const { bundle, store } = setting;
  const section = h("section", { class: "panel", id: "counterfactual" }, h("h3", {}, "What would put it first?"));
  const rank = store.ranks[setting.model][document];
  const known = modelOf(setting).counterfactuals.find((c) => c.document === document);
  if (rank === 0) section.append(h("p", {}, "It is first."));
  else if (known) section.append(answerOf(bundle, known.answer, document), h("p", { class: "soft" }, `${known.answer.is_reached ? "The smallest change of at most two features that this model asks for. " : ""}It is true of the model and no advice: a feature that cannot be changed cannot be changed.`));
  else if (isLive(setting)) {
    section.append(asking("Search", "counterfactual-answer", async () => answerOf(bundle, await askCounterfactual(bundle, { query: bundle.documents.queries[query], document: placeOf(setting, query, document) }), document)));
  } else {
    const known = new Set(modelOf(setting).counterfactuals.map((c) => c.query)).size;
    section.append(h("p", { class: "soft" }, known === 0 ? "This file holds no answers for this model." : `This file holds answers for the documents after the first of ${known} queries; glassrank counterfactual and glassrank serve give all others.`));
  }
  return section;
}

function listPart(setting: Setting, query: number): HTMLElement {
  const { bundle } = setting;
  const sets = modelOf(setting).sets.filter((s) => s.query === query);
  const section = h("section", { id: "list" }, h("h3", {}, "Why this order"));
  if (sets.length === 0) { section.append(isLive(setting) ? explainOrder(bundle, bundle.documents.queries[query]) : h("p", { class: "soft" }, "The order of this query was not explained in this file.")); return section; }
  const named = (s: ListSet): string => s.features.map((f) => bundle.features[f]?.name ?? f).join(", ");
  section.append(table(
    [{ name: "explainer" }, { name: "features, best first" }, { name: "validity", number: true }, { name: "completeness", number: true }, { name: "stability", number: true }],
    sets.map((s) => [s.explainer, named(s), fixed(s.audit.validity, 2), fixed(s.audit.completeness, 2), fixed(s.audit.stability, 2)]),
    { caption: "The few features that explain the order", id: "sets", csv: () => sets.map((s) => ({ query: bundle.documents.queries[query], explainer: s.explainer, features: named(s), validity: s.audit.validity, completeness: s.audit.completeness, stability: s.audit.stability })) }),
    h("p", { class: "soft" }, "Validity: how far these features alone give the same order (1: the same, 0: no relation). Completeness: what is left of the order without them; low is good. Stability: the share of them that is named again with another seed."));
  return section;
}

// Documents in order x the features that count most in this query.
async function heatMap(setting: Setting, query: number, parts: Parts): Promise<HTMLElement> {
  const { bundle, store } = setting;
  const ranking = store.ranking(query, setting.model).slice(0, 40);
  const spread = (f: number): number => { const v = ranking.map((d) => parts.part(d, f)); const mean = v.reduce((a, b) => a + b, 0) / v.length; return v.reduce((a, b) => a + Math.abs(b - mean), 0); };
  const features = bundle.features.map((_, f) => f).map((f) => ({ f, s: spread(f) })).sort((a, b) => b.s - a.s).slice(0, 12).filter((x) => x.s > 0).map((x) => x.f);
  const columns = await Promise.all(features.map((f) => store.column(f)));
  const cells = features.flatMap((f, i) => {
    const mean = ranking.reduce((sum, d) => sum + parts.part(d, f), 0) / ranking.length;
    return ranking.map((d, rank) => ({ f, rank, d, amount: parts.part(d, f) - mean, value: columns[i].value(d) }));
  });
  const limit = Math.max(...cells.map((c) => Math.abs(c.amount)), 1e-9);
  return figure({
    id: "heat", title: `What sets the documents of this query apart: ${features.slice(0, 2).map((f) => bundle.features[f].name).join(" and ")} most of all`,
    how: `A row is a document, best first; a column a feature, the one with most say in this query first. Orange: it raises the document against the others of the query, blue: it lowers it; full colour is ${fixed(limit, 2)}.`,
    draw: (width) => {
      const names = ranking.map((d) => bundle.documents.names[d]), room = Math.min(nameRoom(names, width), width * 0.3);
      return Plot.plot({
        width, height: 130 + 17 * ranking.length, marginLeft: room, marginTop: 112, marginRight: 60, marginBottom: 6, style: kStyle, opacity: { type: "identity" },
        x: { axis: "top", label: null, domain: features.map(String), tickFormat: (f: string) => short(bundle.features[Number(f)].name, 104), tickRotate: -55, tickSize: 0 },
        y: { label: null, domain: ranking.map((_, i) => i), tickFormat: (i: number) => short(names[i], room), tickSize: 0 },
        marks: [Plot.cell(cells, { x: (c) => String(c.f), y: "rank", inset: 0.5, fill: (c) => (c.amount < 0 ? "var(--down)" : "var(--up)"), fillOpacity: (c) => Math.abs(c.amount) / limit, title: (c) => `${bundle.documents.names[c.d]}\n${bundle.features[c.f].name} = ${valueText(bundle.features[c.f], c.value, c.d)}: ${signed(c.amount)}`, tip: true })],
      });
    },
    records: () => cells.map((c) => ({ document: bundle.documents.names[c.d], feature: bundle.features[c.f].name, value: c.value, against_the_mean_of_the_query: c.amount })),
  });
}
