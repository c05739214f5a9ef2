# Scurry: what the README names, and under "Working on it" says more of. Everything else is `swift build` and `swift test`.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
JOBS ?= 2

# What Package.swift does not name as a target's dependency, that target cannot import, in a release and in the tests.
DECLARED := --explicit-target-dependency-import-check error
# The runtime is linked in: the installed program needs no Swift toolchain, and starts faster.
RELEASE := -c release --static-swift-stdlib $(DECLARED) -j $(JOBS)
PACKAGES := libsodium-dev libsqlite3-dev pkg-config

.PHONY: build release test fuzz sanitize lint format demo hosts simulate bench bench-year bench-page install manual-names uninstall generate clean dependencies

build: dependencies
	$(SWIFT) build -j $(JOBS)

release: dependencies
	$(SWIFT) build $(RELEASE) --product scurry

# The pure parts first, all at once, and whatever mostly computes; then those that talk over sockets and start processes:
# these have deadlines, and two cores that are busy with property tests, or with a client in Python, could miss them.
HEAVY := Bundle(Damage|Intake|Vector|Words)
BUSY := Interoperability|SlowReader|WindowNode
# What has to go out within a second has two cores for itself.
ALONE := ConnectionTests
define tests
	$(SWIFT) test --skip-build $(1) --skip 'TransportTests|CommandTests'
	$(SWIFT) test --skip-build $(1) --filter 'TransportTests.($(HEAVY))'
	$(SWIFT) test --skip-build $(1) --filter 'TransportTests.($(BUSY))'
	$(SWIFT) test --skip-build $(1) --filter 'TransportTests.($(ALONE))'
	$(SWIFT) test --skip-build $(1) $(2) --filter TransportTests --skip 'TransportTests.($(HEAVY)|$(BUSY)|$(ALONE))'
endef
# Optimized code, in a folder of its own, where the simulator is built with it: all checks took 28 minutes so, and 44 with a
# debug build for the tests and another one for the simulator. Assertions of the libraries are on, as in a debug build. While
# working, `swift test --filter` builds less.
TESTED := -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug --scratch-path .build-tests $(DECLARED)
test: dependencies
	$(SWIFT) build $(TESTED) --build-tests -j $(JOBS)
	$(call tests,$(TESTED))
	$(SWIFT) test --skip-build $(TESTED) --filter CommandTests

# A few trials of the simulator (Sources/simulate) with everything that may go wrong, and many small ones, in which nobody is left who has
# what the others lack; SEED is the first's, replayed by its line.
SEED := 1
TRIALS := 20
SMALL := 150
simulate: dependencies
	$(SWIFT) build $(TESTED) --product simulate -j $(JOBS)
	@"$$($(SWIFT) build $(TESTED) --show-bin-path)/simulate" soak --seed $(SEED) --trials $(TRIALS) --minutes 15 --nodes 6 --hours 1
	@"$$($(SWIFT) build $(TESTED) --show-bin-path)/simulate" soak --seed $(SEED) --trials $(SMALL) --minutes 5 --nodes 3 --hours 0.05

# Each parser of foreign bytes for SECONDS, or those in TARGETS; INPUT=FILE runs one input again (Tests/Fuzz/run.sh).
# ADDRESS=1 has the address sanitizer look on, in a build of its own.
SECONDS := 60
FUZZ := SCURRY_FUZZ=1 $(SWIFT) build -c release --product fuzz -j $(JOBS) \
	--scratch-path .build-fuzz$(if $(ADDRESS),-address) --sanitize=fuzzer $(if $(ADDRESS),--sanitize=address) -Xswiftc -enable-testing -Xswiftc -use-ld=lld
fuzz: dependencies
	$(FUZZ)
	@INPUT="$(INPUT)" bash Tests/Fuzz/run.sh "$$($(FUZZ) --show-bin-path)/fuzz" $(SECONDS) $(TARGETS)

# The tests under the address and the thread sanitizer, each in a folder of its own; those of commands, which start the program
# as a process, under the first alone. Under the second, nodes that all start at once do not answer in time: one test after the
# other. XCTest's runner leaks. What the thread sanitizer is told to pass over is in a file, with the reason.
SANITIZERS ?= address thread
export ASAN_OPTIONS ?= detect_leaks=0
export TSAN_OPTIONS ?= suppressions=$(CURDIR)/Tests/Sanitizers/thread.supp
sanitize: $(addprefix sanitize-,$(SANITIZERS))

sanitize-%: dependencies
	$(SWIFT) build --build-tests -j $(JOBS) --sanitize=$* --scratch-path .build-$(if $(filter address,$*),asan,tsan)
	$(call tests,--sanitize=$* --scratch-path .build-$(if $(filter address,$*),asan,tsan),$(if $(filter thread,$*),--no-parallel))
	$(if $(filter address,$*),$(SWIFT) test --skip-build --sanitize=$* --scratch-path .build-asan --filter CommandTests)

lint:
	@$(SWIFT) format lint --strict --recursive --parallel Package.swift $(shell find Sources Tests -name '*.swift' ! -path '*/Generated/*')

format:
	$(SWIFT) format --in-place --recursive --parallel Package.swift $(shell find Sources Tests -name '*.swift' ! -path '*/Generated/*')

demo: release
	@SCURRY="$$($(SWIFT) build $(RELEASE) --show-bin-path)/scurry" bash Tests/Demo/demo.sh

# Five hosts in network namespaces, a bad wire between them, a liar in place of one; needs root and says so.
HOSTS_PYTHON := .build/hosts-python/bin/python3
hosts: release
	@$(HOSTS_PYTHON) -c 'import nacl, noise' 2>/dev/null || { python3 -m venv --clear .build/hosts-python && \
		$(HOSTS_PYTHON) -m pip install --quiet -r Tests/Interoperability/requirements.txt; }
	@python3 Tests/Hosts/hosts.py "$$($(SWIFT) build $(RELEASE) --show-bin-path)/scurry" --python $(HOSTS_PYTHON) $(HOSTS)

# Measures what stands on the page benchmarks/README.md beside the goals and of what grows, and writes it anew, about ten
# minutes on a quiet machine; RUNS=1 for a quick look. `bench-year` fills a store with ENTRIES first.
RUNS := 5
ENTRIES := 1000000,10000000
BENCH = benchmarks/alone.sh "$$($(SWIFT) build $(RELEASE) --show-bin-path)/bench"
bench: release
	$(SWIFT) build $(RELEASE) --product bench
	@command -v gnuplot >/dev/null || { echo "missing: sudo apt-get install -y gnuplot-nox" >&2; exit 1; }
	$(BENCH) compare --runs $(RUNS) --output benchmarks
	$(BENCH) growth --output benchmarks
	@$(MAKE) --no-print-directory bench-page

bench-year: release
	$(SWIFT) build $(RELEASE) --product bench
	$(BENCH) year --entries $(ENTRIES) --output benchmarks
	@$(MAKE) --no-print-directory bench-page

bench-page:
	@cd benchmarks && gnuplot growth.gp
	@set -e; for page in benchmarks/README.md README.md; do \
		awk -v from=benchmarks -f benchmarks/page.awk "$$page" > .build/page.md && cp .build/page.md "$$page"; \
	done

# Installs what is missing; without root it says the one line to run.
dependencies:
	@if pkg-config --exists libsodium sqlite3 2>/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null; \
	else \
		echo "missing libraries; run: sudo apt-get update && sudo apt-get install -y $(PACKAGES)" >&2; exit 1; \
	fi

# The tool that writes the manual pages is built as the program was: its plugin would build everything once more.
install: release
	$(SWIFT) build $(RELEASE) --product generate-manual
	@products="$$($(SWIFT) build $(RELEASE) --show-bin-path)"; bin="$$products/scurry"; set -e; \
	rm -rf .build/manual; install -d .build/manual; \
	"$$products/generate-manual" "$$bin" --multi-page --output-directory .build/manual; \
	$(MAKE) --no-print-directory manual-names MANUAL=.build/manual; \
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/man/man1" \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"; \
	install -m 755 "$$bin" "$(DESTDIR)$(PREFIX)/bin/scurry"; \
	rm -f "$(DESTDIR)$(PREFIX)"/share/man/man1/scurry.*.1; \
	install -m 644 .build/manual/*.1 "$(DESTDIR)$(PREFIX)/share/man/man1/"; \
	"$$bin" completions bash > "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/scurry"; \
	"$$bin" completions zsh > "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_scurry"; \
	"$$bin" completions fish > "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/scurry.fish"; \
	echo "installed scurry in $(DESTDIR)$(PREFIX)"

# `man scurry feed` looks for scurry-feed, as git's pages are named; the tool writes scurry.feed.
manual-names:
	@cd "$(MANUAL)" && for page in *.1; do \
		sed -e '/^\.Dt /{s/\./-/g;s/^-/./;}' -e '/^\.Xr /{s/\./-/g;s/^-/./;}' "$$page" > page.new && rm "$$page" && \
		mv page.new "$$(echo "$${page%.1}" | tr . -).1" || exit 1; \
	done

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/scurry" "$(DESTDIR)$(PREFIX)"/share/man/man1/scurry.1 \
		"$(DESTDIR)$(PREFIX)"/share/man/man1/scurry.*.1 "$(DESTDIR)$(PREFIX)"/share/man/man1/scurry-*.1 \
		"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/scurry" \
		"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_scurry" \
		"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/scurry.fish"
	@echo "removed. What stays: each person's home (SCURRY_HOME, or ~/.config/scurry and ~/.local/share/scurry): keys, posts,"
	@echo "peers, settings; ~/.local/state/scurry, which notes how far each came; a node that still runs; and a service,"
	@echo "which: systemctl --user disable --now scurry; removes."

# The schemas are data of the protocol; the Swift that is made from them is committed, so that a build needs no protoc.
generate:
	protoc --proto_path=protocol --swift_out=Sources/Entries/Generated \
		--swift_opt=Visibility=Internal --swift_opt=UseAccessLevelOnImports=true payload.proto
	protoc --proto_path=protocol --swift_out=Sources/Sync/Generated \
		--swift_opt=Visibility=Internal --swift_opt=UseAccessLevelOnImports=true wire.proto

clean:
	$(SWIFT) package clean
