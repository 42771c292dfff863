# The one door: `make` builds, `make demo` shows, `make check` tests, `make bench` measures.
# CROSS="aarch64-linux-gnu x86_64-linux-musl" adds what `strobe attach` sends to nodes on other platforms.
BUILD ?= build
CROSS ?=
MESON_FLAGS ?=

# the part for the VM; as many jobs as cores, unless make was told a number
BEAM = $(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) -C beam STRICT=1 CROSS=

.PHONY: all program
all: program
	+@$(BEAM) OUT=$(abspath $(BUILD))/erlang/strobe
	@for platform in $(CROSS); do \
	    $(MAKE) --no-print-directory -C beam libraries OUT=$(abspath $(BUILD))/erlang/strobe CROSS=$$platform || exit; \
	done
program: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

# Reconfigure when the set of source files changed, not only when meson.build did.
$(BUILD)/build.ninja: FORCE
	@tools/configure $(BUILD) $(MESON_FLAGS)

.PHONY: FORCE
FORCE:

# ---- PREFIX (/usr/local) and DESTDIR say where to
.PHONY: install uninstall
install: all
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install $(BUILD)
uninstall:
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" tools/install --remove

# ---- archives of a release in dist/, from the last commit
.PHONY: dist
dist:
	@tools/dist

# ---- other builds, each in a folder of its own
.PHONY: debug release asan tsan
debug:
	@$(MAKE) all BUILD=build-debug MESON_FLAGS="-Dbuildtype=debug" CFLAGS="-O0 -g"
release:
	@$(MAKE) all BUILD=build-release MESON_FLAGS="-Dbuildtype=release"
# With the targets to fuzz, by clang, which warns of other things than gcc; build-asan/clang is the rest that it compiles.
# What runs in the VM is that of the plain build; build-asan/in-vm holds it with gcc's sanitizers. Pages and modules are
# those of the plain build, and of debugging they have what the sanitizers name: functions, files and lines.
PAGE = -Dpage=$(abspath $(BUILD))/page_assets.c
asan: all
	@CC=clang $(MAKE) program BUILD=build-asan MESON_FLAGS="-Dfuzz=true -Doptimization=1 -Dc_args=-gline-tables-only \
	    -Db_sanitize=address,undefined -Db_lundef=false $(PAGE)"
	@ninja -C build-asan --quiet fuzz
	@ln -sfn $(abspath $(BUILD))/erlang build-asan/erlang
	+@$(BEAM) libraries OUT=$(abspath build-asan)/clang/strobe CC=clang CFLAGS=-O0
	+@$(BEAM) libraries OUT=$(abspath build-asan)/in-vm/erlang/strobe \
	    CFLAGS="-O0 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
	@ln -sfn $(addprefix $(abspath $(BUILD))/erlang/strobe/,ebin attach boot) build-asan/in-vm/erlang/strobe
tsan: all
	@$(MAKE) program BUILD=build-tsan MESON_FLAGS="-Doptimization=1 -Dc_args=-g1 -Db_sanitize=thread \
	    -Db_lundef=false $(PAGE)"
	@ln -sfn $(abspath $(BUILD))/erlang build-tsan/erlang

# ---- tests: tools/tests lists what each set runs
.PHONY: quick check check-long fuzz
quick: all
	@tools/tests quick
check:
	@tools/deps
	@$(MAKE) --no-print-directory -j2 all asan tsan
	@tools/tests check
check-long: check
	@tools/deps long
	@tools/tests long
fuzz:
	@test/fuzz/run $(or $(SECONDS),60)
	@test/fuzz/run $(or $(SECONDS),60) plain

# ---- the main job, and the figures
.PHONY: demo bench bench-large
demo:
	@tools/deps build
	@$(MAKE) --no-print-directory all
	@tools/demo
bench: all
	@bench/run
bench-large: all
	@bench/run large

.PHONY: docs screenshots format clean
docs: all
	@tools/docs
screenshots: all
	@tools/screenshots
format:
	@tools/check-format --mend
	@web/node_modules/.bin/biome format --write
clean:
	@rm -rf build build-*
