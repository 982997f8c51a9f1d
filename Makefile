# A thin front: every target is idempotent and quick the second time.
# The work is in CMake, in tools/ and in the program itself.

JOBS ?= $(shell nproc)
PYTHON := build/venv/bin/python

.PHONY: build demo test test-cpp test-plain test-python bench lint format tidy fuzz asan tsan reference deps clean

build: deps
	@test -f build/build.ninja || cmake --preset release
	cmake --build build -j $(JOBS)

deps:
	@tools/install_deps build

# Only the program: tests are built by `make build` and `make test`.
demo: deps
	@test -f build/build.ninja || cmake --preset release
	cmake --build build -j $(JOBS) --target glassrank
	build/glassrank demo --out build/demo

test: build
	@tools/install_deps test
	$(MAKE) --no-print-directory test-cpp test-python

test-cpp:
	ctest --test-dir build --output-on-failure -j $(JOBS)

# Without vector instructions: every kernel in the version that a processor without SSSE3 runs.
test-plain:
	GLASSRANK_SIMD=plain ctest --test-dir build --output-on-failure -j $(JOBS)

test-python:
	$(PYTHON) -m pytest -q tests

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

format:
	tools/check_format --fix

tidy: build
	@tools/install_deps lint
	tools/run_tidy

# A short run of every fuzzer; SECONDS per target, 20 unless told.
fuzz:
	@tools/install_deps lint
	tools/run_fuzzers

asan tsan:
	@tools/install_deps build
	@test -f build-$@/build.ninja || cmake --preset $@
	cmake --build build-$@ -j $(JOBS)
	ctest --preset $@ -j $(JOBS)

reference: build
	python3 tools/generate_reference.py

clean:
	rm -rf build build-*
