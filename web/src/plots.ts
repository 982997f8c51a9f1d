// What all drawings share: colours, axes, and the plots that several views use.
import * as Plot from "@observablehq/plot";
import { scaleLog, ticks } from "d3";
import { digitsFor, fixed, plain, signed } from "./dom";

export const kUp = "var(--up)";
export const kDown = "var(--down)";
export const kInk = "currentColor";
export const kZero = "var(--zero)";
export const kStyle = { fontSize: "12px", fontFamily: "inherit", background: "transparent", color: "var(--ink)", fontVariantNumeric: "tabular-nums" };
export const colourOf = (value: number): string => (value < 0 ? kDown : kUp);

// As wide as the reader's font makes it.
let pen: CanvasRenderingContext2D | null = null;
function textWidth(text: string): number {
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d")!;
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return pen.measureText(text).width;
}
const kGap = 12;  // between a name and what it names
// Names on the left get the room they need, some third of the width at most, on a phone half.
export function nameRoom(names: string[], width: number): number {
  return Math.min(Math.max(40, kGap + Math.max(0, ...names.map(textWidth))), Math.max(100, width * (width < 480 ? 0.46 : 0.38)));
}
export function short(name: string, room: number): string {
  if (textWidth(name) <= room - kGap) return name;
  let length = name.length - 1;
  while (length > 1 && textWidth(name.slice(0, length) + "\u2026") > room - kGap) --length;
  return name.slice(0, length) + "\u2026";
}

// "name = value" where there is too little room: the name gives way, the value stays.
export function shortPart(label: string, room: number): string {
  const at = label.lastIndexOf(" = ");
  if (at < 0 || textWidth(label) <= room - kGap) return short(label, room);
  const value = label.slice(at);
  const left = room - textWidth(value);
  return left < 30 ? short(label, room) : short(label.slice(0, at), left) + value;
}

export interface Dot { name: string; value: number; low?: number; high?: number; colour?: string; note?: string }
// Dots with intervals, one a line; from 0 where that is within reach.
export function dots(rows: Dot[], width: number, label: string, options: { zero?: boolean; domain?: [number, number]; chosen?: string } = {}): SVGSVGElement | HTMLElement {
  const room = nameRoom(rows.map((r) => r.name), width);
  const digits = digitsFor(rows.map((r) => r.value));
  return Plot.plot({
    width, height: 40 + 23 * rows.length, marginLeft: room, marginRight: 56, marginTop: 6, marginBottom: 40, style: kStyle,
    x: { label, grid: true, nice: true, zero: options.zero, domain: options.domain, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
    y: { label: null, domain: rows.map((r) => r.name), tickFormat: (name: string) => short(name, room), tickSize: 0 },
    marks: [
      options.zero ? Plot.ruleX([0], { stroke: kZero }) : null,
      Plot.link(rows.filter((r) => r.low !== undefined), { x1: "low", x2: "high", y1: "name", y2: "name", stroke: (r: Dot) => r.colour ?? kInk, strokeWidth: 1.5 }),
      Plot.dot(rows, { x: "value", y: "name", r: 4.5, fill: (r: Dot) => r.colour ?? kInk, title: (r: Dot) => `${r.name}: ${fixed(r.value, digits)}${r.low !== undefined ? ` (${fixed(r.low, digits)} to ${fixed(r.high, digits)})` : ""}${r.note ? "\n" + r.note : ""}`, tip: true }),
      Plot.text(rows, { x: (r: Dot) => Math.max(r.value, r.high ?? r.value), y: "name", text: (r: Dot) => fixed(r.value, digits), textAnchor: "start", dx: 9 }),
    ],
  }) as SVGSVGElement;
}

// `error`: the standard error of the amount; none, or 0: exact, or not known.
export interface Part { feature: number; name: string; value: string; amount: number; error?: number }
const kOthers = -1;
// The largest parts, and all others as one.
export function largest(parts: Part[], most: number): Part[] {
  const order = parts.filter((p) => p.amount !== 0).sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount));
  if (order.length <= most) return order;
  const rest = order.slice(most - 1);
  return [...order.slice(0, most - 1), { feature: kOthers, name: `${rest.length} other features`, value: "", amount: rest.reduce((sum, p) => sum + p.amount, 0), error: Math.hypot(...rest.map((p) => p.error ?? 0)) }];
}
export const kErrorWords = " A thin line over the end of a bar is two standard errors to either side: the explainer drew samples.";
export const hasErrors = (parts: Part[]): boolean => parts.some((p) => (p.error ?? 0) > 0);
// Two standard errors around the end of each bar.
interface Ended { p: Part; name: string; end: number }
const errorLines = (bars: Ended[]) => Plot.link(bars.filter((b) => (b.p.error ?? 0) > 0), { x1: (b: Ended) => b.end - 2 * b.p.error!, x2: (b: Ended) => b.end + 2 * b.p.error!, y1: "name", y2: "name", stroke: kInk, strokeWidth: 1.5, className: "errors" });
const amountText = (p: Part, digits: number): string => signed(p.amount, digits) + (p.error ? ` \u00b1 ${fixed(2 * p.error, digits)}` : "");
const labelOf = (p: Part): string => (p.value ? `${p.name} = ${p.value}` : p.name);

// From the base to the score, one part after the other.
export function waterfall(parts: Part[], base: number, label: string, width: number, ends: [string, string] = ["no feature known", "score"]): Element {
  let at = base;
  const bars = parts.map((p) => { const from = at; at += p.amount; return { p, name: labelOf(p), from, to: at, end: at }; });
  const rows = [ends[0], ...bars.map((b) => b.name), ends[1]];
  const room = nameRoom(rows, width);
  const digits = digitsFor(parts.map((p) => p.amount));
  return Plot.plot({
    width, height: 46 + 25 * rows.length, marginLeft: room, marginRight: 50, marginTop: 6, marginBottom: 40, style: kStyle,
    x: { label, grid: true, nice: true, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
    y: { label: null, domain: rows, tickFormat: (n: string) => shortPart(n, room), tickSize: 0, padding: 0.28 },
    marks: [
      Plot.ruleX([base], { stroke: kZero, strokeDasharray: "2,3" }),
      Plot.barX(bars, { x1: "from", x2: "to", y: "name", fill: (b) => colourOf(b.p.amount), title: (b) => `${b.name}: ${amountText(b.p, digits)}`, tip: true }),
      errorLines(bars),
      Plot.text(bars, { x: (b) => Math.max(b.from, b.to + 2 * (b.p.error ?? 0)), y: "name", text: (b) => signed(b.p.amount, digits), textAnchor: "start", dx: 5 }),
      Plot.dot([{ x: base, y: ends[0] }, { x: at, y: ends[1] }], { x: "x", y: "y", fill: kInk, r: 4 }),
      Plot.text([{ x: base, y: ends[0] }, { x: at, y: ends[1] }], { x: "x", y: "y", text: (d) => fixed(d.x, digits), textAnchor: "start", dx: 9, fontWeight: 600 }),
    ],
  });
}

// All that raises pushes from the left, all that lowers from the right; they meet at the score.
export function force(parts: Part[], base: number, label: string, width: number): Element {
  const up = parts.filter((p) => p.amount > 0).sort((a, b) => a.amount - b.amount);
  const down = parts.filter((p) => p.amount < 0).sort((a, b) => b.amount - a.amount);
  const score = base + parts.reduce((sum, p) => sum + p.amount, 0);
  const segments: { p: Part; x1: number; x2: number }[] = [];
  let left = score - up.reduce((sum, p) => sum + p.amount, 0);
  for (const p of up) { segments.push({ p, x1: left, x2: left + p.amount }); left += p.amount; }
  let right = score;
  for (const p of [...down].reverse()) { segments.push({ p, x1: right, x2: right - p.amount }); right -= p.amount; }
  const span = Math.max(...segments.map((s) => s.x2), base) - Math.min(...segments.map((s) => s.x1), base) || 1;
  const wide = segments.filter((s) => ((s.x2 - s.x1) / span) * width > 7 * 8);
  return Plot.plot({
    width, height: 150, marginTop: 44, marginBottom: 40, marginLeft: 12, marginRight: 12, style: kStyle,
    x: { label, grid: true, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
    y: { axis: null, domain: [0, 1] },
    marks: [
      Plot.rect(segments, { x1: "x1", x2: "x2", y1: 0.25, y2: 0.75, fill: (s) => colourOf(s.p.amount), stroke: "var(--page)", strokeWidth: 1.5, title: (s) => `${labelOf(s.p)}: ${amountText(s.p, 3)}`, tip: true }),
      Plot.text(wide, { x: (s) => (s.x1 + s.x2) / 2, y: 0.12, text: (s) => short(labelOf(s.p), ((s.x2 - s.x1) / span) * width), fontSize: 11 }),
      Plot.ruleX([score], { stroke: kInk, strokeWidth: 2, y1: 0.15, y2: 0.9 }),
      Plot.text([score], { x: (d) => d, y: 1, text: (d) => `score ${fixed(d)}`, dy: -8, fontWeight: 600 }),
      Plot.ruleX([base], { stroke: kZero, strokeDasharray: "2,3", y1: 0.15, y2: 0.9 }),
      Plot.text([base], { x: (d) => d, y: 1, text: () => "no feature known", dy: -24, fill: "var(--soft)" }),
    ],
  });
}

// Bars to either side of 0: why A is above B.
export function sides(parts: Part[], label: string, width: number): Element {
  const rows = parts.map((p) => ({ p, name: labelOf(p), end: p.amount }));
  const room = nameRoom(rows.map((r) => r.name), width);
  const digits = digitsFor(parts.map((p) => p.amount));
  return Plot.plot({
    width, height: 46 + 25 * rows.length, marginLeft: room, marginRight: 50, marginTop: 6, marginBottom: 40, style: kStyle,
    x: { label, grid: true, nice: true, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
    y: { label: null, domain: rows.map((r) => r.name), tickFormat: (n: string) => shortPart(n, room), tickSize: 0, padding: 0.28 },
    marks: [
      Plot.barX(rows, { x: (r) => r.p.amount, y: "name", fill: (r) => colourOf(r.p.amount), title: (r) => `${r.name}: ${amountText(r.p, digits)}`, tip: true }),
      errorLines(rows),
      Plot.text(rows, { x: (r) => Math.max(0, r.p.amount + 2 * (r.p.error ?? 0)), y: "name", text: (r) => signed(r.p.amount, digits), textAnchor: "start", dx: 5 }),
      Plot.ruleX([0], { stroke: kZero }),
    ],
  });
}

// A line for each document, from the base at the bottom to its score at the top.
export interface DecisionLine { name: string; base: number; parts: number[]; chosen: boolean }
export function decision(lines: DecisionLine[], order: { feature: number; name: string }[], label: string, width: number): Element {
  const room = nameRoom(order.map((o) => o.name), width);
  const points = lines.flatMap((line) => {
    let at = line.base;
    const shown = new Set(order.map((o) => o.feature));
    line.parts.forEach((part, f) => { if (!shown.has(f)) at += part; });
    return [{ x: at, y: order.length, line }, ...[...order].reverse().map((o, i) => ({ x: (at += line.parts[o.feature]), y: order.length - 1 - i, line }))];
  });
  const middle = lines.length ? points.filter((p) => p.y === order.length).reduce((sum, p) => sum + p.x, 0) / lines.length : 0;
  return Plot.plot({
    width, height: 56 + 22 * order.length, marginLeft: room, marginRight: 20, marginTop: 10, marginBottom: 40, style: kStyle,
    x: { label, grid: true, nice: true, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
    y: { label: null, domain: [order.length, -0.2], ticks: order.map((_, i) => i + 0.5), tickFormat: (y: number) => short(order[Math.floor(y)]?.name ?? "", room), tickSize: 0 },
    marks: [
      Plot.ruleX([middle], { stroke: kZero, strokeDasharray: "2,3" }),
      Plot.line(points.filter((p) => !p.line.chosen), { x: "x", y: "y", z: (p) => p.line.name, stroke: "var(--zero)", strokeOpacity: 0.55, strokeWidth: 1 }),
      Plot.line(points.filter((p) => p.line.chosen), { x: "x", y: "y", z: (p) => p.line.name, stroke: kInk, strokeWidth: 2.5 }),
      Plot.text(points.filter((p) => p.line.chosen && p.y === 0), { x: "x", y: "y", text: (p) => short(p.line.name, 150), dy: -8, fontWeight: 600 }),
      Plot.tip(points, Plot.pointer({ x: "x", y: "y", title: (p) => `${p.line.name}\n${fixed(p.x)}` })),
    ],
  });
}

// How much data lies where: equal slices of the axis; heights by square root, so that a common
// value does not flatten all others.
export function density(cells: { x1: number; x2: number; weight: number }[], domain: [number, number], slices = 48): { x1: number; x2: number; share: number }[] {
  const width = (domain[1] - domain[0]) / slices || 1;
  const shares = new Float64Array(slices);
  let total = 0;
  for (const cell of cells) {
    total += cell.weight;
    const x1 = Math.max(cell.x1, domain[0]), x2 = Math.min(cell.x2, domain[1]);
    if (x2 <= x1) {  // a single value, or outside
      const s = Math.floor((x1 - domain[0]) / width);
      if (cell.x1 === cell.x2 && x1 === x2 && s >= 0 && s <= slices) shares[Math.min(s, slices - 1)] += cell.weight;
      continue;
    }
    for (let s = Math.max(0, Math.floor((x1 - domain[0]) / width)); s < slices && domain[0] + s * width < x2; ++s) {
      const overlap = Math.min(x2, domain[0] + (s + 1) * width) - Math.max(x1, domain[0] + s * width);
      if (overlap > 0) shares[s] += (cell.weight * overlap) / (x2 - x1);
    }
  }
  return Array.from(shares, (weight, s) => ({ x1: domain[0] + s * width, x2: domain[0] + (s + 1) * width, share: total ? weight / total : 0 }));
}
// An axis of values: logarithmic where most of the rows lie low on it; log(1 + x) where it begins
// with 0, as that of counts does.
export interface Scale { type: "linear" | "log" | "symlog"; constant?: number; to: (x: number) => number; from: (y: number) => number }
export const kLinear: Scale = { type: "linear", to: (x) => x, from: (y) => y };
const kLog: Scale = { type: "log", to: (x) => Math.log10(Math.max(x, Number.MIN_VALUE)), from: (y) => 10 ** y };
const kLog1p: Scale = { type: "symlog", constant: 1, to: (x) => Math.sign(x) * Math.log1p(Math.abs(x)), from: (y) => Math.sign(y) * Math.expm1(Math.abs(y)) };
// A single small value is no reason: half of the rows must lie in this part of the axis.
const kLow = 0.1;
export function scaleOf([from, to]: [number, number], median: number): Scale {
  if (median - from >= kLow * (to - from)) return kLinear;
  if (from > 0 && to / from > 300) return kLog;
  return from === 0 && to > 20 ? kLog1p : kLinear;
}
export function scaleTicks(scale: Scale, [from, to]: [number, number], width: number): number[] {
  if (scale.type === "linear") return ticks(from, to, Math.max(3, Math.floor(width / 80)));
  if (scale.type === "log") return scaleLog().domain([from, to]).ticks(3);
  const powers = Array.from({ length: 1 + Math.floor(Math.log10(to)) }, (_, i) => 10 ** i);
  const some = powers.length < 4 ? powers.flatMap((p) => [p, 3 * p]).filter((t) => t <= to) : powers;
  return [0, ...some];
}
// Beyond the end of the axis as it is drawn, or (less than 0) before its beginning, by a share of
// its length.
export function beyond(scale: Scale, [from, to]: [number, number], length: number): number {
  const a = scale.to(from), b = scale.to(to);
  return scale.from(length < 0 ? a + (b - a) * length : b + (b - a) * length);
}
// Equal slices of the axis as it is drawn. Rows at exactly 0 are a column of their own before an axis
// of log(1 + x): they would be spread over all that is less than the first border.
const kZeroRoom = 0.08;
export interface Slice { x1: number; x2: number; share: number }
export function slicesOn(scale: Scale, cells: { x1: number; x2: number; weight: number }[], domain: [number, number], zeros: number, slices: number): Slice[] {
  const total = cells.reduce((sum, c) => sum + c.weight, 0);
  const own = hasZeroColumn(scale, zeros) ? Math.min(zeros, 1) : 0;
  let left = own * total;  // rows at 0 that are taken out of the cells that hold 0
  const rest = cells.map((c) => {
    const taken = c.x1 <= 0 && c.x2 >= 0 ? Math.min(left, c.weight) : 0;
    left -= taken;
    return { x1: scale.to(Math.max(c.x1, scale.type === "log" ? domain[0] / 10 : c.x1)), x2: scale.to(Math.max(c.x2, scale.type === "log" ? domain[0] / 10 : c.x2)), weight: c.weight - taken };
  });
  const all = density(rest, [scale.to(domain[0]), scale.to(domain[1])], slices).map((s) => ({ x1: scale.from(s.x1), x2: scale.from(s.x2), share: s.share * (1 - own) }));
  return own > 0 ? [{ x1: beyond(scale, domain, -kZeroRoom), x2: beyond(scale, domain, -kZeroRoom / 4), share: own }, ...all] : all;
}
export const hasZeroColumn = (scale: Scale, zeros: number): boolean => scale.type === "symlog" && zeros > 0;
// Where an axis begins that has a column of rows at 0 before it.
export const zeroStart = (scale: Scale, domain: [number, number], zeros: number): number => (hasZeroColumn(scale, zeros) ? beyond(scale, domain, -kZeroRoom) : domain[0]);

// Labels beside the ends of lines, moved apart where they would lie on each other; `room` is the
// height of a line in units of the axis.
export function apart<T>(labels: T[], at: (label: T) => number, room: number): { label: T; y: number }[] {
  const placed = labels.map((label) => ({ label, y: at(label) })).sort((a, b) => b.y - a.y);
  for (let i = 1; i < placed.length; ++i) placed[i].y = Math.min(placed[i].y, placed[i - 1].y - room);
  return placed;
}
export { Plot, plain };
