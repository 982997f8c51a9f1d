// Curves and surfaces of an additive model.
import { Setting, modelOf } from "./context";
import { Effect, Feature, unpack } from "./bundle";
import { FigureSpec, choice, figure, fixed, h, plain, share, signed } from "./dom";
import { Plot, density, kStyle, kZero } from "./plots";
import { go } from "./state";

interface Cell { x1: number; x2: number; value: number; error: number; weight: number }
interface Curve { kind: "curve"; effect: Effect; feature: Feature; cells: Cell[]; missing: Cell | null; domain: [number, number]; outside: number; isLog: boolean }
interface Surface { kind: "surface"; effect: Effect; features: Feature[]; cells: { x1: number; x2: number; y1: number; y2: number; value: number; weight: number }[]; hidden: number; domains: [number, number][] }
type Drawn = Curve | Surface;

// Where data is: the middle 99 % of the rows, never beyond them.
function middle(cells: { x1: number; x2: number; weight: number }[], low: number, high: number): [number, number] {
  const total = cells.reduce((sum, c) => sum + c.weight, 0);
  if (total === 0) return [low, high];
  let from = low, to = high, sum = 0;
  for (const cell of cells) {
    if (sum < 0.005 * total) from = cell.x1;
    sum += cell.weight;
    if (sum >= 0.995 * total) { to = cell.x2; break; }
  }
  return from < to ? [from, to] : [low, high];
}

async function read(effect: Effect, features: Feature[]): Promise<Drawn> {
  const edges = await Promise.all(effect.axes.map((axis) => unpack(axis.edges)));
  const values = await unpack(effect.values);
  const errors = effect.errors ? await unpack(effect.errors) : null;
  const weights = effect.weights ? await unpack(effect.weights) : null;
  const bounds = (axis: number, cell: number): [number, number] => {
    const { low, high, is_switch } = features[axis];
    if (is_switch) {  // two halves, wherever the edges between 0 and 1 are
      const holds = (x: number): boolean => (cell === 0 || edges[axis][cell - 1] < x) && (cell === edges[axis].length || x <= edges[axis][cell]);
      return holds(0) ? (holds(1) ? [0, 1] : [0, 0.5]) : holds(1) ? [0.5, 1] : [0, 0];
    }
    const x1 = cell === 0 ? low : Math.max(low, Math.min(high, edges[axis][cell - 1]));
    const x2 = cell === edges[axis].length ? high : Math.max(low, Math.min(high, edges[axis][cell]));
    return [x1, x2];
  };
  if (effect.axes.length === 1) {
    const cells: Cell[] = [];
    const cell = (i: number): Cell => { const [x1, x2] = bounds(0, i); return { x1, x2, value: values[i], error: errors?.[i] ?? 0, weight: weights?.[i] ?? 0 }; };
    for (let i = 0; i <= edges[0].length; ++i) {
      const each = cell(i);
      if (each.x2 > each.x1 || each.weight > 0) cells.push(each);
    }
    const last = cell(edges[0].length + 1);
    const domain = middle(cells, features[0].low, features[0].high);
    const total = cells.reduce((sum, c) => sum + c.weight, 0);
    const outside = total ? cells.filter((c) => c.x2 <= domain[0] || c.x1 >= domain[1]).reduce((sum, c) => sum + c.weight, 0) / total : 0;
    const isLog = domain[0] > 0 && domain[1] / domain[0] > 300;
    return { kind: "curve", effect, feature: features[0], cells, missing: last.weight > 0 ? last : null, domain, outside, isLog };
  }
  const width = edges[1].length + 2;
  const cells: Surface["cells"] = [];
  let hidden = 0, total = 0;
  for (let i = 0; i < edges[0].length + 2; ++i) {
    for (let j = 0; j < width; ++j) {
      const weight = weights?.[i * width + j] ?? 0;
      total += weight;
      if (i > edges[0].length || j > edges[1].length) { hidden += weight; continue; }
      const [x1, x2] = bounds(0, i), [y1, y2] = bounds(1, j);
      if (x2 > x1 && y2 > y1) cells.push({ x1, x2, y1, y2, value: values[i * width + j], weight });
    }
  }
  const along = (a: "x" | "y") => {
    const sums = new Map<number, { x1: number; x2: number; weight: number }>();
    for (const c of cells) {
      const [from, to] = a === "x" ? [c.x1, c.x2] : [c.y1, c.y2];
      const sum = sums.get(from) ?? { x1: from, x2: to, weight: 0 };
      sum.weight += c.weight;
      sums.set(from, sum);
    }
    return [...sums.values()].sort((p, q) => p.x1 - q.x1);
  };
  return { kind: "surface", effect, features, cells, hidden: total ? hidden / total : 0,
    domains: [features[0].is_switch ? [0, 1] : middle(along("x"), features[0].low, features[0].high), features[1].is_switch ? [0, 1] : middle(along("y"), features[1].low, features[1].high)] };
}

const shownValues = (d: Drawn): number[] => d.kind === "curve"
  ? [...d.cells.filter((c) => c.x2 > d.domain[0] && c.x1 < d.domain[1]), ...(d.missing ? [d.missing] : [])].flatMap((c) => [c.value - 2 * c.error, c.value + 2 * c.error])
  : d.cells.map((c) => c.value);

function drawCurve(curve: Curve, width: number, yDomain: [number, number], tall: boolean): Element {
  const height = tall ? 320 : 190;
  if (curve.feature.is_switch) {
    const total = curve.cells.reduce((sum, c) => sum + c.weight, 0);
    const at = (x: number) => curve.cells.find((c) => x > c.x1 && x <= c.x2) ?? (x === 0 ? curve.cells[0] : curve.cells.at(-1)!);
    const rows: { name: string; cell: Cell }[] = [{ name: "0", cell: at(0) }, { name: "1", cell: at(1) }];
    if (curve.missing) rows.push({ name: "missing", cell: curve.missing });
    return Plot.plot({
      width, height, marginLeft: 44, marginBottom: 40, style: kStyle,
      x: { label: curve.effect.name, domain: rows.map((r) => r.name), labelAnchor: "center", padding: 0.5 }, y: { label: "adds to score", labelArrow: "none", domain: yDomain, grid: true, ticks: 4 },
      marks: [
        Plot.ruleY([0], { stroke: kZero }),
        Plot.barY(rows, { x: "name", y: (r) => r.cell.value, fill: (r) => (r.cell.value < 0 ? "var(--down)" : "var(--up)") }),
        Plot.link(rows.filter((r) => r.cell.error > 0), { x1: "name", x2: "name", y1: (r) => r.cell.value - 2 * r.cell.error, y2: (r) => r.cell.value + 2 * r.cell.error, stroke: "currentColor" }),
        Plot.text(rows, { x: "name", y: (r) => Math.max(0, r.cell.value), dy: -8, text: (r) => `${signed(r.cell.value, 2)}${total ? `, ${share(r.cell.weight / (total + (curve.missing?.weight ?? 0)))} of rows` : ""}` }),
      ],
    });
  }
  const shown = curve.cells.filter((c) => c.x2 > curve.domain[0] && c.x1 < curve.domain[1]).map((c) => ({ ...c, x1: Math.max(c.x1, curve.domain[0]), x2: Math.min(c.x2, curve.domain[1]) }));
  const steps = shown.flatMap((c) => [{ x: c.x1, c }, { x: c.x2, c }]);
  const slices = curve.isLog ? [] : density(curve.cells, curve.domain, tall ? 60 : 40);
  const most = Math.max(...slices.map((s) => s.share), 1e-9);
  const [bottom, top] = yDomain, room = (top - bottom) * 0.2;
  const gap = (curve.domain[1] - curve.domain[0]) * 0.09;
  const missingX = curve.domain[1] + gap;
  return Plot.plot({
    width, height, marginLeft: 44, marginBottom: 40, marginRight: 26, style: kStyle,
    x: { label: curve.effect.name, labelAnchor: "center", labelArrow: "none", type: curve.isLog ? "log" : "linear", domain: curve.missing && !curve.isLog ? [curve.domain[0], missingX + gap * 0.6] : curve.domain, ticks: curve.isLog ? 3 : Math.max(3, Math.floor(width / 80)), tickFormat: (v: number) => (v > curve.domain[1] ? "" : plain(v)) },
    y: { label: "adds to score", labelArrow: "none", domain: [bottom - room, top], grid: true, ticks: 4, tickFormat: (v: number) => (v < bottom - 1e-9 ? "" : plain(Number(v.toPrecision(6)))) },
    marks: [
      Plot.rectY(slices, { x1: "x1", x2: "x2", y1: bottom - room, y2: (s) => bottom - room + room * 0.85 * Math.sqrt(s.share / most), fill: "var(--line)", inset: 0.3 }),
      Plot.ruleY([0], { stroke: kZero }),
      steps.some((s) => s.c.error > 0) ? Plot.areaY(steps, { x: "x", y1: (s) => s.c.value - 2 * s.c.error, y2: (s) => s.c.value + 2 * s.c.error, fill: "var(--zero)", fillOpacity: 0.3 }) : null,
      Plot.line(steps, { x: "x", y: (s) => s.c.value, stroke: "currentColor", strokeWidth: 1.8 }),
      curve.missing && !curve.isLog ? [
        Plot.dot([curve.missing], { x: () => missingX, y: "value", fill: "currentColor", r: 4 }),
        Plot.text([curve.missing], { x: () => missingX, y: "value", text: () => "missing", dy: -10, fontSize: 11 }),
      ] : null,
      Plot.tip(shown, Plot.pointerX({ x: (c) => (c.x1 + c.x2) / 2, y: "value", title: (c) => `${curve.effect.name} from ${plain(c.x1)} to ${plain(c.x2)}\nadds ${signed(c.value)}${c.error ? ` (\u00b1 ${fixed(2 * c.error)})` : ""}\n${plain(c.weight)} rows` })),
    ],
  });
}

function drawSurface(surface: Surface, width: number, limit: number, tall: boolean): Element {
  const [a, b] = surface.features;
  const clip = (v: number, [from, to]: [number, number]) => Math.min(Math.max(v, from), to);
  const cells = surface.cells.map((c) => ({ ...c, x1: clip(c.x1, surface.domains[0]), x2: clip(c.x2, surface.domains[0]), y1: clip(c.y1, surface.domains[1]), y2: clip(c.y2, surface.domains[1]) })).filter((c) => c.x2 > c.x1 && c.y2 > c.y1);
  const known = cells.some((c) => c.weight > 0);
  return Plot.plot({
    width, height: tall ? 380 : 230, marginLeft: 52, marginBottom: 40, style: kStyle,
    x: { label: a.name, labelAnchor: "center", labelArrow: "none", domain: surface.domains[0], ticks: a.is_switch ? [0.25, 0.75] : Math.max(3, Math.floor(width / 90)), tickFormat: (v: number) => (a.is_switch ? (v < 0.5 ? "0" : "1") : plain(v)) },
    y: { label: b.name, labelArrow: "none", domain: surface.domains[1], ticks: b.is_switch ? [0.25, 0.75] : 4, tickFormat: (v: number) => (b.is_switch ? (v < 0.5 ? "0" : "1") : plain(v)) },
    marks: [
      Plot.rect(cells, {
        x1: "x1", x2: "x2", y1: "y1", y2: "y2", stroke: "none",
        fill: (c) => (c.value < 0 ? "var(--down)" : "var(--up)"), fillOpacity: (c) => Math.min(1, Math.abs(c.value) / limit),
        title: (c) => `${a.name} ${plain(c.x1)} to ${plain(c.x2)}\n${b.name} ${plain(c.y1)} to ${plain(c.y2)}\nadds ${signed(c.value)}, ${plain(c.weight)} rows`, tip: true,
      }),
      known ? Plot.rect(cells.filter((c) => c.weight === 0), { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "var(--page)", fillOpacity: 0.7 }) : null,
      Plot.frame({ stroke: "var(--line)" }),
    ],
    opacity: { type: "identity" },
  });
}

function specOf(drawn: Drawn, yDomain: [number, number], limit: number, tall: boolean): FigureSpec {
  const values = shownValues(drawn);
  const low = Math.min(...values), high = Math.max(...values);
  const title = `${drawn.effect.name}: ${signed(low, 2)} to ${signed(high, 2)}`;
  if (drawn.kind === "curve") {
    const outside = drawn.outside > 0.0005 ? ` ${share(drawn.outside, 1)} of the rows lie outside of what is drawn.` : "";
    const errors = drawn.cells.some((c) => c.error > 0) ? " The band is two standard deviations over bags." : "";
    return {
      id: `effect-${drawn.effect.name}`, title,
      how: drawn.feature.is_switch ? "A bar is what the feature adds to the score when it is off (0) or on (1)." : `The line is what a value adds to the score; grey columns below show how many rows have such values (height by square root, rows of a cell spread evenly over it).${errors}${outside}`,
      draw: (width) => drawCurve(drawn, width, yDomain, tall),
      records: () => [...drawn.cells.map((c) => ({ from: c.x1, to: c.x2, adds: c.value, error: c.error, rows: c.weight })), ...(drawn.missing ? [{ from: "missing", to: "missing", adds: drawn.missing.value, error: drawn.missing.error, rows: drawn.missing.weight }] : [])] as any,
    };
  }
  return {
    id: `effect-${drawn.effect.name}`, title,
    how: `Orange cells add to the score, blue cells take from it, full colour is ${fixed(limit, 2)}; pale cells hold no training row. Cells are as wide as their ranges.${drawn.hidden > 0 ? ` ${share(drawn.hidden, 1)} of the rows have one of the values missing and are in the table only.` : ""}`,
    draw: (width) => drawSurface(drawn, width, limit, tall),
    records: () => drawn.cells.map((c) => ({ [drawn.features[0].name + " from"]: c.x1, to: c.x2, [drawn.features[1].name + " from"]: c.y1, "to ": c.y2, adds: c.value, rows: c.weight })),
  };
}

export async function effectsPart(setting: Setting): Promise<HTMLElement> {
  const { bundle, params } = setting;
  const model = modelOf(setting);
  const sort = params.get("sort") ?? "importance", search = (params.get("find") ?? "").toLowerCase(), scale = params.get("scale") ?? "one";
  const drawn = await Promise.all(model.effects.map((effect) => read(effect, effect.axes.map((axis) => bundle.features[axis.feature]))));
  const curves = drawn.filter((d): d is Curve => d.kind === "curve"), surfaces = drawn.filter((d): d is Surface => d.kind === "surface");
  const range = (values: number[]): [number, number] => { const low = Math.min(0, ...values), high = Math.max(0, ...values), room = (high - low) * 0.06 || 0.1; return [low - room, high + room]; };
  const common = range(curves.flatMap(shownValues));
  const commonLimit = Math.max(...surfaces.flatMap((s) => s.cells.map((c) => Math.abs(c.value))), 1e-9);
  const ordered = [...drawn];
  if (sort === "name") ordered.sort((a, b) => a.effect.name.localeCompare(b.effect.name));
  else if (sort === "range") ordered.sort((a, b) => { const w = (d: Drawn) => { const v = shownValues(d); return Math.max(...v) - Math.min(...v); }; return w(b) - w(a); });
  const shown = ordered.filter((d) => d.effect.name.toLowerCase().includes(search));
  const spec = (d: Drawn, tall: boolean) => specOf(d, scale === "one" || d.kind === "surface" ? common : range(shownValues(d)), scale === "one" ? commonLimit : Math.max(...shownValues(d).map(Math.abs), 1e-9), tall);
  const input = h("input", { type: "search", value: search, "aria-label": "Find a feature", placeholder: "name of a feature", change: () => go({ find: input.value }) });
  const chosen = drawn.find((d) => d.effect.name === params.get("effect"));
  const root = h("section", {},
    h("h2", {}, "What the model is: curves and surfaces"),
    h("p", {}, `A score is ${fixed(model.intercept, 3)} and the sum of ${curves.length} curves${surfaces.length ? ` and ${surfaces.length} surfaces` : ""}, nothing else. What a document gets for a value can be read off below. The score orders documents; it is not the grade.`),
    model.edits.length ? h("div", { class: "panel" }, h("h3", {}, "Edited by hand"), h("ol", {}, model.edits.map((e) => h("li", {}, h("code", {}, e.edit), e.effect_on_metric ? `: ${e.effect_on_metric}` : "")))) : null,
    h("div", { class: "controls" },
      h("label", { class: "control" }, h("span", {}, "find"), input),
      choice("sort by", [{ value: "importance", text: "importance" }, { value: "range", text: "range" }, { value: "name", text: "name" }], sort, (v) => go({ sort: v })),
      choice("scale", [{ value: "one", text: "one for all" }, { value: "own", text: "own each" }], scale, (v) => go({ scale: v }))));
  if (chosen) {
    root.append(h("div", { class: "panel", id: "chosen-effect" }, figure({ ...spec(chosen, true), id: "chosen" }),
      h("button", { type: "button", click: () => go({ effect: null }) }, "Close")));
  }
  root.append(shown.length === 0 ? h("p", {}, `No effect has "${search}" in its name.`) : h("div", { class: "cards" }, shown.map((d) => {
    const card = h("div", { class: "card" }, figure(spec(d, false)));
    card.querySelector("h3")!.replaceChildren(h("button", { type: "button", class: "link", click: () => go({ effect: d.effect.name }) }, spec(d, false).title));
    card.querySelector("figcaption")!.remove();
    return card;
  })));
  root.append(h("p", { class: "soft" }, "How to read these: a line is what a value adds to the score; grey columns show where training rows are (height by square root). Orange cells of a surface add, blue ones take away. Lines end where the middle 99 % of the rows end. Open one for its numbers."));
  return root;
}
