"""Rankers in Spark: training in one barrier stage, scoring and explaining partition by partition.

    from glassrank.spark import Ranker

    ranker = Ranker(method=glassrank.Lambdamart(num_trees=300), featuresCols=[...], labelCol="label", qidCol="qid")
    model = ranker.fit(frame)                 # a pyspark.ml Model
    scored = model.transform(frame)           # the column "prediction"
    model.ranker.save("model.txt")            # a glassrank.Model, like any other

Every task of the stage holds some whole queries and trains with the others (Gloo over TCP); all
end with the same model: the one of a single machine that has the rows in the order of the queries
and, within a query, of ``orderCols``.
"""
from __future__ import annotations

from typing import Any, Callable, Iterator, Sequence

import numpy as np
from pyspark import keyword_only
from pyspark.ml import Estimator, Model as SparkModel
from pyspark.ml.param import Param, Params
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, DoubleType, StringType, StructField, StructType

from glassrank import distributed
from glassrank.dataset import Dataset
from glassrank.errors import InputError, UsageError
from glassrank.model import Model, load_bytes
from glassrank.training import Method


class _Columns(Params):
    """Which columns are what."""

    featuresCols: Param = Param(Params._dummy(), "featuresCols", "columns of features; or one column of vectors")
    categoricalCols: Param = Param(Params._dummy(), "categoricalCols", "columns of features whose values are categories")
    qidCol: Param = Param(Params._dummy(), "qidCol", "column of the query")
    labelCol: Param = Param(Params._dummy(), "labelCol", "column of grades")
    predictionCol: Param = Param(Params._dummy(), "predictionCol", "column that transform adds")

    def _names(self) -> list[str]:
        return list(self.getOrDefault(self.featuresCols))

    def _categorical(self) -> list[str]:
        return list(self.getOrDefault(self.categoricalCols)) if self.isDefined(self.categoricalCols) else []


class Ranker(Estimator, _Columns):
    """Trains a method of glassrank on a DataFrame.

    Parameters
    ----------
    method : glassrank.Method
        What to train, such as ``glassrank.Lambdamart(num_leaves=64)``. Its ``threads`` are those of a
        task; the default is ``spark.task.cpus``.
    featuresCols : list of str
        Columns of numbers or categories, or the one column of vectors.
    categoricalCols : list of str, optional
        Those of the features whose values are categories: text or whole numbers.
    labelCol, qidCol : str
    weightCol : str, optional
    orderCols : list of str, optional
        What orders the rows within a query, so that the model is the same each time; else the values
        of all features.
    validationIndicatorCol : str, optional
        Boolean: rows that do not train but stop the training early.
    numTasks : int
        Machines that train together; they must run at the same time.
    predictionCol : str
        What ``transform`` adds.
    """

    weightCol: Param = Param(Params._dummy(), "weightCol", "column of row weights")
    orderCols: Param = Param(Params._dummy(), "orderCols", "columns that order the rows within a query")
    validationIndicatorCol: Param = Param(Params._dummy(), "validationIndicatorCol", "boolean column: validation rows")
    numTasks: Param = Param(Params._dummy(), "numTasks", "tasks that train together")

    @keyword_only
    def __init__(
        self,
        *,
        method: Method,
        featuresCols: Sequence[str],
        categoricalCols: Sequence[str] | None = None,
        labelCol: str = "label",
        qidCol: str = "qid",
        weightCol: str | None = None,
        orderCols: Sequence[str] | None = None,
        validationIndicatorCol: str | None = None,
        numTasks: int = 2,
        predictionCol: str = "prediction",
    ) -> None:
        super().__init__()
        given: dict[str, Any] = dict(vars(self)["_input_kwargs"])
        self.method = given.pop("method")
        self._set(**{name: value for name, value in given.items() if value is not None})
        self._setDefault(labelCol="label", qidCol="qid", predictionCol="prediction", numTasks=2)

    def _column(self, param: Param) -> str | None:
        return self.getOrDefault(param) if self.isDefined(param) else None

    def _fit(self, dataset: DataFrame) -> RankerModel:
        names = self._names()
        label, qid = self.getOrDefault(self.labelCol), self.getOrDefault(self.qidCol)
        weight, valid = self._column(self.weightCol), self._column(self.validationIndicatorCol)
        order = list(self.getOrDefault(self.orderCols)) if self.isDefined(self.orderCols) else []
        wanted = list(dict.fromkeys([*names, label, qid, *order, *[each for each in (weight, valid) if each]]))
        missing = [each for each in wanted if each not in dataset.columns]
        if missing:
            raise InputError(f"the DataFrame has no column {missing[0]!r}; there are {', '.join(dataset.columns)}")
        num_tasks: int = self.getOrDefault(self.numTasks)
        categorical = self._categorical()
        strange = [each for each in categorical if each not in names]
        if strange:
            raise UsageError(f"categoricalCols: {strange[0]!r} is none of featuresCols")
        rows = dataset.select(*wanted)
        width = 0
        if _is_vector(rows, names):
            if categorical:
                raise UsageError("categoricalCols are columns of their own, and featuresCols is one column of vectors")
            rows = rows.withColumn(names[0], _array_of(names[0]))
            first = rows.select(names[0]).first()
            width = len(first[0]) if first is not None else 0
        # Ranges of queries: a query is never cut, and tasks hold them in order.
        rows = rows.repartitionByRange(num_tasks, qid).sortWithinPartitions(qid, *(order or names))
        method, threads = self.method, int(dataset.sparkSession.conf.get("spark.task.cpus", "1") or 1)
        if not method.get_params().get("threads"):
            method = type(method)(**{**method.get_params(), "threads": threads})

        def train(batches: Iterator[Any]) -> Iterator[Any]:
            yield from _train(batches, method, names, categorical, width, label, qid, weight, valid)

        schema = StructType([StructField("model", BinaryType())])
        made = rows.mapInPandas(train, schema, barrier=True).collect()
        model = RankerModel(bytes(next(row.model for row in made if row.model is not None)), names)
        return self._copyValues(model)


def _is_vector(rows: DataFrame, names: list[str]) -> bool:
    from pyspark.ml.linalg import VectorUDT

    return len(names) == 1 and isinstance(rows.schema[names[0]].dataType, VectorUDT)


def _array_of(name: str) -> Any:
    from pyspark.ml.functions import vector_to_array

    return vector_to_array(F.col(name), "float32")


def _features(frame: Any, names: list[str], categorical: list[str], width: int) -> Any:
    """The features of a frame: its columns, or with a width the one column of arrays."""
    if width > 0:
        return np.array(frame[names[0]].to_list(), np.float32).reshape(len(frame), width)
    if not categorical:
        return np.ascontiguousarray(frame[names].to_numpy(dtype=np.float32, na_value=np.nan))
    numbers = {name: frame[name].to_numpy(dtype=np.float32, na_value=np.nan) for name in names if name not in categorical}
    return frame[names].assign(**numbers)


def _connect() -> distributed.Machines:
    """The tasks of this barrier stage."""
    import base64

    from pyspark import BarrierTaskContext

    context = BarrierTaskContext.get()
    own = context.getTaskInfos()[context.partitionId()].address.rsplit(":", 1)[0]
    return distributed.connect(
        context.partitionId(),
        len(context.getTaskInfos()),
        own,
        lambda text: [base64.b64decode(each) for each in context.allGather(base64.b64encode(text).decode())],
    )


def _train(
    batches: Iterator[Any],
    method: Method,
    names: list[str],
    categorical: list[str],
    width: int,
    label: str,
    qid: str,
    weight: str | None,
    valid: str | None,
) -> Iterator[Any]:
    """One task: its rows, the training, the model from the first task."""
    import pandas as pd

    parts = list(batches)
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*names, label, qid, *[each for each in (weight, valid) if each]])
    machines = _connect()

    def data(rows: Any) -> Dataset:
        return Dataset(
            _features(rows, names, categorical, width),
            rows[label].to_numpy(np.float32),
            qid=rows[qid].to_numpy(),
            weight=rows[weight].to_numpy(np.float32) if weight else None,
            feature_names=[f"{names[0]}_{i}" for i in range(width)] if width > 0 else names,
            categorical=categorical,
            name="spark",
        )

    with distributed.together(machines):
        held = frame[valid].astype(bool).to_numpy() if valid else np.zeros(len(frame), bool)
        train, own_valid = data(frame[~held]), data(frame[held]) if valid else None
    model = method.train(train, own_valid, machines=machines)
    yield pd.DataFrame({"model": [model.to_bytes() if machines.rank == 0 else None]})


class RankerModel(SparkModel, _Columns):
    """A trained ranker. ``ranker`` is the glassrank.Model."""

    def __init__(self, model: bytes, names: Sequence[str]) -> None:
        super().__init__()
        self._bytes = model
        self._feature_names = list(names)

    @property
    def ranker(self) -> Model:
        """The model, for everything that glassrank can do with one."""
        return load_bytes(self._bytes)

    def _column(self, dataset: DataFrame, kind: Any, work: Callable[[Model, Any], Any]) -> Any:
        """A column of what ``work`` makes of the features, partition by partition."""
        names, categorical, model = self._names(), self._categorical(), self._bytes
        is_vector = _is_vector(dataset, names)

        def run(batches: Iterator[Any]) -> Iterator[Any]:
            import pandas as pd

            ranker = load_bytes(model)
            width = len(ranker.feature_names) if is_vector else 0
            for columns in batches:
                frame = pd.concat(columns if isinstance(columns, tuple) else (columns,), axis=1, keys=names)
                X = _features(frame, names, categorical, width)
                yield work(ranker, Dataset(X, feature_names=ranker.feature_names, categorical=categorical))

        udf = F.pandas_udf(run, kind, F.PandasUDFType.SCALAR_ITER)
        return udf(*([_array_of(names[0])] if is_vector else names))

    def _transform(self, dataset: DataFrame) -> DataFrame:
        def score(ranker: Model, rows: Dataset) -> Any:
            import pandas as pd

            return pd.Series(ranker.predict(rows, threads=1))

        return dataset.withColumn(self.getOrDefault(self.predictionCol), self._column(dataset, DoubleType(), score))

    def explain(self, dataset: DataFrame, method: str = "tree-shap", **options: Any) -> DataFrame:
        """What every feature adds to every document's score: the columns "base_value" and "attributions".

        Partition by partition, so explainers that look at one document at a time: ``method`` and
        ``options`` as in ``glassrank.Model.attributions``.
        """
        kind = StructType([StructField("base_value", DoubleType()), StructField("attributions", ArrayType(DoubleType()))])

        def explain(ranker: Model, rows: Dataset) -> Any:
            import pandas as pd

            found = ranker.attributions(rows, method, threads=1, **options)
            return pd.DataFrame({"base_value": found.base_values, "attributions": list(found.values)})

        explained = dataset.withColumn("_explained", self._column(dataset, kind, explain))
        return explained.select("*", "_explained.base_value", "_explained.attributions").drop("_explained")
