"""Server time of POST /v1/score: one query of 120 documents x 136 features, 1000 trees of 64 leaves.

Server time is what the server says in Server-Timing: from the whole request to the whole answer, with reading the
body; waiting for a turn is told apart. Clients are threads of this process with connections that stay open.
"""
import concurrent.futures
import http.client
import json
import pathlib
import platform
import random
import statistics
import struct
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "glassrank"
FEATURES, DOCUMENTS = 136, 120
CLIENTS = {1: 3000, 8: 500, 200: 20}  # clients: requests of each


def make_model(folder: pathlib.Path) -> pathlib.Path:
    data, model = folder / "data.txt", folder / "model.txt"
    subprocess.run([PROGRAM, "data", "synth", "--queries", "100", "--features", str(FEATURES), "--out", data, "--quiet"],
                   check=True)
    subprocess.run([PROGRAM, "train", "--train", data, "--num-trees", "1000", "--num-leaves", "64", "--min-leaf-rows",
                    "2", "--out", model, "--quiet"], check=True)
    return model


def bodies() -> dict:
    draw = random.Random(1)
    rows = [[round(draw.uniform(0, 20), 4) for _ in range(FEATURES)] for _ in range(DOCUMENTS)]
    text = json.dumps({"documents": [{"id": f"document-{i}", "features": row} for i, row in enumerate(rows)]})
    packed = b"".join(struct.pack(f"<{FEATURES}f", *row) for row in rows)
    return {"JSON": ("application/json", text.encode()), "float32": ("application/octet-stream", packed)}


def client(port: int, kind: str, body: bytes, count: int) -> list[tuple[float, float]]:
    """Of each request: the time of work and that of waiting, in ms."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    times = []
    for _ in range(count):
        connection.request("POST", "/v1/score", body, {"Content-Type": kind})
        response = connection.getresponse()
        answer = response.read()
        assert response.status == 200, answer
        said = dict(part.strip().split(";dur=") for part in response.getheader("Server-Timing").split(","))
        times.append((float(said["app"]) - float(said["wait"]), float(said["wait"])))
    connection.close()
    return times


def row(port: int, name: str, clients: int, kind: str, body: bytes) -> str:
    client(port, kind, body, 50)
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        parts = pool.map(lambda _: client(port, kind, body, CLIENTS[clients]), range(clients))
        times = [t for part in parts for t in part]
    seconds = time.monotonic() - begin
    work, wait = (sorted(each) for each in zip(*times))
    at99 = int(0.99 * len(times))
    return (f"| {name}, {len(body) / 1e3:.0f} kB | {clients} | {len(times)} | {statistics.median(work):.3f} | {work[at99]:.3f} "
            f"| {work[-1]:.2f} | {statistics.median(wait):.3f} | {wait[at99]:.2f} | {len(times) / seconds:.0f} |")


def main(model: pathlib.Path | None = None) -> str:
    with tempfile.TemporaryDirectory() as folder:
        model = model or make_model(pathlib.Path(folder))
        server = subprocess.Popen([PROGRAM, "serve", "--model", model, "--port", "0", "--json", "--quiet"],
                                  stdout=subprocess.PIPE, text=True)
        try:
            port = int(json.loads(server.stdout.readline())["address"].rstrip("/").rsplit(":", 1)[1])
            rows = [row(port, name, clients, kind, body) for name, (kind, body) in bodies().items() for clients in CLIENTS]
        finally:
            server.terminate()
            server.wait(60)
    return "\n".join([
        f"Server time of `POST /v1/score`, {DOCUMENTS} documents x {FEATURES} features, 1000 trees of 64 leaves; times in "
        "ms. Work is reading the body, scoring and writing the answer; waiting is for one of as many turns as there are "
        "threads. The clients run on the same cores, and what they take of them is in the work, too. "
        f"{platform.machine()}, {platform.system()}, {time.strftime('%Y-%m-%d')}.", "",
        "| body | clients | requests | work: median | p99 | largest | wait: median | p99 | requests a second |",
        "|---|---|---|---|---|---|---|---|---|", *rows])


if __name__ == "__main__":
    import sys

    print(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None))
