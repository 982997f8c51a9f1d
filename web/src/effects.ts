// Curves and surfaces of an additive model.
import { Setting, modelOf } from "./context";
import { Bundle, Effect, Feature, unpack } from "./bundle";
import { FigureSpec, choice, figure, fixed, h, plain, share, signed, valueText } from "./dom";
import { Plot, Scale, Slice, beyond, colourOf, hasZeroColumn, kLinear, kStyle, kZero, nameRoom, scaleOf, scaleTicks, short, slicesOn, zeroStart } from "./plots";
import { go } from "./state";
import { ticks } from "d3";

interface Cell { x1: number; x2: number; value: number; error: number; weight: number }
interface Curve { kind: "curve"; effect: Effect; feature: Feature; cells: Cell[]; missing: Cell | null; domain: [number, number]; outside: number; scale: Scale; zeros: number }
interface Patch { x1: number; x2: number; y1: number; y2: number; value: number; error: number; weight: number }
interface Surface { kind: "surface"; effect: Effect; features: Feature[]; cells: Patch[]; withMissing: { x?: [number, number]; y?: [number, number]; value: number; error: number; weight: number }[]; hidden: number; domains: [number, number][] }
type Drawn = Curve | Surface;

// Codes of categories that can be named; one more place is for those that are not known.
const numCodes = (feature: Feature): number => (feature.categories.length || Math.max(0, feature.high) + 1) + 1;
// What a cell of categories holds: one, or the rare and unknown ones together.
const cellText = (feature: Feature, x1: number, x2: number): string => (x2 - x1 === 1 && x1 < numCodes(feature) - 1 ? valueText(feature, x1) : "others");

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

// Where the cell with the middle row ends.
function medianEnd(cells: { x2: number; weight: number }[]): number {
  const total = cells.reduce((sum, c) => sum + c.weight, 0);
  let sum = 0;
  return (total > 0 ? cells.find((c) => (sum += c.weight) >= total / 2) : cells[cells.length >> 1])?.x2 ?? 0;
}

// `zeros`: the share of rows in which each feature is exactly 0.
async function read(effect: Effect, features: Feature[], zeros: number[]): Promise<Drawn> {
  const edges = await Promise.all(effect.axes.map((axis) => unpack(axis.edges)));
  const values = await unpack(effect.values);
  const errors = effect.errors ? await unpack(effect.errors) : null;
  const weights = effect.weights ? await unpack(effect.weights) : null;
  const bounds = (axis: number, cell: number): [number, number] => {
    const { low, high, is_switch } = features[axis];
    if (features[axis].is_category) {  // from its first code to the one behind its last; edges lie just below codes
      const from = cell === 0 ? -1 : Math.ceil(edges[axis][cell - 1] + 1e-9), to = cell === edges[axis].length ? numCodes(features[axis]) : Math.ceil(edges[axis][cell] + 1e-9);
      return [Math.max(0, from), Math.max(0, to)];
    }
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
    const isCategory = features[0].is_category;
    const domain: [number, number] = isCategory ? [0, numCodes(features[0])] : middle(cells, features[0].low, features[0].high);
    const total = cells.reduce((sum, c) => sum + c.weight, 0);
    const outside = total ? cells.filter((c) => c.x2 <= domain[0] || c.x1 >= domain[1]).reduce((sum, c) => sum + c.weight, 0) / total : 0;
    const scale = scaleOf(domain, isCategory ? domain[1] : medianEnd(cells));
    return { kind: "curve", effect, feature: features[0], cells, missing: last.weight > 0 ? last : null, domain, outside, scale, zeros: zeros[0] };
  }
  const width = edges[1].length + 2;
  const cells: Surface["cells"] = [], withMissing: Surface["withMissing"] = [];
  let hidden = 0, total = 0;
  for (let i = 0; i < edges[0].length + 2; ++i) {
    for (let j = 0; j < width; ++j) {
      const weight = weights?.[i * width + j] ?? 0;
      total += weight;
      if (i > edges[0].length || j > edges[1].length) {
        hidden += weight;
        withMissing.push({ x: i > edges[0].length ? undefined : bounds(0, i), y: j > edges[1].length ? undefined : bounds(1, j), value: values[i * width + j], error: errors?.[i * width + j] ?? 0, weight });
        continue;
      }
      const [x1, x2] = bounds(0, i), [y1, y2] = bounds(1, j);
      if (x2 > x1 && y2 > y1) cells.push({ x1, x2, y1, y2, value: values[i * width + j], error: errors?.[i * width + j] ?? 0, weight });
    }
  }
  return { kind: "surface", effect, features, cells, withMissing: withMissing.filter((c) => c.weight > 0), hidden: total ? hidden / total : 0,
    domains: [domainOf(features[0], along(cells, "x")), domainOf(features[1], along(cells, "y"))] };
}

function domainOf(feature: Feature, cells: { x1: number; x2: number; weight: number }[]): [number, number] {
  if (feature.is_category) return [0, numCodes(feature)];
  return feature.is_switch ? [0, 1] : middle(cells, feature.low, feature.high);
}

// Rows of all cells that lie beside each other on one axis.
function along(cells: Patch[], axis: "x" | "y"): { x1: number; x2: number; weight: number }[] {
  const sums = new Map<number, { x1: number; x2: number; weight: number }>();
  for (const c of cells) {
    const [from, to] = axis === "x" ? [c.x1, c.x2] : [c.y1, c.y2];
    const sum = sums.get(from) ?? { x1: from, x2: to, weight: 0 };
    sum.weight += c.weight;
    sums.set(from, sum);
  }
  return [...sums.values()].sort((p, q) => p.x1 - q.x1);
}

const slicesOf = (curve: Curve, count: number): Slice[] => slicesOn(curve.scale, curve.cells, curve.domain, curve.zeros, count);

const shownValues = (d: Drawn, errors = 2): number[] => d.kind === "curve"
  ? [...d.cells.filter((c) => c.x2 > d.domain[0] && c.x1 < d.domain[1]), ...(d.missing ? [d.missing] : [])].flatMap((c) => [c.value - errors * c.error, c.value + errors * c.error])
  : d.cells.map((c) => c.value);

// The cells of a curve of categories, each by name, the highest first.
function categoryRows(curve: Curve): { name: string; cell: Cell }[] {
  const rows = curve.cells.map((cell) => ({ name: cellText(curve.feature, cell.x1, cell.x2), cell }));
  const named = rows.filter((r) => r.name !== "others").sort((a, b) => b.cell.value - a.cell.value);
  const others = rows.filter((r) => r.name === "others");
  const other = others.reduce<Cell | null>((sum, r) => ({ ...r.cell, weight: r.cell.weight + (sum?.weight ?? 0) }), null);
  return [...named, ...(other ? [{ name: "(others)", cell: other }] : []), ...(curve.missing ? [{ name: "(missing)", cell: curve.missing }] : [])];
}

// An interval would be lost inside a bar: dots with lines then.
const hasErrors = (curve: Curve): boolean => curve.cells.some((c) => c.error > 0);
const kCardBars = 7, kMostBars = 40;
function drawCategories(curve: Curve, width: number, domain: [number, number], tall: boolean): Element {
  const most = tall ? kMostBars : kCardBars;
  const all = categoryRows(curve);
  const shown = new Set([...all].sort((a, b) => b.cell.weight - a.cell.weight).slice(0, most));
  const rows = all.filter((r) => shown.has(r));
  const total = all.reduce((sum, r) => sum + r.cell.weight, 0), room = Math.min(nameRoom(rows.map((r) => r.name), width), width * 0.35);
  return Plot.plot({
    width, height: tall ? 60 + 20 * rows.length : 190, marginLeft: room, marginRight: 40, marginBottom: 36, style: kStyle,
    x: { label: "adds to score", labelAnchor: "center", labelArrow: "none", domain, grid: true, ticks: 4 }, y: { label: null, domain: rows.map((r) => r.name), tickFormat: (n: string) => short(n, room), tickSize: 0, padding: 0.25 },
    marks: [
      Plot.ruleX([0], { stroke: kZero }),
      hasErrors(curve) ? Plot.link(rows, { y1: "name", y2: "name", x1: (r) => r.cell.value - 2 * r.cell.error, x2: (r) => r.cell.value + 2 * r.cell.error, stroke: (r) => colourOf(r.cell.value), strokeWidth: 2 }) : null,
      (hasErrors(curve) ? Plot.dot : Plot.barX)(rows, { y: "name", x: (r: { cell: Cell }) => r.cell.value, ...(hasErrors(curve) ? { r: 4.5 } : {}), fill: (r: { cell: Cell }) => colourOf(r.cell.value), tip: true, title: (r: { name: string; cell: Cell }) => `${curve.effect.name}: ${r.name}\nadds ${signed(r.cell.value)}${r.cell.error ? ` (\u00b1 ${fixed(2 * r.cell.error)})` : ""}\n${plain(r.cell.weight)} rows${total ? `, ${share(r.cell.weight / total, 1)}` : ""}` }),
    ],
  });
}

function drawCurve(curve: Curve, width: number, yDomain: [number, number], tall: boolean): Element {
  const height = tall ? 320 : 190;
  if (curve.feature.is_category) return drawCategories(curve, width, yDomain, tall);
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
        ...(hasErrors(curve) ? [
          Plot.link(rows, { x1: "name", x2: "name", y1: (r) => r.cell.value - 2 * r.cell.error, y2: (r) => r.cell.value + 2 * r.cell.error, stroke: (r) => colourOf(r.cell.value), strokeWidth: 2 }),
          Plot.dot(rows, { x: "name", y: (r) => r.cell.value, r: 4.5, fill: (r) => colourOf(r.cell.value) }),
        ] : [Plot.barY(rows, { x: "name", y: (r) => r.cell.value, fill: (r) => colourOf(r.cell.value) })]),
        Plot.text(rows, { x: "name", y: (r) => (hasErrors(curve) ? r.cell.value + 2 * r.cell.error : Math.max(0, r.cell.value)), dy: -4, lineAnchor: "bottom", fontSize: 11, text: (r) => `${signed(r.cell.value, 2)}${total ? `\n${share(r.cell.weight / (total + (curve.missing?.weight ?? 0)))} of rows` : ""}` }),
      ],
    });
  }
  const start = zeroStart(curve.scale, curve.domain, curve.zeros);
  const shown = curve.cells.filter((c) => c.x2 > curve.domain[0] && c.x1 < curve.domain[1] || c.x1 === 0 && c.x2 === 0).map((c) => ({ ...c, x1: c.x1 <= curve.domain[0] ? start : c.x1, x2: Math.min(c.x2, curve.domain[1]) }));
  const steps = shown.flatMap((c) => [{ x: c.x1, c }, { x: c.x2, c }]);
  const slices = slicesOf(curve, tall ? 60 : 40);
  const most = Math.max(...slices.map((s) => s.share), 1e-9);
  const [bottom, top] = yDomain, room = (top - bottom) * 0.2;
  const missingX = beyond(curve.scale, curve.domain, 0.09), end = curve.missing ? beyond(curve.scale, curve.domain, 0.15) : curve.domain[1];
  return Plot.plot({
    width, height, marginLeft: 44, marginBottom: 40, marginRight: 26, style: kStyle,
    x: { label: curve.effect.name, labelAnchor: "center", labelArrow: "none", type: curve.scale.type, constant: curve.scale.constant, domain: [start, end], ticks: scaleTicks(curve.scale, curve.domain, width), tickFormat: plain },
    y: { label: "adds to score", labelArrow: "none", domain: [bottom - room, top], grid: true, ticks: ticks(bottom, top, 4), tickFormat: (v: number) => plain(Number(v.toPrecision(6))) },
    marks: [
      Plot.rectY(slices, { x1: "x1", x2: "x2", y1: bottom - room, y2: (s) => bottom - room + room * 0.85 * Math.sqrt(s.share / most), fill: "var(--line)", inset: 0.3 }),
      Plot.ruleY([0], { stroke: kZero }),
      steps.some((s) => s.c.error > 0) ? Plot.areaY(steps, { x: "x", y1: (s) => s.c.value - 2 * s.c.error, y2: (s) => s.c.value + 2 * s.c.error, fill: "var(--zero)", fillOpacity: 0.3 }) : null,
      Plot.line(steps, { x: "x", y: (s) => s.c.value, stroke: "currentColor", strokeWidth: 1.8 }),
      curve.missing ? [
        curve.missing.error > 0 ? Plot.link([curve.missing], { x1: () => missingX, x2: () => missingX, y1: (c) => c.value - 2 * c.error, y2: (c) => c.value + 2 * c.error, stroke: "currentColor" }) : null,
        Plot.dot([curve.missing], { x: () => missingX, y: "value", fill: "currentColor", r: 4 }),
        Plot.text([curve.missing], { x: () => missingX, y: "value", text: () => "missing", dy: -10, fontSize: 11 }),
      ] : null,
      Plot.tip(shown, Plot.pointerX({ x: (c) => (c.x1 + c.x2) / 2, y: "value", title: (c) => `${curve.effect.name} from ${plain(Math.max(c.x1, curve.domain[0]))} to ${plain(c.x2)}\nadds ${signed(c.value)}${c.error ? ` (\u00b1 ${fixed(2 * c.error)})` : ""}\n${plain(c.weight)} rows` })),
    ],
  });
}

const rangeText = (feature: Feature, from: number, to: number): string => (feature.is_category ? cellText(feature, from, to) : `${plain(from)} to ${plain(to)}`);
// The middles of as many categories as there is room for names.
function codePlaces(feature: Feature, most: number): number[] {
  const n = numCodes(feature) - 1, step = Math.max(1, Math.ceil(n / Math.max(1, most)));
  return Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step + 0.5);
}

function drawSurface(surface: Surface, width: number, limit: number, tall: boolean): Element {
  const [a, b] = surface.features;
  const clip = (v: number, [from, to]: [number, number]) => Math.min(Math.max(v, from), to);
  const cells = surface.cells.map((c) => ({ ...c, x1: clip(c.x1, surface.domains[0]), x2: clip(c.x2, surface.domains[0]), y1: clip(c.y1, surface.domains[1]), y2: clip(c.y2, surface.domains[1]) })).filter((c) => c.x2 > c.x1 && c.y2 > c.y1);
  const known = cells.some((c) => c.weight > 0);
  const [[left, right], [bottom, top]] = surface.domains;
  const height = tall ? 380 : 230;
  // Where the rows are: columns below for one feature, bars to the right for the other.
  const [sx, sy] = [a, b].map((f, i) => (f.is_category || f.is_switch ? kLinear : scaleOf(surface.domains[i], medianEnd(along(surface.cells, i === 0 ? "x" : "y")))));
  const rightOf = (share: number): number => beyond(sx, surface.domains[0], share), below = (share: number): number => (share > 0 ? beyond(sy, surface.domains[1], -share) : bottom);
  const roomX = known ? 0.12 : 0, roomY = known ? 0.16 : 0;
  const columns = known ? slicesOn(sx, along(surface.cells, "x"), surface.domains[0], 0, a.is_category ? numCodes(a) : a.is_switch ? 2 : 40) : [], bars = known ? slicesOn(sy, along(surface.cells, "y"), surface.domains[1], 0, b.is_category ? numCodes(b) : b.is_switch ? 2 : 30) : [];
  const tallest = Math.max(...columns.map((s) => s.share), 1e-9), longest = Math.max(...bars.map((s) => s.share), 1e-9);
  const part = (s: Scale, from: number, to: number, [low, high]: [number, number], room: number): number => (s.to(to) - s.to(from)) / ((s.to(high) - s.to(low)) * (1 + room));
  const isRoomy = (c: Patch): boolean => part(sx, c.x1, c.x2, surface.domains[0], roomX) * width > 7 && part(sy, c.y1, c.y2, surface.domains[1], roomY) * height > 7;
  const unsure = cells.filter((c) => c.error > 0 && Math.abs(c.value) < 2 * c.error && c.weight > 0 && isRoomy(c));
  const spread = (c: Patch): string => (c.error > 0 ? ` (\u00b1 ${fixed(2 * c.error)})` : "");
  return Plot.plot({
    width, height, marginLeft: 52, marginBottom: 40, style: kStyle,
    x: { label: a.name, labelAnchor: "center", labelArrow: "none", type: sx.type, constant: sx.constant, domain: [left, rightOf(roomX)], ticks: a.is_category ? codePlaces(a, width / 50) : a.is_switch ? [0.25, 0.75] : scaleTicks(sx, surface.domains[0], width), tickFormat: (v: number) => (a.is_category ? short(valueText(a, v - 0.5), 50) : a.is_switch ? (v < 0.5 ? "0" : "1") : plain(v)) },
    y: { label: b.name, labelArrow: "none", type: sy.type, constant: sy.constant, domain: [below(roomY), top], ticks: b.is_category ? codePlaces(b, 14) : b.is_switch ? [0.25, 0.75] : scaleTicks(sy, surface.domains[1], height), tickFormat: (v: number) => (b.is_category ? short(valueText(b, v - 0.5), 50) : b.is_switch ? (v < 0.5 ? "0" : "1") : plain(v)) },
    marks: [
      Plot.rectY(columns, { x1: "x1", x2: "x2", y1: below(roomY), y2: (s) => below(roomY * (1 - 0.8 * Math.sqrt(s.share / tallest))), fill: "var(--zero)", fillOpacity: 0.45, inset: 0.3 }),
      Plot.rectX(bars, { y1: "x1", y2: "x2", x1: rightOf(roomX * 0.15), x2: (s) => rightOf(roomX * (0.15 + 0.85 * Math.sqrt(s.share / longest))), fill: "var(--zero)", fillOpacity: 0.45, inset: 0.3 }),
      Plot.rect(cells, {
        x1: "x1", x2: "x2", y1: "y1", y2: "y2", stroke: "none",
        fill: (c) => (c.value < 0 ? "var(--down)" : "var(--up)"), fillOpacity: (c) => Math.min(1, Math.abs(c.value) / limit),
        title: (c) => `${a.name} ${rangeText(a, c.x1, c.x2)}\n${b.name} ${rangeText(b, c.y1, c.y2)}\nadds ${signed(c.value)}${spread(c)}\n${plain(c.weight)} rows`, tip: true,
      }),
      known ? Plot.rect(cells.filter((c) => c.weight === 0), { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "var(--page)", fillOpacity: 0.7 }) : null,
      Plot.dot(unsure, { x: (c) => sx.from((sx.to(c.x1) + sx.to(c.x2)) / 2), y: (c) => sy.from((sy.to(c.y1) + sy.to(c.y2)) / 2), r: 1.3, fill: "currentColor" }),
      Plot.rect([0], { x1: left, x2: right, y1: bottom, y2: top, fill: "none", stroke: "var(--line)" }),
    ],
    opacity: { type: "identity" },
  });
}

const kDensityWords = "height by square root, rows of a cell spread evenly over it";
function specOf(drawn: Drawn, yDomain: [number, number], limit: number, tall: boolean): FigureSpec {
  const values = shownValues(drawn, 0);
  const low = Math.min(...values), high = Math.max(...values);
  const title = `${drawn.effect.name} adds ${signed(low, 2)} to ${signed(high, 2)}`;
  if (drawn.kind === "curve") {
    const outside = drawn.outside > 0.0005 ? ` ${share(drawn.outside, 1)} of the rows lie outside of what is drawn.` : "";
    const [mark, lines] = hasErrors(drawn) ? ["A dot", " Lines are two standard deviations over bags."] : ["A bar", ""];
    const errors = hasErrors(drawn) ? " The band is two standard deviations over bags." : "";
    return {
      id: `effect-${drawn.effect.name}`, title,
      how: drawn.feature.is_category ? `${mark} is what a category adds to the score, the highest first; rare and unknown ones are together. Of many, the most frequent are drawn, the rest is in the table.${lines}` : drawn.feature.is_switch ? `${mark} is what the feature adds to the score when it is off (0) or on (1).${lines}` : `The line is what a value adds to the score; grey columns below show how many rows have such values (${kDensityWords}).${hasZeroColumn(drawn.scale, drawn.zeros) ? ` The column before the axis: the ${share(drawn.zeros)} of rows at exactly 0; the axis is that of log(1 + x).` : ""}${errors}${outside}`,
      draw: (width) => drawCurve(drawn, width, yDomain, tall),
      records: () => drawn.feature.is_category ? categoryRows(drawn).map((r) => ({ category: r.name, adds: r.cell.value, error: r.cell.error, rows: r.cell.weight })) : [...drawn.cells.map((c) => ({ from: c.x1, to: c.x2, adds: c.value, error: c.error, rows: c.weight })), ...(drawn.missing ? [{ from: "missing", to: "missing", adds: drawn.missing.value, error: drawn.missing.error, rows: drawn.missing.weight }] : [])] as any,
    };
  }
  return {
    id: `effect-${drawn.effect.name}`, title,
    how: `Orange cells add to the score, blue cells take from it, full colour is ${fixed(limit, 2)}; pale cells hold no training row. Cells are as wide as their ranges; grey columns and bars show where rows are (by square root).${drawn.cells.some((c) => c.error > 0) ? " A dot: two standard deviations over bags reach to 0 and beyond." : ""}${drawn.hidden > 0 ? ` ${share(drawn.hidden, 1)} of the rows have one of the values missing and are in the table only.` : ""}`,
    draw: (width) => drawSurface(drawn, width, limit, tall),
    records: () => {
      const [first, second] = drawn.features;
      const range = (feature: Feature, x: (number | string)[]): Record<string, number | string> =>
        feature.is_category && typeof x[0] === "number" && typeof x[1] === "number" ? { [feature.name]: cellText(feature, x[0], x[1]) }
          : feature.is_category ? { [feature.name]: x[0] } : { [`${feature.name} from`]: x[0], [`${feature.name} to`]: x[1] };
      const record = (x: (number | string)[], y: (number | string)[], c: { value: number; error: number; weight: number }) =>
        ({ ...range(first, x), ...range(second, y), adds: c.value, error: c.error, rows: c.weight });
      const missing = ["missing", "missing"];
      return [...drawn.cells.map((c) => record([c.x1, c.x2], [c.y1, c.y2], c)), ...drawn.withMissing.map((c) => record(c.x ?? missing, c.y ?? missing, c))];
    },
  };
}

// Rows behind the curves are those of the training, as far as there are any.
function zerosOf(bundle: Bundle, feature: number): number {
  const stats = (bundle.train ?? bundle.data)?.stats;
  return stats && stats.features[feature] ? stats.features[feature].num_zeros / stats.num_rows : 0;
}

export async function effectsPart(setting: Setting): Promise<HTMLElement> {
  const { bundle, params } = setting;
  const model = modelOf(setting);
  const sort = params.get("sort") ?? "importance", search = (params.get("find") ?? "").toLowerCase(), scale = params.get("scale") ?? "one";
  const drawn = await Promise.all(model.effects.map((effect) => read(effect, effect.axes.map((axis) => bundle.features[axis.feature]), effect.axes.map((axis) => zerosOf(bundle, axis.feature)))));
  const curves = drawn.filter((d): d is Curve => d.kind === "curve"), surfaces = drawn.filter((d): d is Surface => d.kind === "surface");
  const range = (values: number[]): [number, number] => { const low = Math.min(0, ...values), high = Math.max(0, ...values), room = (high - low) * 0.06 || 0.1; return [low - room, high + room]; };
  const common = range(curves.flatMap((c) => shownValues(c)));
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
    h("p", {}, `A score is ${fixed(model.intercept, 3)} and the sum of ${curves.length} ${curves.length === 1 ? "curve" : "curves"}${surfaces.length ? ` and ${surfaces.length} ${surfaces.length === 1 ? "surface" : "surfaces"}` : ""}, nothing else. What a document gets for a value can be read off below. The score orders documents; it is not the grade.`),
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
  root.append(h("p", { class: "soft" }, `How to read these: a line is what a value adds to the score; grey columns show where training rows are (${kDensityWords}; where an axis is one of log(1 + x), the column before it holds the rows at exactly 0). Orange cells of a surface add, blue ones take away. Lines end where the middle 99 % of the rows end. Open one for its numbers.`));
  return root;
}
