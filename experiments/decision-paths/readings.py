#!/usr/bin/env python3
"""What the decision-path paper's test MSE of .241 may be: its tree (depth 4, both fractions 0.1) on Fold 1 of MQ2008 read in many ways.

    readings.py FOLDER        FOLDER has train.txt, vali.txt and test.txt as published

Prints a table: how the data are read, test MSE, variance of the test grades, impurity at the root (the paper: .375).
Needs numpy and scikit-learn, whose DecisionTreeRegressor is the paper's; `glassrank train --method tree` gives its
predictions (tests/compat/test_regression_tree.py).
"""
import pathlib
import re
import sys

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.tree import DecisionTreeRegressor

PER_QUERY = 20
DRAWS = 3
# BM25 and LMIR.JM of the fields of a document, as LETOR 4.0 numbers them.
RETRIEVAL_SCORES = (21, 22, 23, 24, 37, 38, 39, 40)


def read(path):
    """Rows of 46 features and of inc and prob, grades, and where queries begin."""
    lines = path.read_text().splitlines()
    rows = np.array([[float(word.split(":")[1]) for word in line.split("#")[0].split()[2:]]
                     + [float(value) for value in re.findall(r"(?:inc|prob) = (\S+)", line)] for line in lines], np.float32)
    grades = np.array([float(line.split()[0]) for line in lines])
    ids = [line.split()[1] for line in lines]
    begins = [i for i in range(len(ids)) if i == 0 or ids[i] != ids[i - 1]]
    return rows, grades, np.array([*begins, len(ids)])


def cut(data, choose):
    """choose(rows, grades) -> the order of a query's documents; the first 20 stay."""
    rows, grades, ends = data
    kept = [begin + np.sort(choose(rows[begin:end], grades[begin:end])[:PER_QUERY]) for begin, end in zip(ends, ends[1:])]
    numbers = np.concatenate(kept)
    return rows[numbers], grades[numbers], np.cumsum([0] + [len(own) for own in kept])


def joined(*parts):
    ends = [np.array([0])]
    for _, grades, own in parts:
        ends.append(own[1:] + ends[-1][-1])
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts]), np.concatenate(ends)


def tree(**options):
    return DecisionTreeRegressor(**({"max_depth": 4, "min_samples_split": 0.1, "min_samples_leaf": 0.1,
                                     "random_state": 0} | options))


def show(name, train, test, grade=lambda g: g, num_features=46, **options):
    model = tree(**options).fit(train[0][:, :num_features], grade(train[1]))
    wanted = grade(test[1])
    error = np.mean((model.predict(test[0][:, :num_features]) - wanted) ** 2)
    print(f"| {name} | {error:.4f} | {wanted.var():.3f} | {model.tree_.impurity[0]:.3f} |", flush=True)


def main(folder):
    whole = [read(pathlib.Path(folder) / f"{name}.txt") for name in ("train", "vali", "test")]
    cuts = {"whole": whole}
    ways = {"the first": lambda rows, grades: np.arange(len(grades)), "the last": lambda rows, grades: np.arange(len(grades))[::-1]}
    for sign, name in ((1, "lowest"), (-1, "highest")):
        ways[f"{name} grades"] = lambda rows, grades, sign=sign: np.argsort(sign * grades, kind="stable")
        for f in RETRIEVAL_SCORES:
            ways[f"{name} of feature {f}"] = lambda rows, grades, sign=sign, f=f: np.argsort(sign * rows[:, f - 1], kind="stable")
    for draw in range(DRAWS):
        random = np.random.default_rng(draw)
        ways[f"draw {draw}"] = lambda rows, grades, random=random: random.permutation(len(grades))
    for name, way in ways.items():
        cuts[f"20 a query: {name}"] = [cut(part, way) for part in whole]
    print("| data | MSE | variance | root |\n|---|---|---|---|")
    for name, (train, vali, test) in cuts.items():
        show(name, train, test)
        if "feature" in name:
            continue
        show(f"{name}, trained on train and vali", joined(train, vali), test)
        show(f"{name}, trained on all three", joined(train, vali, test), test)
        show(f"{name}, Poisson criterion", train, test, criterion="poisson")
        show(f"{name}, grades above 0 as 1", train, test, grade=lambda g: np.minimum(g, 1))
        show(f"{name}, inc and prob as features", train, test, num_features=48)
        queries = np.repeat(np.arange(len(train[2]) - 1), np.diff(train[2]))
        folds = {"3 folds": KFold(3), "5 folds": KFold(5), "10 folds": KFold(10),
                 "5 shuffled folds": KFold(5, shuffle=True, random_state=0), "5 folds of queries": GroupKFold(5)}
        for kind, split in folds.items():
            groups = queries if isinstance(split, GroupKFold) else None
            errors = -cross_val_score(tree(), train[0][:, :46], train[1], groups=groups, cv=split,
                                      scoring="neg_mean_squared_error")
            print(f"| {name}, {kind} of train | {errors.mean():.4f} | | |", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
