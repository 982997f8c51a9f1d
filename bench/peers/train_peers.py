"""Trains one peer on the arrays of dump_program and prints its times, test NDCG@10 and memory as JSON.

    train_peers.py PEER PREFIX_OF_TRAIN PREFIX_OF_TEST THREADS TREES JSON_PARAMETERS

Times are per tree, without reading and binning. NDCG@10 counts queries without gain as 1.
"""
import json
import os
import resource
import sys
import time

import numpy


def read(prefix):
    grades = numpy.fromfile(prefix + ".grades", "f4")
    features = numpy.fromfile(prefix + ".features", "f4").reshape(len(grades), -1)
    return features, grades, numpy.fromfile(prefix + ".sizes", "i4")


def ndcg(grades, scores, sizes):
    discounts, total, begin = 1 / numpy.log2(numpy.arange(2, 12)), 0, 0
    for size in sizes:
        own = 2.0 ** grades[begin : begin + size] - 1
        best = numpy.sort(own)[::-1][:10]
        found = own[numpy.argsort(-scores[begin : begin + size], kind="stable")[:10]]
        ideal = (best * discounts[: len(best)]).sum()
        total += (found * discounts[: len(found)]).sum() / ideal if ideal > 0 else 1
        begin += size
    return total / len(sizes)


def lightgbm(prefix, threads, trees, extra):
    import lightgbm

    params = {"objective": "lambdarank", "max_bin": 255, "learning_rate": 0.1, "num_leaves": 64, "verbosity": -1}
    saved = extra.pop("binned_file", None)  # where to keep the data in bins for the next time
    params |= {"num_threads": threads} | extra
    if saved and os.path.exists(saved):
        data = lightgbm.Dataset(saved, params=params)
    else:
        features, grades, sizes = read(prefix)
        data = lightgbm.Dataset(features, grades, group=sizes, params=params)
        if saved:
            data.save_binary(saved)
        del features
    booster = lightgbm.Booster(params, data)
    start = time.perf_counter()
    for _ in range(trees):
        booster.update()
    return time.perf_counter() - start, booster.predict


def xgboost(prefix, threads, trees, extra):
    import xgboost

    params = {"objective": "rank:ndcg", "tree_method": "hist", "max_bin": 255, "eta": 0.1, "grow_policy": "lossguide"}
    params |= {"max_leaves": 64, "max_depth": 0, "nthread": threads} | extra
    features, grades, sizes = read(prefix)
    data = xgboost.QuantileDMatrix(features, grades, group=sizes, max_bin=255, nthread=threads)
    del features
    booster = xgboost.Booster(params, [data])
    booster.update(data, 0)  # the first round also sets up
    start = time.perf_counter()
    for number in range(1, trees):
        booster.update(data, number)
    seconds = (time.perf_counter() - start) * trees / max(trees - 1, 1)
    return seconds, lambda rows: booster.predict(xgboost.DMatrix(rows))


def catboost(prefix, threads, trees, extra):
    import catboost

    params = {"loss_function": "YetiRank", "iterations": trees, "learning_rate": 0.1, "grow_policy": "Lossguide"}
    params |= {"max_leaves": 64, "depth": 16, "border_count": 254, "thread_count": threads, "verbose": False}
    params |= {"metric_period": 10_000, "allow_writing_files": False} | extra
    features, grades, sizes = read(prefix)
    queries = numpy.repeat(numpy.arange(len(sizes)), sizes)
    data = catboost.Pool(features, grades, group_id=queries)
    data.quantize(border_count=254)
    del features
    model = catboost.CatBoost(params)
    start = time.perf_counter()
    model.fit(data)
    return time.perf_counter() - start, model.predict


def main():
    peer, train, test, threads, trees, extra = sys.argv[1:]
    contenders = {"lightgbm": lightgbm, "xgboost": xgboost, "catboost": catboost}
    seconds, predict = contenders[peer](train, int(threads), int(trees), json.loads(extra))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    features, grades, sizes = read(test)
    quality = ndcg(grades, numpy.asarray(predict(features)), sizes)
    print(json.dumps({"ms_per_tree": seconds / int(trees) * 1e3, "ndcg@10": quality, "peak_mb": peak}))


main()
