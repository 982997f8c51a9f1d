// What the model uses: importances, a summary of attributions, and how the score depends on a feature.
import { Setting, modelOf } from "./context";
import { Parts, unpack } from "./bundle";
import { choice, figure, fixed, h, plain, select, share, signed, valueText } from "./dom";
import { effectsPart } from "./effects";
import { Dot, Plot, dots, hasZeroColumn, kInk, kStyle, kZero, nameRoom, scaleOf, scaleTicks, short, slicesOn, zeroStart } from "./plots";
import { go } from "./state";

const kMeasures: { value: string; text: string; how: (metric: string) => string; axis: (metric: string) => string }[] = [
  { value: "drop", text: "permutation", axis: (m) => `loss of ${m}`, how: (m) => `A dot is what ${m} loses when the feature's values are dealt out anew among all documents; the line is the 95 % interval over queries. A line that covers 0: perhaps of no use. Features that say the same share their importance.` },
  { value: "mean_amount_within", text: "within queries", axis: () => "mean |attribution| within queries", how: () => "The mean amount a feature adds to or takes from a document's score, without what is common to all documents of a query: this is what orders them." },
  { value: "mean_amount", text: "over all documents", axis: () => "mean |attribution|", how: () => "The mean amount a feature adds to or takes from a score. A feature of the query can be large here and have no say in any ranking." },
  { value: "gain", text: "gain", axis: () => "sum of gains", how: () => "What splits on the feature gained in training, in units of the objective. It describes the fit, not the ranking." },
  { value: "splits", text: "splits", axis: () => "splits", how: () => "How often trees split on the feature." },
];

export async function modelView(setting: Setting): Promise<HTMLElement> {
  const { bundle, store, params } = setting;
  const model = modelOf(setting);
  const measures = kMeasures.filter((m) => model.importance.some((i: any) => i[m.value] !== undefined));
  const measure = measures.find((m) => m.value === params.get("by")) ?? measures[0];
  const by = (f: number): number => (model.importance[f] as any)[measure.value] ?? 0;
  const order = bundle.features.map((_, f) => f).sort((a, b) => by(b) - by(a) || a - b);
  const most = params.get("all") ? order.length : 15;
  const root = h("div", {}, h("h2", {}, `Model: ${model.name}`), h("p", {}, `${model.kind[0].toUpperCase()}${model.kind.slice(1)}: ${model.size}. Trained for ${model.objective || "an unknown objective"}.`));
  if (model.effects.length > 0) root.append(await effectsPart(setting));
  root.append(h("h2", {}, "What it uses"));
  const rows: Dot[] = order.slice(0, most).map((f) => ({
    name: bundle.features[f].name, value: by(f),
    low: measure.value === "drop" ? model.importance[f].drop_low : undefined, high: measure.value === "drop" ? model.importance[f].drop_high : undefined,
  }));
  const grid = h("div", { class: "grid" });
  root.append(grid);
  grid.append(figure({
    id: "importance", title: `${rows[0]?.name ?? "nothing"} matters most, by ${measure.text === "permutation" ? "permutation" : measure.text}`,
    how: measure.how(bundle.metric), controls: [
      choice("importance", measures.map((m) => ({ value: m.value, text: m.text })), measure.value, (v) => go({ by: v })),
      order.length > 15 ? h("button", { type: "button", click: () => go({ all: params.get("all") ? null : "1" }) }, params.get("all") ? "first 15" : `all ${order.length}`) : null],
    draw: (width) => dots(rows, width, measure.axis(bundle.metric), { zero: true }),
    records: () => bundle.features.map((f, i) => ({ feature: f.name, ...model.importance[i] })),
  }));
  const parts = await store.parts(setting.model, 0);
  const feature = Math.max(0, bundle.features.findIndex((f) => f.name === (params.get("feature") ?? rows[0]?.name)));
  if (parts) {
    grid.append(await beeswarm(setting, parts, order.slice(0, 15)));
    root.append(h("h2", {}, "How the score depends on one feature"), h("div", { class: "controls" },
      select("feature", [...order].map((f) => ({ value: bundle.features[f].name, text: bundle.features[f].name })), bundle.features[feature].name, (v) => go({ feature: v }))));
    const two = h("div", { class: "grid" }, await scatter(setting, parts, feature), await partial(setting, feature));
    root.append(two);
  }
  return root;
}

const kMostDots = 350;  // a feature's row holds no more that can be told apart

async function beeswarm(setting: Setting, parts: Parts, features: number[]): Promise<HTMLElement> {
  const { bundle, store, params } = setting;
  const kind = params.get("swarm") ?? "within";
  const step = Math.max(1, Math.floor(store.numDocuments / kMostDots));
  const within = kind === "within";
  const points: { name: string; x: number; y: number; place: number; document: number; value: number }[] = [];
  let names: string[] = [];
  for (const f of features) {
    const column = await store.column(f);
    const means = new Float64Array(store.numQueries);
    if (within) for (let q = 0; q < store.numQueries; ++q) {
      const [begin, end] = store.rows(q);
      for (let d = begin; d < end; ++d) means[q] += parts.part(d, f) / (end - begin);
    }
    names.push(bundle.features[f].name);
    for (let d = 0; d < store.numDocuments; d += step) {
      points.push({ name: bundle.features[f].name, x: parts.part(d, f) - means[store.queryOf[d]], y: 0, place: column.place(d), document: d, value: column.value(d) });
    }
  }
  names = [...new Set(names)];
  return figure({
    id: "summary", title: `What features add to scores, ${within ? "within queries" : "over all documents"}`,
    how: `A dot is a document (${step > 1 ? `one of every ${step} is drawn` : "all are drawn"}); right of 0 the feature raises its score. The stronger its colour, the higher its value among all documents; grey: missing. ${within ? "What is common to all documents of a query is taken off: only the rest orders them." : "What is common to a query's documents is still in it and orders none of them."}`,
    controls: choice("attributions", [{ value: "within", text: "within queries" }, { value: "all", text: "over all" }], kind, (v) => go({ swarm: v })),
    draw: (width) => {
      const room = nameRoom(names, width), rowHeight = 26, inner = width - room - 20;
      const low = Math.min(...points.map((p) => p.x)), high = Math.max(...points.map((p) => p.x)), pixels = inner / (high - low || 1);
      for (const name of names) {  // dots of one place beside each other
        const taken = new Map<number, number>();
        for (const p of points.filter((q) => q.name === name)) {
          const at = Math.round((p.x * pixels) / 3), n = taken.get(at) ?? 0;
          taken.set(at, n + 1);
          p.y = ((n % 2 ? 1 : -1) * Math.ceil(n / 2) * 1.9);
        }
        const tallest = Math.max(...points.filter((q) => q.name === name).map((p) => Math.abs(p.y)), 1);
        if (tallest > rowHeight / 2 - 2) for (const p of points) if (p.name === name) p.y *= (rowHeight / 2 - 2) / tallest;
      }
      const place = new Map(names.map((n, i) => [n, i]));
      return Plot.plot({
        width, height: 44 + rowHeight * names.length, marginLeft: room, marginRight: 20, marginTop: 6, marginBottom: 40, style: kStyle,
        x: { label: "added to the score", grid: true, labelAnchor: "center", labelArrow: "none", ticks: Math.max(3, width / 110) },
        y: { label: null, domain: [-0.5, names.length - 0.5], reverse: true, ticks: names.map((_, i) => i), tickFormat: (i: number) => short(names[i], room), tickSize: 0 },
        color: { type: "linear", domain: [0, 0.5, 1], range: ["#000", "#000", "#000"] },
        marks: [
          Plot.ruleX([0], { stroke: kZero }),
          Plot.dot(points, {
            x: "x", y: (p) => place.get(p.name)! + p.y / rowHeight, r: 1.7,
            fill: (p) => (Number.isNaN(p.place) ? "var(--zero)" : `color-mix(in srgb, var(--high) ${Math.round(100 * p.place)}%, var(--low))`),
          }),
          Plot.tip(points, Plot.pointer({ x: "x", y: (p) => place.get(p.name)!, maxRadius: 12, title: (p) => `${bundle.documents.names[p.document]}\n${p.name} = ${valueText(bundle.features.find((f) => f.name === p.name)!, p.value, p.document)}: ${signed(p.x)}` })),
        ],
      });
    },
    records: () => points.map((p) => ({ feature: p.name, query: bundle.documents.queries[store.queryOf[p.document]], document: bundle.documents.names[p.document], value: p.value, adds: p.x })),
  });
}

// Correlation of what is left of the attribution with another feature's place: whose value goes with it.
async function strongestPartner(setting: Setting, parts: Parts, feature: number): Promise<number> {
  const { store, bundle } = setting;
  const column = await store.column(feature);
  const step = Math.max(1, Math.floor(store.numDocuments / 600));
  const documents: number[] = [];
  for (let d = 0; d < store.numDocuments; d += step) if (!Number.isNaN(column.value(d))) documents.push(d);
  documents.sort((a, b) => column.value(a) - column.value(b));
  const window = 15;
  const rest = documents.map((d, i) => {
    let sum = 0, n = 0;
    for (let j = Math.max(0, i - window); j < Math.min(documents.length, i + window + 1); ++j) { sum += parts.part(documents[j], feature); ++n; }
    return parts.part(d, feature) - sum / n;
  });
  let best = -1, strongest = -1;
  for (let f = 0; f < bundle.features.length; ++f) {
    if (f === feature) continue;
    const other = await store.column(f);
    let xy = 0, xx = 0, yy = 0;
    documents.forEach((d, i) => { const x = (other.place(d) || 0.5) - 0.5; xy += x * rest[i]; xx += x * x; yy += rest[i] * rest[i]; });
    const r = xx > 0 && yy > 0 ? Math.abs(xy) / Math.sqrt(xx * yy) : 0;
    if (r > strongest) { strongest = r; best = f; }
  }
  return best;
}

async function scatter(setting: Setting, parts: Parts, feature: number): Promise<HTMLElement> {
  const { bundle, store, params } = setting;
  const column = await store.column(feature);
  const given = bundle.features.findIndex((f) => f.name === params.get("colour"));
  const partner = given >= 0 ? given : await strongestPartner(setting, parts, feature);
  const other = partner >= 0 ? await store.column(partner) : null;
  const step = Math.max(1, Math.floor(store.numDocuments / 2000));
  const points: { x: number; y: number; d: number; place: number }[] = [];
  let numMissing = 0;
  for (let d = 0; d < store.numDocuments; d += step) {
    if (Number.isNaN(column.value(d))) { ++numMissing; continue; }
    points.push({ x: column.value(d), y: parts.part(d, feature), d, place: other ? other.place(d) : 0.5 });
  }
  const info = bundle.features[feature], name = info.name;
  const sorted = points.map((p) => ({ x: p.x, weight: 1 })).sort((a, b) => a.x - b.x);
  const domain: [number, number] = [sorted[0]?.x ?? 0, sorted.at(-1)?.x ?? 1], scale = scaleOf(domain, medianOf(sorted));
  const ticks = info.is_category ? [...new Set(points.map((p) => Math.trunc(p.x)))].sort((a, b) => a - b).slice(0, 30) : [];
  return figure({
    id: "dependence", title: `What ${name} adds to scores, by its value`,
    how: `A dot is a document. Dots above each other have the same value and yet get another amount: other features change it. Colour: ${other ? bundle.features[partner].name : "none"}, the stronger the higher${given < 0 ? " (the feature that goes with the spread most)" : ""}.${numMissing ? ` ${numMissing} documents without a value are not drawn.` : ""}`,
    controls: select("colour by", bundle.features.map((f) => ({ value: f.name, text: f.name })).filter((_, f) => f !== feature), partner >= 0 ? bundle.features[partner].name : "", (v) => go({ colour: v })),
    draw: (width) => Plot.plot({
      width, height: 280, marginLeft: 48, marginBottom: 40, style: kStyle,
      x: info.is_category ? { label: name, type: "linear", ticks, tickFormat: (v: number) => (ticks.length > width / 60 ? "" : short(valueText(info, v), 60)), labelAnchor: "center", labelArrow: "none" } : info.is_switch ? { label: name, type: "linear", domain: [-0.5, 1.5], ticks: [0, 1], tickFormat: plain, labelAnchor: "center", labelArrow: "none" } : { label: name, labelAnchor: "center", labelArrow: "none", type: scale.type, constant: scale.constant, ticks: scaleTicks(scale, domain, width), tickFormat: plain },
      y: { label: "added to the score", labelArrow: "none", grid: true, ticks: 5 },
      marks: [
        Plot.ruleY([0], { stroke: kZero }),
        Plot.dot(points, { x: (p) => (info.is_switch || info.is_category ? p.x + 0.35 * (((p.d * 7919) % 101) / 101 - 0.5) : p.x), y: "y", r: 2.2, fillOpacity: 0.85, fill: (p) => (Number.isNaN(p.place) ? "var(--zero)" : `color-mix(in srgb, var(--high) ${Math.round(100 * p.place)}%, var(--low))`) }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "y", maxRadius: 15, title: (p) => `${bundle.documents.names[p.d]}\n${name} = ${valueText(info, p.x, p.d)}: ${signed(p.y)}` })),
      ],
    }),
    records: () => points.map((p) => ({ document: bundle.documents.names[p.d], [name]: p.x, adds: p.y, place_of_colour: p.place })),
  });
}

// The value that half of the rows do not exceed.
function medianOf(points: { x: number; weight: number }[]): number {
  const total = points.reduce((sum, p) => sum + p.weight, 0);
  let sum = 0;
  return points.find((p) => (sum += p.weight) >= total / 2)?.x ?? 0;
}

async function partial(setting: Setting, feature: number): Promise<HTMLElement | null> {
  const { bundle } = setting;
  const dependence = modelOf(setting).dependence.find((d) => d.feature === feature);
  const info = bundle.features[feature], name = info.name;
  if (!dependence) {
    return modelOf(setting).effects.length > 0 ? null : h("p", { class: "soft" }, `${name} is not among the ${modelOf(setting).dependence.length} most important features: there is no curve of it. --dependence-features makes more.`);
  }
  const points = await unpack(dependence.points), weights = await unpack(dependence.weights), values = await unpack(dependence.partial);
  const rows = Array.from(points, (x, i) => ({ x, y: values[i], weight: weights[i] ?? 0, series: "partial dependence" }));
  const missing = rows.find((r) => Number.isNaN(r.x) && r.weight > 0);
  const line = rows.filter((r) => !Number.isNaN(r.x));
  const ale = dependence.ale ? Array.from(await unpack(dependence.ale_points!), (x, i) => ({ x, y: NaN, i })) : [];
  if (dependence.ale) { const a = await unpack(dependence.ale); ale.forEach((r) => (r.y = a[r.i])); }
  const aleLine = ale.filter((r) => !Number.isNaN(r.x));
  const domain: [number, number] = [line[0]?.x ?? 0, line.at(-1)?.x ?? 1];
  const known = line.reduce((sum, r) => sum + r.weight, 0), zeros = known ? (line.find((r) => r.x === 0)?.weight ?? 0) / known : 0;
  const scale = scaleOf(domain, medianOf(line));
  const slices = info.is_switch || info.is_category ? [] : slicesOn(scale, line.map((r, i) => ({ x1: i ? line[i - 1].x : r.x, x2: r.x, weight: r.weight })), domain, zeros, 48);
  const most = Math.max(...slices.map((s) => s.share), 1e-9);
  const low = Math.min(...line.map((r) => r.y), ...aleLine.map((r) => r.y), 0), high = Math.max(...line.map((r) => r.y), ...aleLine.map((r) => r.y), 0), room = (high - low) * 0.2 || 1;
  const total = rows.reduce((sum, r) => sum + r.weight, 0);
  return figure({
    id: "partial", title: `The mean score, when every document has the same ${name}`,
    how: (info.is_switch || info.is_category ? "A dot is the mean score with this value in all documents, less its mean."
      : `Solid: partial dependence, the mean score with this value in all documents, less its mean. ${aleLine.length ? "Dashed: accumulated local effects, which move documents only within their own range; where the two part, the feature goes together with others. " : ""}Grey columns: where documents are (height by square root)${hasZeroColumn(scale, zeros) ? "; the one before the axis of log(1 + x): those at exactly 0" : ""}.`) + (missing ? ` Missing values (${share(missing.weight / total, 1)}): ${signed(missing.y)}.` : ""),
    draw: (width) => info.is_switch || info.is_category
      ? dots((info.is_category ? [...line].sort((a, b) => b.weight - a.weight).slice(0, 20).sort((a, b) => b.y - a.y) : line).map((r) => ({ name: valueText(info, r.x), value: r.y })), width, "mean score, less its mean", { zero: true })
      : Plot.plot({
        width, height: 280, marginLeft: 48, marginBottom: 40, style: kStyle,
        x: { label: name, labelAnchor: "center", labelArrow: "none", type: scale.type, constant: scale.constant, domain: [zeroStart(scale, domain, zeros), domain[1]], ticks: scaleTicks(scale, domain, width), tickFormat: plain }, y: { label: "mean score, less its mean", labelArrow: "none", domain: [low - room, high + room * 0.2], grid: true, ticks: 5 },
        marks: [
          Plot.rectY(slices, { x1: "x1", x2: "x2", y1: low - room, y2: (s) => low - room + room * 0.8 * Math.sqrt(s.share / most), fill: "var(--line)", inset: 0.3 }),
          Plot.ruleY([0], { stroke: kZero }),
          Plot.line(aleLine, { x: "x", y: "y", stroke: "var(--soft)", strokeDasharray: "4,3" }),
          Plot.line(line, { x: "x", y: "y", stroke: kInk, strokeWidth: 1.8, curve: "step-before" }),
          Plot.tip(line, Plot.pointerX({ x: "x", y: "y", title: (r) => `${name} = ${plain(r.x)}: ${signed(r.y)}` })),
        ],
      }),
    records: () => rows.map((r) => ({ [name]: Number.isNaN(r.x) ? "missing" : info.is_category ? valueText(info, r.x) : r.x, partial_dependence: Number(fixed(r.y, 6).replace("\u2212", "-")), rows: r.weight })),
  });
}
