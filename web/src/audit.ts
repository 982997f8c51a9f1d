// Explainers side by side: how far their answers can be trusted.
import { Setting } from "./context";
import { figure, fixed, h, plain, select, table } from "./dom";
import { Plot, apart, dots, kStyle } from "./plots";
import { go } from "./state";

const kWords: Record<string, string> = {
  validity: "How far the named features alone give the same order: 1 is the same order, 0 no relation.",
  completeness: "What is left of the order without the named features: low is good.",
  preservation: "As validity, but with rows of the data in place of what is not known.",
  deletion: "As completeness, with rows of the data in place of the named features: low is good.",
  stability: "Share of the named features that come again with another seed.",
  additivity_residual: "What the amounts miss of the score, as a share of the largest amount: low is good.",
  error_share: "The largest standard error as a share of the largest amount: low is good.",
  reliability: "The least of what an explanation's own audit measures.",
};
// Of a measure against what is known to be true of the model.
function wordsOf(measure: string, given: string | undefined): string {
  if (kWords[measure]) return kWords[measure];
  const [truth, kind] = measure.split("_");
  if (kind === "auc") return `Whether the largest amounts are those of the features that ${truth} credits most: 1, all of them; 0.5, as by chance.`;
  if (kind === "spearman") return `Rank correlation of the amounts with what ${truth} credits: 1, the same order.`;
  if (kind === "euclidean") return `1 / (1 + distance) of the amounts from what ${truth} credits: 1, the same.`;
  return `${given ?? measure}.`;
}
// What is known to be true of a model that has trees; others have nothing of the kind.
function truthWords(names: string[]): string {
  const truths = ["impurity", "frequency"].filter((truth) => names.some((name) => name.startsWith(truth + "_")));
  if (truths.length === 0) return "";
  const subject = truths.join(" and ");
  return ` ${subject[0].toUpperCase()}${subject.slice(1)} ${truths.length > 1 ? "are" : "is"} what the decisions in the trees themselves credit: facts about the model to compare with.`;
}
const title = (measure: string): string => measure.replaceAll("_", " ").replace("auc", "AUC");

// Whose mean is best of all: none where others share it, "" where naming features at random is as
// good or better.
function leader(rows: { name: string; value: number }[], lowGood: boolean): string | undefined {
  const worth = (value: number): number => (lowGood ? -value : value);
  const real = rows.filter((r) => r.name !== "random");
  const top = Math.max(...real.map((r) => worth(r.value)));
  const first = real.filter((r) => worth(r.value) >= top - 5e-4);  // as far as it is printed
  const random = rows.find((r) => r.name === "random");
  if (real.length > 0 && random && worth(random.value) >= top - 5e-4) return "";
  return first.length === 1 ? first[0].name : undefined;
}

export function audit(setting: Setting): HTMLElement {
  const { bundle, params } = setting;
  const root = h("div", {}, h("h2", {}, "Audit: how far to trust explanations"));
  const result = bundle.audit;
  if (!result) { root.append(h("p", {}, "Explainers were not audited in this file; --audit-queries says on how many queries they are.")); return root; }
  const names = Object.keys(bundle.measures).filter((m) => !m.includes("@") && result.methods.some((x) => x.measures.some((y) => y.measure === m)));
  const measure = names.includes(params.get("measure") ?? "") ? params.get("measure")! : names[0];
  const of = (method: any, name: string) => method.measures.find((x: any) => x.measure === name);
  root.append(h("p", {}, `${result.methods.length} explainers named at most ${result.k} of ${bundle.features.length} features (--k, but no more than half of them) for each of ${result.num_queries} rankings of ${bundle.models[0].name}. Means are over queries, with standard errors; how many features each one really named is in the table. Explainers that do not beat "random" explain nothing.`));
  if (setting.model > 0) root.append(h("p", { class: "soft" }, `Only the first model is audited: choosing ${bundle.models[setting.model].name} above changes nothing here.`));
  const rows = result.methods.map((m) => ({ m, x: of(m, measure) })).filter((r) => r.x).map(({ m, x }) => ({ name: m.method, value: x.mean, low: x.mean - 1.96 * x.standard_error, high: x.mean + 1.96 * x.standard_error }));
  const lowGood = /completeness|deletion|residual|error/.test(measure);
  const lead = leader(rows, lowGood);
  const grid = h("div", { class: "grid" });
  root.append(grid);
  grid.append(figure({
    id: "explainers", title: lead === undefined ? `${title(measure)} of ${rows.length} explainers` : lead === "" ? `No explainer beats random in ${title(measure)}` : `${lead} has the best ${title(measure)}`,
    how: `${wordsOf(measure, bundle.measures[measure])} A dot is the mean, the line 1.96 standard errors to either side.`,
    controls: select("measure", names.map((n) => ({ value: n, text: title(n) })), measure, (v) => go({ measure: v })),
    draw: (width) => dots(rows, width, title(measure)),
    records: () => rows.map((r) => ({ explainer: r.name, mean: r.value, low: r.low, high: r.high })), hasTable: true,
  }));
  const sizes = result.methods.flatMap((m) => m.measures.filter((x) => /^validity@\d+$/.test(x.measure)).map((x) => ({ method: m.method, k: Number(x.measure.split("@")[1]), mean: x.mean, error: x.standard_error })));
  if (sizes.length) {
    const last = result.methods.map((m) => sizes.filter((s) => s.method === m.method).at(-1)!).filter(Boolean);
    const dashes = ["none", "6,3", "2,3", "8,3,2,3", "1,4", "10,2"];
    const dash = (name: string): string => dashes[result.methods.findIndex((m) => m.method === name) % dashes.length];
    const low = Math.min(0, ...sizes.map((s) => s.mean - 1.96 * s.error)), high = Math.max(...sizes.map((s) => s.mean + 1.96 * s.error));
    grid.append(figure({
      id: "validity-k", title: "Validity and number of features",
      how: "How much of the order the first k features of each explainer keep, mean over queries with 1.96 standard errors. A line that rises early names the right features first.",
      draw: (width) => Plot.plot({ width, height: 280, marginLeft: 44, marginRight: 130, marginBottom: 40, style: kStyle, x: { label: "features named (k)", labelAnchor: "center", labelArrow: "none", ticks: [...new Set(sizes.map((s) => s.k))], tickFormat: String }, y: { label: "validity (tau)", labelArrow: "none", grid: true, domain: [low, high], nice: true, ticks: 5 },
        marks: [Plot.link(sizes, { x1: "k", x2: "k", y1: (s) => s.mean - 1.96 * s.error, y2: (s) => s.mean + 1.96 * s.error, stroke: "var(--zero)" }),
          ...result.methods.map((m) => Plot.line(sizes.filter((s) => s.method === m.method), { x: "k", y: "mean", stroke: "currentColor", strokeWidth: 1.6, strokeDasharray: dash(m.method) })),
          Plot.dot(sizes, { x: "k", y: "mean", r: 2.5, fill: "currentColor", title: (s) => `${s.method}, ${s.k} features: ${fixed(s.mean)} \u00b1 ${fixed(s.error)}`, tip: true }),
          Plot.text(apart(last, (s) => s.mean, ((high - low) * 15) / 236), { x: (l) => l.label.k, y: "y", text: (l) => l.label.method, textAnchor: "start", dx: 8 })] }),
      records: () => sizes.map((s) => ({ explainer: s.method, k: s.k, validity: s.mean, standard_error: s.error })),
    }));
  }
  root.append(h("h3", {}, "All measures"), table([{ name: "measure" }, ...result.methods.map((m) => ({ name: m.method, number: true }))],
    [...names.map((name) => [h("span", { title: wordsOf(name, bundle.measures[name]) }, title(name)), ...result.methods.map((m) => { const x = of(m, name); return x ? h(x.is_best ? "b" : "span", {}, `${fixed(x.mean)} \u00b1 ${fixed(x.standard_error)}${x.is_clearly_best ? " *" : ""}`) : "\u2013"; })]),
      ["features named", ...result.methods.map((m) => plain(bundle.named[m.method]))],
      ["ms a query", ...result.methods.map((m) => fixed(1000 * m.seconds_per_query, 1))]], {
      caption: "Explainers by measure: mean and standard error", id: "measures",
      csv: () => result.methods.flatMap((m) => m.measures.map((x) => ({ explainer: m.method, measure: x.measure, mean: x.mean, standard_error: x.standard_error, queries: x.num_queries, is_best: x.is_best, is_clearly_best: x.is_clearly_best }))),
    }),
    h("p", { class: "soft" }, `Bold: the best mean; * it differs from every other by ${result.test === "fisher" ? "Fisher's randomisation test" : result.test} with ${result.correction[0].toUpperCase() + result.correction.slice(1)}'s correction at ${result.alpha}.${truthWords(names)}`),
    h("dl", { class: "definitions" }, names.flatMap((name) => [h("dt", {}, title(name)), h("dd", {}, wordsOf(name, bundle.measures[name]))])));
  return root;
}
