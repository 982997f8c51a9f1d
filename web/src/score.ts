// Scores in the page: what a document would get if a feature had another value.
import { Model, Store, unpack } from "./bundle";

const kZeroThreshold = 1e-35;

function cellOf(edges: ArrayLike<number>, value: number): number {
  if (Number.isNaN(value)) return edges.length + 1;
  let low = 0, high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= edges[middle]) high = middle; else low = middle + 1;
  }
  return low;
}

async function effectsScorer(model: Model): Promise<(values: Float32Array) => number> {
  const effects = await Promise.all(model.effects.map(async (effect) => ({
    features: effect.axes.map((axis) => axis.feature),
    edges: await Promise.all(effect.axes.map((axis) => unpack(axis.edges))),
    values: await unpack(effect.values),
  })));
  return (values) => {
    let score = model.intercept;
    for (const effect of effects) {
      const first = cellOf(effect.edges[0], values[effect.features[0]]);
      score += effect.features.length === 1
        ? effect.values[first]
        : effect.values[first * (effect.edges[1].length + 2) + cellOf(effect.edges[1], values[effect.features[1]])];
    }
    return score;
  };
}

async function treesScorer(model: Model): Promise<(values: Float32Array) => number> {
  const t = model.trees!;
  const [sizes, features, thresholds, left, right, flags, starts, words, leaves] = await Promise.all(
    [t.num_nodes, t.features, t.thresholds, t.left, t.right, t.flags, t.set_starts, t.set_words, t.leaves].map(unpack));
  // Whether the code that a value stands for is in the set.
  const holds = (set: number, value: number): boolean => {
    const code = Math.trunc(value), word = starts[set] + (code >>> 5);
    return value > -1 && word < starts[set + 1] && ((words[word] >>> (code & 31)) & 1) === 1;
  };
  return (values) => {
    let score = model.intercept, node0 = 0, leaf0 = 0;
    for (const size of sizes) {
      let child = size === 0 ? -1 : 0;
      while (child >= 0) {
        const node = node0 + child;
        const value = values[features[node]];
        const missing = Number.isNaN(value) || ((flags[node] & 2) !== 0 && Math.abs(value) <= kZeroThreshold);
        const goesLeft = missing ? (flags[node] & 1) !== 0 : (flags[node] & 4) !== 0 ? holds(thresholds[node], value) : value <= thresholds[node];
        child = goesLeft ? left[node] : right[node];
      }
      score += leaves[leaf0 + ~child];
      node0 += size;
      leaf0 += size + 1;
    }
    return score;
  };
}

async function linearScorer(model: Model): Promise<(values: Float32Array) => number> {
  const weights = await unpack(model.linear!.weights), fills = await unpack(model.linear!.fills);
  return (values) => {
    let score = model.intercept;
    for (let f = 0; f < weights.length; ++f) if (weights[f] !== 0) score += weights[f] * (Number.isNaN(values[f]) ? fills[f] : values[f]);
    return score;
  };
}

// Null where the file does not hold the model.
export async function scorerOf(model: Model): Promise<((values: Float32Array) => number) | null> {
  if (model.effects.length > 0) return effectsScorer(model);
  if (model.trees) return treesScorer(model);
  if (model.linear) return linearScorer(model);
  return null;
}

export async function valuesOf(store: Store, document: number): Promise<Float32Array> {
  const columns = await store.allColumns();
  return Float32Array.from(columns, (column) => column.value(document));
}
