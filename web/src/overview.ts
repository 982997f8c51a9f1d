// What was trained on what, how good it is, and what to know first.
import { Setting } from "./context";
import { Model, Stats } from "./bundle";
import { count, figure, fixed, h, pText, select, signed, share, table } from "./dom";
import { apart, dots, kDown, kStyle, kUp, Plot } from "./plots";
import { go } from "./state";

function dataFacts(name: string, file: string, stats: Stats): [string, string][] {
  const sizes = stats.documents_per_query;
  return [
    [name, file],
    ["documents", `${count(stats.num_rows)} in ${count(stats.num_queries)} queries`],
    ["documents in a query", `${sizes.min} to ${sizes.max}, median ${sizes.median}`],
    ["grades", stats.grades.map((g) => `${g.grade}: ${share(g.num_rows / stats.num_rows)}`).join(", ")],
    ["missing values", stats.num_missing === 0 ? "none" : `${count(stats.num_missing)} (${share(stats.num_missing / (stats.num_rows * stats.num_features), 1)})`],
  ];
}
const list = (facts: [string, string][]): HTMLElement => h("dl", { class: "definitions" }, facts.flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]));

export function overview(setting: Setting): HTMLElement {
  const { bundle, params } = setting;
  const metrics: any[] = bundle.comparison.metrics;
  const metric = metrics.find((m) => m.metric === params.get("metric")) ?? metrics[0];
  const best = metric.systems[0];
  const single = metric.systems.slice(bundle.models.length)[0];
  const first = bundle.models[0];
  const level = Math.round(100 * (1 - bundle.comparison.alpha));
  const root = h("div", {},
    h("h2", {}, "Overview"),
    h("dl", { class: "facts" },
      h("div", {}, h("dt", {}, `${metric.metric} of ${first.name}`), h("dd", {}, fixed(best.mean, 4), first.seen ? h("small", { class: "seen" }, `measured on its ${first.seen}`) : null, h("small", {}, `${level} % interval ${fixed(best.interval[0], 3)} to ${fixed(best.interval[1], 3)}`))),
      single ? h("div", {}, h("dt", {}, "best single feature"), h("dd", {}, fixed(single.mean, 4), h("small", {}, single.system))) : null,
      h("div", {}, h("dt", {}, "queries ranked"), h("dd", {}, count(metric.num_queries), h("small", {}, `${count(bundle.data!.stats.num_rows)} documents`))),
      h("div", {}, h("dt", {}, "the model"), h("dd", {}, first.kind, h("small", {}, first.size)))),
    bundle.warnings.length ? h("section", { class: "warnings", "aria-label": "Warnings" }, h("h3", {}, "Know this first"), h("ul", {}, bundle.warnings.map((text) => h("li", {}, text)))) : null);

  const rows = metric.systems.map((s: any, i: number) => ({ name: s.system, value: s.mean, low: s.interval[0], high: s.interval[1], note: bundle.notes[i] }));
  root.append(figure({
    id: "quality", title: `${metric.metric} of ${rows.length} rankings on ${count(metric.num_queries)} queries`,
    how: `A dot is the mean over queries, its line the ${level} % bootstrap interval. Whether a difference is real is in the table: intervals of two means may overlap and their difference still be sure.`,
    controls: select("metric", metrics.map((m) => ({ value: m.metric, text: m.metric })), metric.metric, (value) => go({ metric: value })),
    draw: (width) => dots(rows, width, `mean ${metric.metric}`),
    records: () => rows.map((r: any) => ({ ranking: r.name, what: r.note, mean: r.value, low: r.low, high: r.high })), hasTable: true,
  }));
  root.append(table(
    [{ name: "ranking" }, { name: "what it is" }, { name: "mean", number: true }, { name: `less ${metric.systems[0].system}`, number: true }, { name: `${level} % interval`, number: true }, { name: "p, corrected", number: true, help: "two-sided, Fisher's randomisation test, Holm's correction" }, { name: "better / worse queries", number: true }],
    metric.systems.map((s: any, i: number) => {
      const pair = metric.pairs.find((p: any) => p.a === s.system && p.b === metric.systems[0].system);
      return [s.system, bundle.notes[i], fixed(s.mean, 4), pair ? signed(pair.difference, 4) : "\u2013", pair ? `${signed(pair.interval[0])} to ${signed(pair.interval[1])}` : "\u2013",
        pair ? pText(pair.p_corrected) + (pair.significant ? " *" : "") : "\u2013", pair ? `${pair.num_wins} / ${pair.num_losses}` : "\u2013"];
    }), {
      caption: `Rankings compared by ${metric.metric}`, id: "comparison",
      csv: () => metric.systems.map((s: any, i: number) => {
        const pair = metric.pairs.find((p: any) => p.a === s.system && p.b === metric.systems[0].system);
        return { ranking: s.system, what: bundle.notes[i], metric: metric.metric, mean: s.mean, difference: pair?.difference, low: pair?.interval[0], high: pair?.interval[1], p_corrected: pair?.p_corrected, significant: pair?.significant, better: pair?.num_wins, worse: pair?.num_losses };
      }),
    }));
  root.append(h("p", { class: "soft" }, `p: ${bundle.comparison.test === "fisher" ? "Fisher's randomisation test" : bundle.comparison.test}, corrected by ${bundle.comparison.correction[0].toUpperCase() + bundle.comparison.correction.slice(1)}; * marks p at most ${bundle.comparison.alpha}. Features are the best alone${bundle.train ? " on the training data" : " on this data"}.`));

  const grid = h("div", { class: "grid" });
  root.append(grid);
  bundle.models.forEach((model) => grid.append(curvePart(setting, model)));
  if (bundle.models.length > 1) grid.append(perQuery(setting));
  root.append(h("h2", {}, "Data"), h("div", { class: "grid" },
    list(dataFacts("ranked", bundle.data!.file, bundle.data!.stats)),
    bundle.train ? list(dataFacts("trained on", bundle.train.file, bundle.train.stats)) : null));
  root.append(h("h2", {}, "How the models were made"), h("div", { class: "grid" }, bundle.models.map((model) => {
    const lines = Object.entries(model.provenance);
    return h("section", {}, h("h3", {}, model.name), list([["file", model.file], ["format", model.format], ["kind", model.kind], ["size", model.size], ["objective", model.objective || "not known"],
      ...lines.filter(([key]) => !key.startsWith("params.")) as [string, string][]]),
      lines.some(([key]) => key.startsWith("params.")) ? h("details", {}, h("summary", {}, "Parameters"), list(lines.filter(([key]) => key.startsWith("params.")).map(([key, value]) => [key.slice(7), value]))) : null,
      lines.length === 0 ? h("p", { class: "soft" }, "The file holds no record of its making.") : null);
  })));
  return root;
}

// Quality with the first trees, or after the rounds of a training that kept them.
function curvePart({ bundle }: Setting, model: Model): HTMLElement {
  const curve = model.curve;
  if (!curve) return h("p", { class: "soft" }, `No learning curve of ${model.name}: a model without trees cannot be cut off after the first ones, and its file does not keep the rounds of its training. glassrank train --record FILE writes them, glassrank report --record FILE shows them.`);
  const unit = curve.is_recorded ? "rounds" : "trees";
  const points = curve.series.flatMap((s) => s.values.flatMap((value, i) => (value === null ? [] : [{ series: s.name, x: curve.num_trees[i], value }])));
  const colours: Record<string, string> = Object.fromEntries(curve.series.map((s, i) => [s.name, i === 0 ? "var(--ink)" : "var(--zero)"]));
  const last = curve.series.map((s) => points.filter((p) => p.series === s.name).at(-1)!).filter(Boolean);
  const span = Math.max(...points.map((p) => p.value)) - Math.min(...points.map((p) => p.value)) || 1;
  const metric = curve.series.every((s) => s.name.endsWith(" " + bundle.metric)) ? bundle.metric : "value";
  return figure({
    id: `curve-${model.name}`, title: curve.is_recorded ? `${model.name}: quality while it was trained` : `${model.name}: quality with its first trees`,
    how: curve.is_recorded ? "What its training measured after every round, on the data that each line names (of bags, the mean). Where the line of the validation data is flat, more rounds change nothing; where it falls while that of the training data rises, they only learn it by heart."
      : "The model cut off after so many trees. Where the line of the data is flat, more trees change nothing; where it falls while that of the training data rises, they only learn it by heart.",
    draw: (width) => Plot.plot({
      width, height: 240, marginLeft: 48, marginRight: 118, marginBottom: 40, style: kStyle,
      x: { label: unit, labelAnchor: "center", labelArrow: "none", ticks: 5 }, y: { label: metric, labelArrow: "none", grid: true, nice: true, ticks: 5 },
      marks: [
        Plot.line(points, { x: "x", y: "value", z: "series", stroke: (d) => colours[d.series], strokeWidth: 1.8 }),
        Plot.text(apart(last, (s) => s.value, (span * 15) / 170), { x: (d) => d.label.x, y: "y", text: (d) => d.label.series.replace(" " + bundle.metric, ""), textAnchor: "start", dx: 6, fill: "currentColor" }),
        Plot.tip(points, Plot.pointer({ x: "x", y: "value", title: (d) => `${d.series} after ${d.x} ${unit}: ${fixed(d.value, 4)}` })),
      ],
    }),
    records: () => curve.num_trees.map((x, i) => ({ [unit]: x, ...Object.fromEntries(curve.series.map((s) => [s.name, s.values[i]])) })),
  });
}

// Each query's difference between the second model and the first.
function perQuery({ bundle, store }: Setting): HTMLElement {
  const [a, b] = bundle.models;
  const rows = bundle.documents.queries.map((query, q) => ({ query, first: store.queryValues[0][q], second: store.queryValues[1][q], difference: store.queryValues[1][q] - store.queryValues[0][q] }))
    .filter((r) => !Number.isNaN(r.difference)).sort((x, y) => y.difference - x.difference);
  const better = rows.filter((r) => r.difference > 0).length, worse = rows.filter((r) => r.difference < 0).length;
  return figure({
    id: "per-query", title: `${b.name} is better than ${a.name} on ${better} queries, worse on ${worse}`,
    how: `One bar a query, sorted: orange where ${b.name} has the higher ${bundle.metric}, blue where it has the lower. The mean difference is the orange area less the blue one, divided by the number of queries.`,
    draw: (width) => Plot.plot({
      width, height: 240, marginLeft: 52, marginBottom: 40, style: kStyle,
      x: { axis: null, label: "queries" }, y: { label: `${b.name} \u2212 ${a.name}, ${bundle.metric}`, labelArrow: "none", grid: true, ticks: 5 },
      marks: [
        Plot.rectY(rows, { x1: (_, i) => i, x2: (_, i) => i + 1, y: "difference", insetRight: rows.length < 200 ? 0.6 : 0, fill: (r) => (r.difference > 0 ? kUp : kDown), title: (r) => `${r.query}: ${fixed(r.first, 3)} and ${fixed(r.second, 3)}`, tip: true }),
        Plot.ruleY([0], { stroke: "var(--zero)" }),
      ],
    }),
    records: () => rows.map((r) => ({ query: r.query, [a.name]: r.first, [b.name]: r.second, difference: r.difference })),
  });
}
