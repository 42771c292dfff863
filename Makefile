# The one door: `make` builds, `make demo` shows, `make check` tests, `make bench` measures.
# CROSS="aarch64-linux-gnu x86_64-linux-musl" adds what `strobe attach` sends to nodes on other platforms.
BUILD ?= build
CROSS ?=
MESON_FLAGS ?=

.PHONY: all
all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet
	@$(MAKE) --no-print-directory -C beam STRICT=1 OUT=$(abspath $(BUILD))/erlang/strobe CROSS=
	@for platform in $(CROSS); do \
	    $(MAKE) --no-print-directory -C beam libraries OUT=$(abspath $(BUILD))/erlang/strobe CROSS=$$platform || exit; \
	done

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

# ---- other builds, each in a folder of its own
.PHONY: debug release asan tsan clang
debug:
	@$(MAKE) all BUILD=build-debug MESON_FLAGS="-Dbuildtype=debug"
release:
	@$(MAKE) all BUILD=build-release MESON_FLAGS="-Dbuildtype=release"
# the checks that UBSan puts in make gcc believe in null formats
asan:
	@$(MAKE) all BUILD=build-asan MESON_FLAGS="-Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-Wno-format-truncation"
	@$(MAKE) --no-print-directory -C beam OUT=$(abspath build-asan)/in-vm/erlang/strobe \
	    CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
tsan:
	@$(MAKE) all BUILD=build-tsan MESON_FLAGS="-Db_sanitize=thread -Db_lundef=false"
clang:
	@CC=clang $(MAKE) all BUILD=build-clang

# ---- tests: tools/tests lists what each set runs
.PHONY: quick check check-long fuzz
quick: all
	@tools/tests quick
check:
	@tools/deps
	@$(MAKE) --no-print-directory all asan tsan clang
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
