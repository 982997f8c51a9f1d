"""Fisher's randomisation test of two systems: 10,000 queries, 100,000 permutations.

No peer is timed: the question is whether the test is quick enough to be the default at the
size of a large test collection. Timed by build-bench/significance_bench (preset `bench`).
"""
import pathlib
import statistics

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "build-bench" / "significance_bench"


def main(rounds: int = 5, queries: int = 10_000, permutations: int = 100_000) -> str:
    def fisher() -> float:
        return measure.google_benchmark(PROGRAM, f"fisher/{queries}/{permutations}/", min_seconds=0.1)["real_time"] / 1e3

    values = measure.interleave({"fisher": fisher}, rounds)["fisher"]
    return (
        f"Fisher's randomisation test, two systems, {queries:,} queries, {permutations:,} permutations, all cores, "
        f"{rounds} runs. {measure.machine()}.\n\n"
        "| test | median s | range |\n|---|---|---|\n"
        f"| fisher | {statistics.median(values):.4g} | {min(values):.4g} to {max(values):.4g} |"
    )


if __name__ == "__main__":
    print(main())
