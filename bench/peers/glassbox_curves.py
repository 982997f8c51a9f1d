"""How well a model's curves match the true ones of synthetic data, up to centring and scale.

Model and truth are both written as tables and purified over the test rows (`glassrank edit --edit purify`), so that
neither is blamed for what its surfaces hold of main effects. Then, for every true main effect, the correlation over
the test rows of the true curve with the model's.
"""
import json
import pathlib

import numpy
from glassbox_order import glassrank


def true_tables(truth: dict) -> dict:
    """The truth as an additive model: every sampled point is a cell, the edges are halfway between."""
    place = {feature["name"]: f for f, feature in enumerate(truth["features"])}

    def edges(points):
        return numpy.float32((numpy.array(points[1:]) + points[:-1]) / 2)

    def with_missing(values, name, points):
        """Rows for all cells: the last one for missing values, which count as one of the points."""
        as_if = numpy.abs(numpy.array(points) - truth["features"][place[name]].get("missing_as", points[0])).argmin()
        return numpy.concatenate([values, values[as_if : as_if + 1]])

    effects = []

    def add(names, points, values):
        axes = {"features": [place[name] for name in names], "edges": [edges(each).tolist() for each in points]}
        effects.append({**axes, "values": values.tolist()})

    for effect in truth["main_effects"]:
        points, values = numpy.array(effect["points"]).T
        add([effect["feature"]], [points], with_missing(values, effect["feature"], points))
    for effect in truth["interactions"]:
        names, points, values = effect["features"], effect["points"], numpy.array(effect["values"])
        if place[names[0]] > place[names[1]]:
            names, points, values = names[::-1], points[::-1], values.T
        add(names, points, with_missing(with_missing(values, names[0], points[0]).T, names[1], points[1]).T)
    return {"format": "glassrank-gam", "version": 1, "num_features": len(place), "intercept": 0, "effects": effects}


def curves_of(tables: dict) -> dict:
    """Feature -> (edges, values)."""
    curves = [effect for effect in tables["effects"] if len(effect["features"]) == 1]
    return {c["features"][0]: (numpy.float32(c["edges"][0]), numpy.array(c["values"])) for c in curves}


def purified(tables: dict, folder: pathlib.Path) -> dict:
    """By the weights of the test rows, whatever the tables were learned from."""
    for effect in tables["effects"]:
        effect.pop("weights", None)
    before, after = folder / "tables.json", folder / "purified.json"
    before.write_text(json.dumps(tables))
    options = ["--data", folder / "test.cache", "--to", "gam-json", "--permutations", 1, "--quiet"]
    glassrank("edit", "--model", before, "--edit", "purify", "--out", after, *options)
    return json.loads(after.read_text())


def test_rows(folder: pathlib.Path, num_features: int) -> numpy.ndarray:
    text = folder / "test.txt"
    # Noise of probability 0 is the way from a cache back to text.
    glassrank("data", "noise", "--data", folder / "test.cache", "--out", text, "--probability", 0)
    rows = []
    for line in text.read_text().splitlines():
        row = numpy.zeros(num_features, numpy.float32)
        for word in line.split("#")[0].split()[2:]:
            feature, value = word.split(":")
            row[int(feature) - 1] = value
        rows.append(row)
    text.unlink()
    return numpy.array(rows)


def looked_up(curve: tuple, x: numpy.ndarray) -> numpy.ndarray:
    edges, values = curve
    return values[numpy.where(numpy.isnan(x), len(edges) + 1, numpy.searchsorted(edges, x))]


def match(folder: pathlib.Path, model: pathlib.Path) -> list:
    """For every true main effect: correlations with the model's curve, purified (`pure`) and as trained (`raw`), the
    variance of the true curve, and whether its feature is in a true pair (`paired`)."""
    truth = json.loads((folder / "truth.json").read_text())
    if any("values" not in effect for effect in truth["interactions"]):
        raise SystemExit(f"{folder}: a truth without surfaces, of an older program; remove the folder")
    out = folder / "model.json"
    glassrank("convert", "--model", model, "--to", "gam-json", "--out", out)
    tables = json.loads(out.read_text())
    curves = {"raw": curves_of(tables), "pure": curves_of(purified(tables, folder))}
    true = curves_of(purified(true_tables(truth), folder))
    rows = test_rows(folder, len(truth["features"]))
    paired = {name for effect in truth["interactions"] for name in effect["features"]}
    names = [feature["name"] for feature in truth["features"]]
    matches = []
    for effect in truth["main_effects"]:
        f = names.index(effect["feature"])
        there = looked_up(true[f], rows[:, f])
        result = {"variance": there.var(), "paired": effect["feature"] in paired}
        for kind, found in curves.items():
            here = looked_up(found[f], rows[:, f]) if f in found else numpy.zeros(len(rows))
            result[kind] = numpy.corrcoef(there, here)[0, 1] if here.std() > 0 else 0.0
        matches.append(result)
    return matches
