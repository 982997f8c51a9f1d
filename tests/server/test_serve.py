"""glassrank serve: answers over the loopback, many clients at a time, and requests that mean harm."""
import concurrent.futures
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import time

import pytest

SECONDS = 60  # that anything may take; machines that test are busy
SCRIPT = "<script>window.hacked=1</script>"


class Server:
    """A server on a free port of the loopback, and plain ways to ask it."""

    def __init__(self, program, folder, *options, **variables):
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", "--quiet", *map(str, options)],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | variables)
        line = self.process.stdout.readline()
        assert line, self.process.communicate(timeout=SECONDS)[1]
        self.address = json.loads(line)["address"]
        self.port = int(self.address.rstrip("/").rsplit(":", 1)[1])

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            if isinstance(body, (dict, list)):
                body = json.dumps(body)
            connection.request(method, path, body, {"Content-Type": "application/json", **headers})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def post(self, path, body, **headers):
        status, answer = self.ask("POST", path, body, **headers)
        assert status == 200, answer
        return json.loads(answer)

    def raw(self, data, wait=SECONDS):
        """What comes back to these bytes until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as client:
            answer = b""
            try:
                client.sendall(data)
                while part := client.recv(65536):
                    answer += part
            except (ConnectionResetError, BrokenPipeError):
                pass
            return answer

    def stop(self, number=signal.SIGTERM):
        begin = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        return time.monotonic() - begin, self.process.returncode, out + err


@pytest.fixture(scope="module")
def shop(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")

    def run(*arguments):
        subprocess.run([program, *arguments, "--quiet"], cwd=folder, check=True, capture_output=True)

    run("data", "synth", "--scenario", "bookshop", "--bookshop.queries", "30", "--out", ".")
    run("train", "--train", "train.txt", "--num-trees", "20", "--num-leaves", "8", "--out", "model.txt")
    return folder


QUICK = ("--repeats", 1, "--audit-queries", 0, "--dependence-features", 2, "--baselines", 1)


@pytest.fixture(scope="module")
def server(program, shop):
    server = Server(program, shop, "--model", "model.txt", "--data", "test.txt", "--train", "train.txt",
                    "--head-seconds", 2, *QUICK)
    yield server
    _, code, text = server.stop()
    assert code == 0, text


@pytest.fixture(scope="module")
def model(server):
    return json.loads(server.ask("GET", "/v1/model")[1])


def page_of(server):
    end = time.monotonic() + SECONDS
    while True:
        status, page = server.ask("GET", "/")
        if status == 200:
            return page.decode()
        assert status == 503 and time.monotonic() < end, page
        time.sleep(0.1)


def some_query(shop):
    for line in (shop / "test.txt").read_text().splitlines():
        if "qid:" in line:
            return line.split("qid:")[1].split()[0]
    raise AssertionError("no query")


def test_scores_are_those_of_predict(program, shop, server):
    expected = subprocess.run([program, "predict", "--model", "model.txt", "--data", "test.txt", "--quiet"],
                              cwd=shop, check=True, capture_output=True, text=True).stdout.split()
    answer = server.post("/v1/score", {"query": some_query(shop)})
    assert answer["scores"] == [float(x) for x in expected[:len(answer["scores"])]]


def test_documents_of_a_request_by_list_by_name_and_as_floats(server, model):
    names = model["features"]
    rows = [[float((7 * d + f) % 5) for f in range(len(names))] for d in range(12)]
    by_list = server.post("/v1/score", {"documents": [{"id": f"d{i}", "features": row} for i, row in enumerate(rows)]})
    by_name = server.post("/v1/score", {"documents": [{"features": dict(zip(names, row))} for row in rows]})
    packed = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    status, body = server.ask("POST", "/v1/score", packed, **{"Content-Type": "application/octet-stream"})
    assert status == 200
    assert by_list["scores"] == by_name["scores"] == json.loads(body)["scores"]
    assert by_list["documents"][3] == "d3" and sorted(by_list["ranks"]) == list(range(1, 13))


def test_explanations_are_those_of_the_commands(program, shop, server):
    query = some_query(shop)
    explained = subprocess.run(
        [program, "explain", "--model", "model.txt", "--data", "test.txt", "--background", "train.txt", "--query",
         query, "--document", "rank:2", "--json", "--quiet"], cwd=shop, check=True, capture_output=True, text=True)
    expected = json.loads(explained.stdout)["explanations"][0]
    assert server.post("/v1/explain", {"query": query, "document": "rank:2"}) == expected
    lifted = subprocess.run(
        [program, "counterfactual", "--model", "model.txt", "--data", "test.txt", "--background", "train.txt",
         "--query", query, "--document", expected["documents"][0]["document"], "--top", "1", "--json", "--quiet"],
        cwd=shop, check=True, capture_output=True, text=True)
    answer = server.post("/v1/counterfactual",
                         {"query": query, "document": expected["documents"][0]["document"], "top": 1})
    assert answer == json.loads(lifted.stdout)


def test_an_answer_says_what_it_took_and_how_long_it_waited(server, shop):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    connection.request("POST", "/v1/score", json.dumps({"query": some_query(shop)}), {"Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    connection.close()
    times = dict(part.strip().split(";dur=") for part in response.getheader("Server-Timing").split(","))
    assert 0 <= float(times["wait"]) <= float(times["app"])


def test_two_hundred_clients_at_a_time(server, shop):
    query = some_query(shop)
    expected = server.post("/v1/score", {"query": query})["scores"]
    bodies = [("/v1/score", {"query": query}), ("/v1/explain", {"query": query, "document": "rank:1"}),
              ("/v1/pair", {"query": query, "document": "rank:1", "other": "rank:2"}), ("/v1/score", {"query": "?"})]

    def client(number):
        path, body = bodies[number % 4]
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
        for _ in range(3):
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = json.loads(response.read())
            if number % 4 == 0:
                assert answer["scores"] == expected
            elif number % 4 == 3:
                assert response.status == 400 and "unknown query" in answer["error"]["message"]
            else:
                assert response.status == 200 and answer["features"]
        connection.close()

    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        list(pool.map(client, range(200)))


def test_hostile_requests_get_a_clear_error(server, model):
    features = [0] * model["num_features"]
    deep = "[" * 100_000
    cases = [
        ({"body": "{"}, 400, "a text in quotes is expected"),
        ({"body": deep}, 400, "must be a JSON object"),
        ({"body": '{"query": ' + deep}, 400, "nested too deeply"),
        ({"body": '{"documents": [{"features": [1, 2]}]}'}, 400, "features, the model has"),
        ({"body": json.dumps({"documents": [{"features": [1e300] + features[1:]}]})}, 400, "too large"),
        ({"body": json.dumps({"documents": [{"features": features}] * 10_001})}, 400, "more than 10000 documents"),
        ({"body": "{}", "Content-Type": "text/plain"}, 415, "application/json"),
        ({"body": b"\xff\xfe\x00"}, 400, "must be a JSON object"),
        ({"body": "x" * (17 << 20)}, 413, "--max-body"),
    ]
    for case, expected, words in cases:
        case = dict(case)
        try:
            status, answer = server.ask("POST", "/v1/score", case.pop("body"), **case)
        except (BrokenPipeError, ConnectionResetError):
            assert expected == 413  # the server need not wait for all of it
            continue
        assert status == expected, answer
        assert words in json.loads(answer)["error"]["message"]
    assert server.ask("GET", "/health")[0] == 200


def test_an_id_of_two_documents_is_refused_and_its_place_is_not(server, model):
    rows = [[float((3 * d + f) % 4) for f in range(model["num_features"])] for d in range(3)]
    documents = [{"id": "twin" if d != 1 else "one", "features": row} for d, row in enumerate(rows)]
    status, answer = server.ask("POST", "/v1/explain", {"documents": documents, "document": "twin"})
    assert status == 400
    assert "at the places 1, 3; send the place" in json.loads(answer)["error"]["message"]
    scores = server.post("/v1/score", {"documents": documents})["scores"]
    for place in (1, 2, 3):
        explained = server.post("/v1/explain", {"documents": documents, "document": f"place:{place}"})
        assert explained["value"] == scores[place - 1]


@pytest.mark.parametrize("path", [
    "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/v1/../../etc/passwd", "/model.txt",
    "/v1/score/%00", "/?file=/etc/passwd&x=../..", "/" + "a" * 7000,
])
def test_a_path_is_never_a_file(server, path):
    status, answer = server.ask("GET", path)
    assert b"root:" not in answer
    assert status == 404 or path.startswith("/?")


@pytest.mark.parametrize("data, expected", [
    (b"\x16\x03\x01\x02\x00\x01\x00", b""),  # TLS
    (b"GARBAGE\r\n\r\n", b"400"),
    (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n", b"431"),
    (b"POST /v1/score HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\r\n{}", b"411"),
    (b"POST /v1/score HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}   \r\n0\r\n\r\n", b"411"),
    (b"POST /v1/score HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd", b"400"),
    (b"DELETE / HTTP/1.1\r\n\r\n", b"405"),
    (b"GET / HTTP/1.1\r\nRange: bytes=0-1,0-1,0-1\r\n\r\n", b"400"),
    (b"GET /v1/model HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"403"),
])
def test_malformed_requests(server, data, expected):
    assert expected in server.raw(data).split(b"\r\n")[0]
    assert server.ask("GET", "/health")[0] == 200


def test_slow_clients_do_not_keep_others_waiting(server):
    slow = [socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) for _ in range(150)]
    try:
        for client in slow:
            client.sendall(b"POST /v1/score HTTP/1.1\r\nA: ")
        assert server.ask("GET", "/health")[0] == 200
        for client in slow:
            answer = b""
            while part := client.recv(4096):
                answer += part
            assert b"408" in answer.split(b"\r\n")[0]
    finally:
        for client in slow:
            client.close()


def test_bytes_that_come_one_by_one_have_one_time_limit(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS) as client:
        begin = time.monotonic()
        answer = b""
        client.settimeout(0.2)
        while time.monotonic() - begin < SECONDS and not answer:
            try:
                client.sendall(b"G")
                answer = client.recv(4096)
            except TimeoutError:
                continue
            except ConnectionError:
                break
        assert time.monotonic() - begin < SECONDS


def test_the_page_is_live_and_names_are_text(program, shop, tmp_path):
    rows = [f"grade,query,document,a,{SCRIPT}"]
    rows += [f"{d % 3},{SCRIPT}{q},{SCRIPT}{d},{d * 7 % 10},{q}" for q in range(8) for d in range(10)]
    (tmp_path / "bad.csv").write_text("\n".join(rows) + "\n")
    subprocess.run([program, "train", "--train", "bad.csv", "--num-trees", "5", "--num-leaves", "3",
                    "--min-leaf-rows", "2", "--out", "bad.txt", "--quiet"], cwd=tmp_path, check=True)
    server = Server(program, tmp_path, "--model", "bad.txt", "--data", "bad.csv", *QUICK)
    try:
        page = page_of(server)
        assert '"is_live":true' in page and SCRIPT not in page
        answer = server.post("/v1/explain", {"query": SCRIPT + "0", "document": "rank:1"})
        assert SCRIPT in json.dumps(answer)  # the API gives names as they are; JSON is not a page
        status, body = server.ask("GET", "/v1/model")
        assert status == 200 and SCRIPT in json.loads(body)["features"]
    finally:
        assert server.stop()[1] == 0


def test_the_token_is_asked_of_everybody(program, shop, tmp_path):
    (tmp_path / "token").write_text("a-secret-of-the-shop\n")
    server = Server(program, shop, "--model", "model.txt", "--token-file", tmp_path / "token")
    try:
        assert server.ask("GET", "/v1/model")[0] == 401
        assert server.ask("GET", "/v1/model", Authorization="Bearer a-secret-of-the-shot")[0] == 401
        assert server.ask("GET", "/v1/model", Authorization="Bearer a-secret-of-the-shop")[0] == 200
        assert server.ask("GET", "/metrics")[0] == 401
        assert server.ask("GET", "/health")[0] == 200
    finally:
        server.stop()


def test_without_data_it_scores_and_says_what_it_needs(program, shop):
    server = Server(program, shop, "--model", "model.txt")
    try:
        features = json.loads(server.ask("GET", "/v1/model")[1])["features"]
        assert len(server.post("/v1/score", {"documents": [{"features": {}}]})["scores"]) == 1
        status, answer = server.ask("POST", "/v1/explain", {"documents": [{"features": [0] * len(features)}]})
        assert status == 400 and "--data" in json.loads(answer)["error"]["message"]
        status, answer = server.ask("GET", "/")
        assert status == 404 and "--data" in json.loads(answer)["error"]["message"]
    finally:
        server.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_ends_it_cleanly_with_clients_connected(program, shop, number):
    server = Server(program, shop, "--model", "model.txt", "--data", "test.txt", *QUICK)
    with socket.create_connection(("127.0.0.1", server.port)) as client:
        client.sendall(b"GET / HT")
        seconds, code, text = server.stop(number)
    assert code == 0, text
    assert seconds < SECONDS / 2


def test_a_port_that_is_taken_is_an_error(glassrank, server, shop):
    done = glassrank("serve", "--model", shop / "model.txt", "--port", server.port, check=False)
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{server.port}: Address already in use" in done.stderr


@pytest.mark.parametrize("options, words", [
    ("--token short", "at least 8 are needed"),
    ("--port 70000", "out of range"),
    ("--seconds 0", "out of range"),
])
def test_options_that_do_not_fit(glassrank, shop, options, words):
    done = glassrank("serve", "--model", shop / "model.txt", *options.split(), check=False)
    assert done.returncode == 2 and words in done.stderr


def test_metrics_count_by_route(server):
    before = server.ask("GET", "/metrics")[1].decode()
    server.ask("GET", "/made/up/by/a/client")
    after = server.ask("GET", "/metrics")[1].decode()
    assert "made/up" not in after and 'route="other",status="404"' in after
    count = [int(line.split()[-1]) for text in (before, after) for line in text.splitlines()
             if line.startswith('glassrank_requests_total{route="/metrics",status="200"}')]
    assert not count or count[-1] >= count[0]
    assert "# TYPE glassrank_request_seconds histogram" in after


def test_the_description_names_every_path(server):
    paths = json.loads(server.ask("GET", "/openapi.json")[1])["paths"]
    assert set(paths) == {"/", "/health", "/metrics", "/openapi.json", "/v1/model", "/v1/score", "/v1/explain",
                          "/v1/pair", "/v1/counterfactual"}
    for path, methods in paths.items():
        for method, operation in methods.items():
            assert operation["responses"]["200"]["description"]
            if path.startswith("/v1/") and method == "post":
                assert "documents" in operation["requestBody"]["content"]["application/json"]["schema"]["properties"]
