// What may be wrong in the data: documents ranked far from their grade by most trees, conflicts, gaps.
import { Outliers } from "./bundle";
import { Setting, gradeChip, gradeColour } from "./context";
import { choice, count, figure, fixed, h, plain, select, share, table } from "./dom";
import { Plot, dots, kDown, kStyle, kUp } from "./plots";
import { go } from "./state";

export function dataView(setting: Setting): HTMLElement {
  const { bundle, params } = setting;
  const which = params.get("of") === "train" && bundle.train ? bundle.train : bundle.data!;
  const root = h("div", {}, h("h2", {}, "Data"));
  if (bundle.outliers) root.append(outlierPart(setting));
  else root.append(h("p", { class: "soft" }, "Documents that may be judged wrongly are found by following trees; no model here has trees."));
  root.append(h("h2", {}, "Grades, copies and gaps"));
  if (bundle.train) root.append(h("div", { class: "controls" }, choice("of", [{ value: "data", text: "ranked data" }, { value: "train", text: "training data" }], which === bundle.train ? "train" : "data", (v) => go({ of: v }))));
  const stats = which.stats;
  const grades = stats.grades.map((g) => ({ name: String(g.grade), grade: g.grade, value: g.num_rows / stats.num_rows, rows: g.num_rows }));
  const grid = h("div", { class: "grid" });
  grid.append(figure({
    id: "grades", title: `${share(grades[0].value)} of ${count(stats.num_rows)} documents have grade ${grades[0].name}`,
    how: "A bar is the share of documents with the grade; the stronger its colour, the higher the grade.",
    draw: (width) => Plot.plot({ width, height: 40 + 26 * grades.length, marginLeft: 60, marginRight: 60, marginBottom: 40, style: kStyle, x: { label: "share of documents", percent: true, labelAnchor: "center", labelArrow: "none", ticks: 5, grid: true }, y: { label: null, tickFormat: (g: string) => `grade ${g}`, tickSize: 0, domain: grades.map((g) => g.name) },
      marks: [Plot.barX(grades, { x: "value", y: "name", fill: (g) => gradeColour(bundle, g.grade), stroke: "var(--zero)", strokeWidth: 0.5 }), Plot.text(grades, { x: "value", y: "name", text: (g) => count(g.rows), textAnchor: "start", dx: 6 })] }),
    records: () => grades.map((g) => ({ grade: g.grade, documents: g.rows, share: g.value })),
  }));
  const missing = stats.features.filter((f) => f.num_missing > 0).sort((a, b) => b.num_missing - a.num_missing).slice(0, 15);
  if (missing.length) {
    grid.append(figure({
      id: "missing", title: missing.length === 1 ? `Only ${missing[0].feature} has missing values` : `${missing.length < 15 ? missing.length : "At least 15"} features have missing values, ${missing[0].feature} most often`, how: "A dot is the share of documents that have no value for the feature.",
      draw: (width) => dots(missing.map((f) => ({ name: f.feature, value: (100 * f.num_missing) / stats.num_rows })), width, "% of documents without a value", { zero: true }),
      records: () => stats.features.map((f) => ({ feature: f.feature, missing: f.num_missing, zeros: f.num_zeros, distinct: f.num_distinct, min: f.min, max: f.max, mean: f.mean })),
    }));
  } else grid.append(h("p", {}, "No value is missing."));
  root.append(grid);
  const s = stats as any;
  root.append(h("dl", { class: "definitions" }, ([
    ["queries without a grade above 0", s.num_queries_without_relevant], ["queries with one grade only", s.num_queries_with_one_grade], ["queries with one document", s.num_queries_with_one_document],
    ["documents equal to an earlier one", s.num_duplicate_rows], ["of these within a query", s.num_duplicate_rows_within_query], ["features that never change", stats.constant_features.join(", ") || "none"],
    ["features equal to another", stats.duplicate_features.map((f) => `${f.feature} (as ${f.copy_of})`).join(", ") || "none"],
  ] as [string, string | number][]).flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, typeof value === "number" ? count(value) : value)])));
  root.append(h("h3", {}, "Suspicious duplicates: the same features, another grade"));
  root.append(stats.grade_conflicts.length === 0 ? h("p", {}, "There are none.") : table([{ name: "query" }, { name: "documents and grades" }], stats.grade_conflicts.map((c) => [c.query, c.documents.map((d) => `${d.document}: ${d.grade}`).join(", ")]), {
    caption: "Documents with the same features and different grades", id: "conflicts",
    csv: () => stats.grade_conflicts.flatMap((c, i) => c.documents.map((d) => ({ set: i + 1, query: c.query, document: d.document, grade: d.grade }))),
  }));
  return root;
}

const oddText = (d: Outliers["documents"][number]): string => d.odd_features.map((f) => `${f.feature} ${plain(f.value)} (usual ${plain(f.typical)})`).join("; ");

function outlierPart(setting: Setting): HTMLElement {
  const { bundle, params } = setting;
  const o = bundle.outliers!;
  const section = h("section", {}, h("h2", {}, "Documents that may be judged wrongly"),
    h("p", {}, `The trees of ${o.model} were followed one by one over ${count(o.num_rows)} documents of the ${o.data}. From ${o.window_start} trees to all ${o.num_trees}, without a break, ${count(o.num_negative)} documents of the lowest grade stood among the first ${o.cutoff} although a better one stood below, and ${count(o.num_positive)} of a higher grade stood below the first ${o.cutoff} although one of the lowest grade stood above. A judge should look at those whose features look like another grade; the others may only be hard.`));
  if (bundle.models[setting.model].name !== o.model) section.append(h("p", { class: "soft" }, `Only the trees of ${o.model} were followed: choosing ${bundle.models[setting.model].name} above changes nothing here.`));
  const points = o.trees.flatMap((t, i) => [{ trees: t, kind: "low grade, ranked high", n: o.negative[i] }, { trees: t, kind: "high grade, ranked low", n: o.positive[i] }]);
  const colour = (kind: string): string => (kind.startsWith("low") ? kUp : kDown);
  const grid = h("div", { class: "grid" });
  grid.append(figure({
    id: "outlier-counts", title: `Outliers after each tree: ${o.negative.at(-1)} ranked too high, ${o.positive.at(-1)} too low at the end`,
    how: "Documents that are outliers at that number of trees. Lines fall while the model learns; what is left at the end cannot be learnt from these features, or is judged wrongly.",
    draw: (width) => Plot.plot({ width, height: 240, marginLeft: 48, marginRight: 160, marginBottom: 40, style: kStyle, x: { label: "trees", labelAnchor: "center", labelArrow: "none", ticks: 5 }, y: { label: "documents", labelArrow: "none", grid: true, zero: true, ticks: 5 },
      marks: [Plot.line(points, { x: "trees", y: "n", z: "kind", stroke: (p) => colour(p.kind), strokeWidth: 1.8 }), Plot.text(points.filter((p) => p.trees === o.trees.at(-1)), { x: "trees", y: "n", text: "kind", textAnchor: "start", dx: 6, fill: (p) => colour(p.kind) }), Plot.tip(points, Plot.pointer({ x: "trees", y: "n", title: (p) => `${p.kind}: ${p.n} after ${p.trees} trees` }))] }),
    records: () => o.trees.map((trees, i) => ({ trees, ranked_too_high: o.negative[i], ranked_too_low: o.positive[i] })),
  }));
  const models = Object.keys(o.groups[0]?.means ?? {});
  grid.append(h("section", {}, h("h3", {}, `Queries with and without such documents: mean ${bundle.metric}`), table([{ name: "queries ranked" }, { name: "number", number: true }, ...models.map((m) => ({ name: m, number: true }))],
    o.groups.map((g) => [g.group.replace(/^queries /, ""), count(g.num_queries), ...models.map((m) => fixed(g.means[m], 4))]), {
      caption: "Quality on queries with and without outliers", id: "groups", csv: () => o.groups.map((g) => ({ queries: g.group, number: g.num_queries, ...g.means })),
    }), h("p", { class: "soft" }, "What a model loses on queries with outliers it may lose to wrong grades, not to a wrong order.")));
  section.append(grid);
  const type = params.get("type") ?? "all";
  const shown = o.documents.filter((d) => type === "all" || (type === "high") === (d.grade > 0));
  const lines = o.histories.filter((d) => type === "all" || (type === "high") === (d.grade > 0));
  const bars = lines.flatMap((d, i) => { const result = []; for (let c = 0; c < d.changes.length; c += 2) result.push({ i, d, from: d.changes[c], to: d.changes[c + 1] ?? o.num_trees + 1 }); return result; });
  const always = (type === "high" ? 0 : o.num_negative) + (type === "low" ? 0 : o.num_positive);
  const kind = type === "all" ? "" : type === "low" ? " of the lowest grade" : " of a higher grade";
  section.append(figure({
    id: "hourglass", title: `${count(o.num_ever)} documents are outliers after some tree; ${count(always)}${kind} are it after every one from number ${o.window_start} on`,
    how: `A line is a document (${lines.length} are drawn, evenly from the most often wrong to the least), drawn where it is an outlier after that many trees. Full lines are wrong from the beginning to the end: those a cleaner (SOUR) drops. Orange: ranked too high for its grade, blue: too low. The window begins at the dashed line.`,
    controls: choice("show", [{ value: "all", text: "all" }, { value: "low", text: "ranked too high" }, { value: "high", text: "ranked too low" }], type, (v) => go({ type: v })),
    draw: (width) => Plot.plot({ width, height: 60 + 2.6 * lines.length, marginLeft: 20, marginBottom: 40, style: kStyle, x: { label: "trees", labelAnchor: "center", labelArrow: "none", domain: [1, o.num_trees], ticks: 6 }, y: { axis: null, domain: [lines.length, 0] },
      marks: [Plot.rect(bars, { x1: "from", x2: "to", y1: "i", y2: (b) => b.i + 1, insetTop: 0.4, fill: (b) => (b.d.grade > 0 ? kDown : kUp), title: (b) => `${b.d.document}, query ${b.d.query}\ngrade ${b.d.grade}: an outlier at trees ${b.from} to ${b.to - 1}`, tip: true }), Plot.ruleX([o.window_start], { stroke: "currentColor", strokeDasharray: "2,3" })] }),
    records: () => lines.map((d) => ({ query: d.query, document: d.document, grade: d.grade, becomes_an_outlier_or_stops: d.changes.join(" ") })),
  }));
  if (o.traces.length) {
    const trace = o.traces.find((t) => t.query === params.get("trace")) ?? o.traces[0];
    const paths = trace.documents.flatMap((d) => d.ranks.map((rank, i) => ({ d, trees: trace.num_trees[i], rank: rank + 1 })));
    section.append(figure({
      id: "traces", title: `${trace.query}: ranks of its documents while the model grows`,
      how: `A line is a document; 1 is the top. Thick lines are the documents found (orange: ranked too high for their grade, blue: too low), thin ones all others, in stronger colours for higher grades. A document that settles early on the wrong side of rank ${o.cutoff} was not misplaced by chance.`,
      controls: select("query", o.traces.map((t) => ({ value: t.query, text: t.query })), trace.query, (v) => go({ trace: v })),
      draw: (width) => Plot.plot({ width, height: 340, marginLeft: 40, marginRight: 20, marginBottom: 40, style: kStyle, x: { label: "trees", labelAnchor: "center", labelArrow: "none", ticks: 6 }, y: { label: "rank", reverse: true, labelArrow: "none", ticks: 6, grid: true },
        marks: [Plot.line(paths.filter((l) => !l.d.is_outlier), { x: "trees", y: "rank", z: (l) => l.d.document, stroke: (l) => gradeColour(bundle, l.d.grade), strokeWidth: 1.1 }), Plot.line(paths.filter((l) => l.d.is_outlier), { x: "trees", y: "rank", z: (l) => l.d.document, stroke: (l) => (l.d.grade > 0 ? kDown : kUp), strokeWidth: 2.6 }), Plot.ruleY([o.cutoff + 0.5], { stroke: "var(--zero)", strokeDasharray: "2,3" }),
          Plot.tip(paths, Plot.pointer({ x: "trees", y: "rank", title: (l) => `${l.d.document}, grade ${l.d.grade}\nrank ${l.rank} after ${l.trees} trees` }))] }),
      records: () => paths.map((l) => ({ document: l.d.document, grade: l.d.grade, outlier: l.d.is_outlier, trees: l.trees, rank: l.rank })),
    }));
  }
  section.append(h("h3", {}, "The documents that look most like another grade, and in what"),
    table([{ name: "document" }, { name: "query" }, { name: "grade" }, { name: "looks like" }, { name: "outlier after", number: true }, { name: "differs from its grade in" }],
      shown.map((d) => [d.document, d.query, gradeChip(bundle, d.grade), gradeChip(bundle, d.looks_like), `${share(d.share)} of trees`, oddText(d) || "nothing"]), {
        caption: "Documents that may be judged wrongly", id: "outliers", tall: true,
        csv: () => shown.map((d) => ({ document: d.document, query: d.query, grade: d.grade, looks_like: d.looks_like, share_of_trees: d.share, differs_in: oddText(d) })),
      }));
  return section;
}
