#!/usr/bin/env python3
"""RankLib's LambdaMART written down in numpy, and what each of its choices is worth.

    ranklib_choices.py FOLDER [FOLDER ...]     folders with train.txt, vali.txt and test.txt, one per fold

Prints test NDCG@10 (queries without a relevant document count as 0) for RankLib's choices and with one or more of them
exchanged for ours: mean over the folds' queries, and the difference to RankLib's choices with its standard error.
RankLib's defaults: 1000 trees of 10 leaves, steps of 0.1, the best tree count on the validation data, 100 trees without
a better one end training. Needs numpy.
"""
import dataclasses
import pathlib
import sys

import numpy as np

DISCOUNTS = 1 / np.log2(np.arange(2, 10_000))
NUM_TREES, NUM_LEAVES, STEP, PATIENCE = 1000, 10, 0.1, 100


@dataclasses.dataclass
class Choices:
    """RankLib's, when trained for NDCG@10."""
    top: int = 10                # a pair counts if one document is ranked above this; the ideal DCG is cut here, too
    normalised: bool = False     # by the distance of scores and per query, as LightGBM
    equal_width: bool = True     # thresholds, else quantiles
    by_count: bool = True        # gains of splits by rows, as squared error has them, else by second derivatives
    by_deviance: bool = True     # the leaf with the greatest sum of squares is split next, else that with the greatest gain


VARIANTS = {
    "RankLib's choices": {},
    "all pairs": {"top": 10_000},
    "gains by second derivatives": {"by_count": False},
    "the leaf of greatest gain next": {"by_deviance": False},
    "thresholds at quantiles": {"equal_width": False},
    "all but the gradients as ours": {"by_count": False, "by_deviance": False, "equal_width": False},
    "the same, all pairs": {"by_count": False, "by_deviance": False, "equal_width": False, "top": 10_000},
    "the same, normalised gradients": {"by_count": False, "by_deviance": False, "equal_width": False, "normalised": True},
}


def read(path):
    lines = [line.split("#")[0].split() for line in path.read_text().splitlines()]
    rows = np.array([[float(word.split(":")[1]) for word in line[2:]] for line in lines], np.float32)
    begins = [i for i in range(len(lines)) if i == 0 or lines[i][1] != lines[i - 1][1]]
    return rows, np.array([float(line[0]) for line in lines]), np.array([*begins, len(lines)])


def queries(ends):
    return zip(ends[:-1], ends[1:])


def ideal_dcg(gains, top):
    best = np.sort(gains)[::-1][:top]
    return best @ DISCOUNTS[: len(best)]


def ndcg(scores, grades, ends):
    values = []
    for begin, end in queries(ends):
        gains = 2 ** grades[begin:end] - 1
        order = np.argsort(-scores[begin:end], kind="stable")[:10]
        ideal = ideal_dcg(gains, 10)
        values.append(gains[order] @ DISCOUNTS[: len(order)] / ideal if ideal > 0 else 0.0)
    return np.array(values)


def gradients(scores, grades, ends, choices):
    """What documents should gain, and the second derivatives."""
    first, second = np.zeros(len(scores)), np.zeros(len(scores))
    for begin, end in queries(ends):
        gains = 2 ** grades[begin:end] - 1
        if gains.max() == gains.min():
            continue
        order = np.argsort(-scores[begin:end], kind="stable")
        ranked, own, discounts = scores[begin:end][order], gains[order], DISCOUNTS[: end - begin]
        weight = np.abs(np.subtract.outer(own, own) * np.subtract.outer(discounts, discounts)) / ideal_dcg(gains, choices.top)
        weight[choices.top:, choices.top:] = 0
        apart = np.subtract.outer(ranked, ranked)
        if choices.normalised and ranked[0] != ranked[-1]:
            weight = weight / (0.01 + np.abs(apart))
        weight = np.where(np.greater.outer(own, own), weight, 0)
        wrong = 1 / (1 + np.exp(np.clip(apart, -500, 500)))
        push, bend = weight * wrong, weight * wrong * (1 - wrong)
        total = 2 * push.sum()
        factor = np.log2(1 + total) / total if choices.normalised and total > 0 else 1.0
        first[begin + order] = factor * (push.sum(1) - push.sum(0))
        second[begin + order] = factor * (bend.sum(1) + bend.sum(0))
    return first, second


def thresholds_of(values, equal_width):
    different = np.unique(values)
    if len(different) <= 256:
        return different[:-1] if len(different) > 1 else different
    if not equal_width:
        return np.unique(np.sort(values)[np.arange(1, 255) * len(values) // 255])
    step = np.float32((different[-1] - different[0]) / np.float32(256))
    return np.cumsum(np.concatenate([different[:1], np.full(255, step)]), dtype=np.float32)


class Node:
    def __init__(self, rows):
        self.rows, self.split, self.children = rows, None, None


class Grower:
    def __init__(self, codes, first, second, choices):
        self.num_bins = codes.max() + 1
        self.codes, self.first, self.second, self.choices = codes, first, second, choices
        self.flat = codes + np.arange(codes.shape[1]) * self.num_bins

    def sums(self, rows, values):
        shape = (self.codes.shape[1], self.num_bins)
        each = np.repeat(values[rows], shape[0])
        return np.bincount(self.flat[rows].ravel(), each, shape[0] * shape[1]).reshape(shape).cumsum(1)

    def node(self, rows):
        node = Node(rows)
        own = self.first[rows]
        node.deviance = own @ own - own.sum() ** 2 / max(len(rows), 1)
        if len(rows) > 1 and node.deviance > 0:
            self.find_split(node)
        return node

    def find_split(self, node):
        left, count = self.sums(node.rows, self.first), self.sums(node.rows, np.ones(len(self.first)))
        size = count if self.choices.by_count else self.sums(node.rows, self.second)
        total, whole = left[0, -1], size[0, -1]
        with np.errstate(all="ignore"):
            score = left**2 / size + (total - left) ** 2 / (whole - size)
        score[(count < 1) | (count > len(node.rows) - 1) | (size <= 0) | (size >= whole)] = -1
        feature, code = np.unravel_index(np.nanargmax(score), score.shape)
        if score[feature, code] > -1:
            node.split, node.gain = (feature, code), score[feature, code] - total**2 / whole

    def tree(self):
        root = self.node(np.arange(len(self.first)))
        leaves, done = [root], 0
        by_deviance = self.choices.by_deviance
        while leaves and len(leaves) + done < NUM_LEAVES:
            leaves.sort(key=lambda leaf: -leaf.deviance if by_deviance else -(leaf.gain if leaf.split else -1))
            leaf = leaves.pop(0)
            if leaf.split is None or (not by_deviance and leaf.gain <= 0):
                done += 1
                continue
            is_left = self.codes[leaf.rows, leaf.split[0]] <= leaf.split[1]
            leaf.children = (self.node(leaf.rows[is_left]), self.node(leaf.rows[~is_left]))
            leaves += leaf.children
        return root


def add_tree(node, grower, thresholds, rows, numbers, scores):
    if node.children is None:
        bend = grower.second[node.rows].sum()
        scores[numbers] += STEP * (grower.first[node.rows].sum() / bend if bend > 0 else 0.0)
        return
    feature, code = node.split
    is_left = rows[numbers, feature] <= thresholds[feature][code]
    add_tree(node.children[0], grower, thresholds, rows, numbers[is_left], scores)
    add_tree(node.children[1], grower, thresholds, rows, numbers[~is_left], scores)


def train(sets, choices):
    """Values of the test queries, and the number of trees."""
    rows = sets[0][0]
    thresholds = [thresholds_of(rows[:, f], choices.equal_width) for f in range(rows.shape[1])]
    codes = np.stack([np.searchsorted(own, rows[:, f]) for f, own in enumerate(thresholds)], axis=1)
    scores = [np.zeros(len(grades)) for _, grades, _ in sets]
    best = (-1.0, 0, None)
    for number in range(1, NUM_TREES + 1):
        grower = Grower(codes, *gradients(scores[0], *sets[0][1:], choices), choices)
        root = grower.tree()
        for own, (values, grades, _) in zip(scores, sets):
            add_tree(root, grower, thresholds, values, np.arange(len(grades)), own)
        valid = ndcg(scores[1], *sets[1][1:]).mean()
        if valid > best[0]:
            best = (valid, number, ndcg(scores[2], *sets[2][1:]))
        if number - best[1] > PATIENCE:
            break
    return best[2], best[1]


def main(folders):
    folds = [[read(pathlib.Path(folder) / f"{name}.txt") for name in ("train", "vali", "test")] for folder in folders]
    base = None
    print("| choices | test NDCG@10, fold by fold | trees | mean | difference |\n|---|---|---|---|---|")
    for name, changes in VARIANTS.items():
        found = [train(sets, Choices(**changes)) for sets in folds]
        values = np.concatenate([own for own, _ in found])
        base = values if base is None else base
        error = (values - base).std(ddof=1) / len(values) ** 0.5
        print(f"| {name} | {', '.join(f'{own.mean():.4f}' for own, _ in found)} | {', '.join(str(n) for _, n in found)} "
              f"| {values.mean():.4f} | {(values - base).mean():+.4f} ± {error:.4f} |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
