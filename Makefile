# A thin front: every target is idempotent and quick the second time.
# The work is in CMake, in tools/ and in the program itself.

JOBS ?= $(shell nproc)
PYTHON := build/venv/bin/python

PREFIX ?= /usr/local

.PHONY: program install deb static build demo test test-cpp test-plain test-python test-web pictures python stubs wheel check-install faults bench lint format tidy fuzz asan tsan reference deps clean

build: deps
	@test -f build/build.ninja || cmake --preset release
	cmake --build build -j $(JOBS)

# The program alone, without tests.
program: deps
	@test -f build/build.ninja || cmake --preset release
	cmake --build build -j $(JOBS) --target glassrank

# Below DESTDIR and PREFIX: the program, its manual pages, completion of bash, zsh and fish.
install: program
	tools/install_program "$(DESTDIR)$(PREFIX)"

# build/dist/glassrank_*.deb, and build/dist/glassrank-*, one file that needs no library.
deb: program
	tools/build_deb

static: program
	tools/build_static

deps:
	@tools/install_deps build

# Only the program: tests are built by `make build` and `make test`.
demo: program
	build/glassrank demo --out build/demo

test: build
	@tools/install_deps test
	$(MAKE) --no-print-directory test-cpp test-python

test-cpp:
	ctest --test-dir build --output-on-failure -j $(JOBS)

# Without vector instructions: every kernel in the version that a processor without SSSE3 runs.
test-plain:
	GLASSRANK_SIMD=plain ctest --test-dir build --output-on-failure -j $(JOBS)

test-python: python
	PYTHONPATH=build/python $(PYTHON) -m pytest -q tests python/tests

# The Python extension, into build/python, from the libraries of the normal build.
python:
	@tools/install_deps test
	@grep -qs GLASSRANK_PYTHON:BOOL=ON build/CMakeCache.txt || cmake -S . -B build -DGLASSRANK_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/$(PYTHON)
	cmake --build build -j $(JOBS) --target _core

# The types of the extension, after a change of python/bindings; a test compares.
stubs: python
	PYTHONPATH=build/python $(PYTHON) -m nanobind.stubgen -q -m glassrank._core -o python/glassrank/_core.pyi

# build/dist/glassrank-*.whl, with every library inside, installed and run once.
wheel: build python
	tools/build_wheel

# `pip install .` from a clean clone into a fresh environment; compiles everything once more.
check-install:
	tools/check_install

# Every command with the system failing at every call, or 150 of a kind: some 20 minutes.
faults: build
	python3 tests/faults/faults.py

# The page of reports in a real browser, and whether the committed page is what web/ builds.
test-web: build
	@tools/install_deps web
	cd web && npm install --no-save --no-audit --no-fund --silent && npm run --silent check
	web/tests/run

# docs/guide/report-*.png, after a change of the page; look at them before they are committed.
pictures: demo
	node web/tests/pictures.mjs build/demo/report.html docs/guide

bench: build
	@tools/install_deps bench
	@test -f build-bench/build.ninja || cmake --preset bench
	cmake --build build-bench -j $(JOBS)
	$(PYTHON) bench/peers/run.py

lint: build
	@tools/install_deps lint
	tools/check_format
	python3 tools/check_layers.py
	python3 tools/generate_reference.py --check
	python3 tools/generate_python.py --check

format:
	tools/check_format --fix

tidy: build
	@tools/install_deps lint
	tools/run_tidy

# A short run of every fuzzer: SECONDS_PER_TARGET=60 make fuzz runs each for 60 seconds instead of 20.
fuzz:
	@tools/install_deps lint
	tools/run_fuzzers

# The C++ tests, and the server under load and harm.
asan tsan:
	@tools/install_deps test
	@test -f build-$@/build.ninja || cmake --preset $@
	cmake --build build-$@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)
	GLASSRANK_PROGRAM=build-$@/glassrank LSAN_OPTIONS=suppressions=$(CURDIR)/tools/leaks.supp \
	  TSAN_OPTIONS=second_deadlock_stack=1 $(PYTHON) -m pytest -q tests/server

reference: build
	python3 tools/generate_reference.py
	python3 tools/generate_python.py

clean:
	rm -rf build build-*
