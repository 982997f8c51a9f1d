// The bundle as glassrank writes it (docs/reference/results.md, glassrank report), and the arrays in
// it, unpacked when they are first asked for.

export interface Packed { type: "u8" | "u16" | "u32" | "i16" | "f32"; size: number; bytes: string }
export interface Feature {
  name: string; is_switch: boolean; is_of_query: boolean; low: number; high: number; num_missing: number; num_distinct: number;
  is_category: boolean; categories: string[]; unknown: { document: number; text: string }[];
}
export interface Importance {
  drop?: number; drop_low?: number; drop_high?: number; gain?: number; splits?: number;
  mean_amount?: number; mean_amount_within?: number; direction?: number;
}
export interface Effect {
  name: string; axes: { feature: number; edges: Packed }[]; values: Packed; errors?: Packed; weights?: Packed; importance: number;
}
export interface Dependence { feature: number; points: Packed; weights: Packed; partial: Packed; ale_points?: Packed; ale?: Packed }
export interface Trees { num_nodes: Packed; features: Packed; thresholds: Packed; left: Packed; right: Packed; flags: Packed; set_starts: Packed; set_words: Packed; leaves: Packed }
export interface Attributions { explainer: string; doc: string; is_sampled: boolean; base_values: Packed; steps: Packed; amounts: Packed; error_steps?: Packed; errors?: Packed }
export interface Trust {
  additivity_residual?: number; error_share?: number; validity?: number; completeness?: number; stability?: number; reliability?: number;
}
export interface ListSet { query: number; explainer: string; features: number[]; audit: Trust; summary: string }
export interface Counterfactual {
  query: string; document: string; above: string; top: number; optimality: string; is_reached: boolean;
  rank_before: number; rank_after: number; score_before: number; score_after: number; cost: number;
  changes: { feature: string; from: number; to: number; from_category?: string; to_category?: string; cost: number }[]; text: string;
}
export interface Model {
  name: string; file: string; format: string; kind: string; size: string; objective: string; intercept: number;
  provenance: Record<string, string>; seen: string; edits: { edit: string; effect_on_metric: string }[]; importance: Importance[];
  effects: Effect[]; dependence: Dependence[]; trees?: Trees; linear?: { weights: Packed; fills: Packed };
  curve?: { is_recorded: boolean; num_trees: number[]; series: { name: string; values: (number | null)[] }[] };
  scores: Packed; ranks: Packed; query_values: Packed; attributions: Attributions[]; sets: ListSet[];
  counterfactuals: { query: number; document: number; answer: Counterfactual }[];
}
export interface FeatureStats { feature: string; min: number; max: number; mean: number; num_missing: number; num_zeros: number; num_distinct: number; distinct_capped: boolean }
export interface Stats {
  num_rows: number; num_queries: number; num_features: number;
  documents_per_query: { min: number; median: number; mean: number; max: number };
  grades: { grade: number; num_rows: number }[]; num_missing: number; constant_features: string[];
  duplicate_features: { feature: string; copy_of: string }[];
  grade_conflicts: { query: string; documents: { document: string; grade: number }[] }[];
  features: FeatureStats[]; [key: string]: unknown;
}
export interface Pair {
  a: string; b: string; mean_difference: number; interval: number[]; p: number; corrected_p: number;
  significant: boolean; wins: number; ties: number; losses: number; [key: string]: unknown;
}
export interface Outliers {
  model: string; data: string; cutoff: number; num_trees: number; window_start: number; num_rows: number;
  num_negative: number; num_positive: number; trees: number[]; negative: number[]; positive: number[];
  documents: {
    query: string; document: string; grade: number; looks_like: number; share: number; changes: number[];
    odd_features: { feature: string; value: number; typical: number; difference: number }[];
  }[];
  num_ever: number; histories: { query: string; document: string; grade: number; changes: number[] }[];
  traces: { query: string; num_trees: number[]; documents: { document: string; grade: number; is_outlier: boolean; ranks: number[] }[] }[];
  groups: { group: string; num_queries: number; means: Record<string, number> }[];
}
export interface MeasureMean { measure: string; mean: number; standard_error: number; num_queries: number; is_best: boolean; is_clearly_best: boolean; p_best?: number }
export interface Audit {
  k: number; num_queries: number; seeds: number; test: string; correction: string; alpha: number;
  methods: { method: string; explainer: string; is_sampled: boolean; seconds_per_query: number; measures: MeasureMean[] }[];
}
export interface Bundle {
  format: number; title: string; date: string; version: string; command: string; is_live: boolean; metric: string; warnings: string[];
  features: Feature[]; data?: { file: string; stats: Stats }; train?: { file: string; stats: Stats };
  comparison: any; notes: string[];
  documents: { queries: string[]; first: number[]; names: string[]; grades: Packed; values: { levels: Packed; codes: Packed }[]; is_rounded: boolean; num_left_out: number };
  models: Model[]; outliers?: Outliers; audit?: Audit; measures: Record<string, string>; named: Record<string, number>;
}

type Numbers = Float32Array | Uint8Array | Uint16Array | Uint32Array | Int16Array;
const kArrays = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i16: Int16Array, f32: Float32Array };
const unpacked = new Map<Packed, Promise<Numbers>>();

async function unpackNow(packed: Packed): Promise<Numbers> {
  const text = atob(packed.bytes);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const plain = new Uint8Array(await new Response(stream).arrayBuffer());
  const result = new kArrays[packed.type](packed.size);
  const width = result.BYTES_PER_ELEMENT;
  const view = new Uint8Array(result.buffer);
  for (let b = 0; b < width; ++b) {
    const from = b * packed.size;
    for (let i = 0; i < packed.size; ++i) view[i * width + b] = plain[from + i];
  }
  return result;
}

// Every array once.
export function unpack(packed: Packed): Promise<Numbers> {
  let promise = unpacked.get(packed);
  if (!promise) unpacked.set(packed, (promise = unpackNow(packed)));
  return promise;
}

export function readBundle(): Bundle | null {
  const bundle = JSON.parse(document.getElementById("bundle")!.textContent!);
  return typeof bundle === "string" ? null : bundle;
}

// One feature's value in every document.
export class Column {
  constructor(readonly levels: Numbers, readonly codes: Numbers) {}
  value(document: number): number { return this.levels[this.codes[document]]; }
  // Share of the documents with a smaller value; missing: NaN.
  private shares?: Float32Array;
  place(document: number): number {
    if (!this.shares) {
      const counts = new Uint32Array(this.levels.length);
      for (const code of this.codes) ++counts[code];
      this.shares = new Float32Array(this.levels.length);
      let below = 0, total = 0;
      this.levels.forEach((level, i) => { if (!Number.isNaN(level)) total += counts[i]; });
      this.levels.forEach((level, i) => {
        this.shares![i] = Number.isNaN(level) ? NaN : (below + counts[i] / 2) / total;
        below += counts[i];
      });
    }
    return this.shares[this.codes[document]];
  }
}

// What each feature adds to each document's score.
export class Parts {
  constructor(readonly numDocuments: number, readonly base: Numbers, readonly steps: Numbers, readonly amounts: Numbers, readonly errorSteps?: Numbers, readonly errors?: Numbers) {}
  // Standard error of a part; 0: exact, or not known.
  error(document: number, feature: number): number {
    return this.errors && this.errorSteps ? this.errors[feature * this.numDocuments + document] * this.errorSteps[document] : 0;
  }
  part(document: number, feature: number): number {
    return this.amounts[feature * this.numDocuments + document] * this.steps[document];
  }
  all(document: number): number[] {
    const n = this.amounts.length / this.numDocuments;
    return Array.from({ length: n }, (_, f) => this.part(document, f));
  }
}

export class Store {
  grades!: Numbers;
  scores: Numbers[] = [];
  ranks: Numbers[] = [];
  queryValues: Numbers[] = [];
  readonly queryOf: Uint32Array;
  private columns: (Promise<Column> | undefined)[] = [];

  constructor(readonly bundle: Bundle) {
    this.queryOf = new Uint32Array(bundle.documents.names.length);
    for (let q = 0; q < bundle.documents.queries.length; ++q) this.queryOf.fill(q, ...this.rows(q));
  }
  // What every view needs.
  async open(): Promise<void> {
    this.grades = await unpack(this.bundle.documents.grades);
    for (const model of this.bundle.models) {
      this.scores.push(await unpack(model.scores));
      this.ranks.push(await unpack(model.ranks));
      this.queryValues.push(await unpack(model.query_values));
    }
  }
  get numDocuments(): number { return this.bundle.documents.names.length; }
  get numQueries(): number { return this.bundle.documents.queries.length; }
  // First document and the one after the last.
  rows(query: number): [number, number] {
    const { first } = this.bundle.documents;
    return [first[query], first[query + 1]];
  }
  // Best first.
  ranking(query: number, model: number): number[] {
    const [begin, end] = this.rows(query);
    const order = new Array<number>(end - begin);
    for (let d = begin; d < end; ++d) order[this.ranks[model][d]] = d;
    return order;
  }
  column(feature: number): Promise<Column> {
    return (this.columns[feature] ??= (async () => {
      const { levels, codes } = this.bundle.documents.values[feature];
      return new Column(await unpack(levels), await unpack(codes));
    })());
  }
  allColumns(): Promise<Column[]> {
    return Promise.all(this.bundle.features.map((_, f) => this.column(f)));
  }
  async parts(model: number, explainer: number): Promise<Parts | null> {
    const given = this.bundle.models[model].attributions[explainer];
    if (!given) return null;
    return new Parts(this.numDocuments, await unpack(given.base_values), await unpack(given.steps), await unpack(given.amounts),
      given.error_steps && (await unpack(given.error_steps)), given.errors && (await unpack(given.errors)));
  }
}
