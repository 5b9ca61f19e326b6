# onepass: make, make demo, make check, make install.  `make help` lists the targets.
#
# CPPFLAGS, CFLAGS and LDFLAGS are added to what is needed anyway.  Everything made lies under BUILD;
# variants lie beside each other under build/: make clang asan tsan O0 O3 aarch64

PREFIX  ?= /usr/local
BUILD   ?= build
SAMPLES ?= samples
CFLAGS  ?= -O2 -g
bindir  = $(PREFIX)/bin
libdir  = $(PREFIX)/lib
incdir  = $(PREFIX)/include
datadir = $(PREFIX)/share
mandir  = $(datadir)/man

# CROSS=aarch64-linux-gnu- names another machine's tools; RUN=qemu-aarch64 runs what they made.
ifneq ($(CROSS),)
CC      = $(CROSS)gcc
AR      = $(CROSS)ar
LD      = $(CROSS)ld
endif
OBJCOPY ?= $(CROSS)objcopy

# The last ones keep the numbers right whatever CFLAGS says.
ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Isrc -Wall -Wextra $(WERROR) \
             $(CPPFLAGS) $(CFLAGS) -pthread -ffp-contract=off -fno-fast-math
LINK    = $(CC) $(CFLAGS) -fno-fast-math $(LDFLAGS) -o $@ $(filter-out %/flags,$^) -lm -ldl -pthread

# Block kernels are compiled once per instruction set (src/kernels.h): OBJECT.ISA.o.  The loops of maps
# vectorise under flags that change no bits; those of sums read floating-point flags and have none.  Other
# files read the flags that they raise, so that no linker may inline them.
ARCH       := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
ISAS        = portable $(if $(filter x86_64,$(ARCH)),avx2 avx512)
KERNEL_OPT ?= -O3
ISA_portable = -DOM_FMA_BY_FLAGS
ISA_avx2    = -march=x86-64-v3
ISA_avx512  = -march=x86-64-v4 -mprefer-vector-width=512
FOR_block_loads = -fno-math-errno -fno-trapping-math
FOR_block_maps  = -fno-math-errno -fno-trapping-math
FOR_block_inexact = -fno-math-errno -fno-trapping-math
FOR_block_integers = -fno-trapping-math
KERNELS = $(foreach isa,$(ISAS),$(foreach k,loads maps compact integers sums stats inexact,block_$k.$(isa))) \
          block_sums.noflags $(if $(filter x86_64,$(ARCH)),block_maps.noflags)

LIB_OBJ = $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out src/block_%,$(wildcard src/*.c))) \
          $(KERNELS:%=$(BUILD)/obj/src/%.o)
CLI_OBJ = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard cli/*.c))
TESTS   = $(patsubst %.c,$(BUILD)/%,$(filter-out tests/gpu/api_check.c tests/gpu/resident.c,$(wildcard tests/*.c tests/unit/*.c \
              tests/oracle/*.c tests/cli/*.c tests/math/*.c tests/gpu/*.c)))
FUZZ    = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))
PLANTED = $(patsubst tests/%.c,$(BUILD)/%.planted,$(shell grep -l PLANTED_OVERFLOW tests/fuzz/*.c 2>/dev/null))
VERSION = $(shell sed -n 's/^.define ONEPASS_VERSION "\(.*\)"/\1/p' src/onepass.h)

# Device code that is compiled when onepass is built; see "CUDA" below.
CUDA       ?= yes
AOT        ?= yes
CUDA_ARCHS ?= 75;80;86;89;90;100;120
CUDA_DIR   ?= build/cuda
NVCCFLAGS   = -std=c++17 --fmad=false -O3 -rdc=true -Ikernels -Isrc
ifeq ($(CUDA),yes)
NVCC         := $(or $(NVCC),$(firstword $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc)))
NVCC_VERSION := $(if $(NVCC),$(shell $(NVCC) --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p'))
TOOLKIT      := $(filter-out 7.% 8.% 9.% 10.% 11.%,$(NVCC_VERSION))
endif
ifneq ($(TOOLKIT),)
NVCC_KNOWS  := $(shell $(NVCC) --list-gpu-arch)
KNOWN_ARCHS := $(foreach a,$(subst ;, ,$(CUDA_ARCHS)),$(if $(filter compute_$a,$(NVCC_KNOWS)),$a))
COLLECTIVES  = $(KNOWN_ARCHS:%=$(CUDA_DIR)/collectives.sm_%.cubin) $(CUDA_DIR)/collectives.compute_75.ptx
AOT_IMAGES   = $(if $(CROSS),,$(if $(filter yes,$(AOT)),$(CUDA_DIR)/aot))
EMBEDDED     = $(CUDA_DIR)/collectives.inc $(COLLECTIVES)
EMBED        = -I. -DCUDA_COLLECTIVES='"$(CUDA_DIR)/collectives.inc"' -DCUDA_TOOLKIT=$(subst .,0,$(TOOLKIT))0
endif

all: $(BUILD)/onepass
	@$(if $(filter yes,$(CUDA)),$(if $(TOOLKIT),,echo 'no kernels are made ahead of time: $(or \
	    $(if $(NVCC_VERSION),$(NVCC) is of CUDA $(NVCC_VERSION)),no nvcc), and it takes CUDA 12.0 or newer'))

# The command line sees what any program that links the archive sees: onepass.h.
$(BUILD)/onepass: $(CLI_OBJ) $(BUILD)/libonepass.a $(BUILD)/flags
	$(LINK)

# One object, in which only onepass_* is left visible.
$(BUILD)/libonepass.a: $(LIB_OBJ)
	$(LD) -r -o $(BUILD)/libonepass.o $^
	$(OBJCOPY) --wildcard --keep-global-symbol='onepass_*' $(BUILD)/libonepass.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libonepass.o

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ $<

# The stem of block_maps.avx2 is both the source's name and the instruction set's.
$(KERNELS:%=$(BUILD)/obj/src/%.o): $(BUILD)/obj/src/%.o: $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(KERNEL_OPT) $(FOR_$(basename $*)) $(ISA_$(subst .,,$(suffix $*))) -fno-lto \
	    -DISA=$(subst .,,$(suffix $*)) -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ src/$(basename $*).c

# It prints the manual page, which is embedded in it, and knows its commit.
$(BUILD)/obj/cli/manual.o: man/onepass.1
$(BUILD)/obj/cli/version.o: CPPFLAGS += -include $(BUILD)/commit.h
$(BUILD)/obj/cli/version.o: $(BUILD)/commit.h
$(BUILD)/commit.h: FORCE
	@mkdir -p $(@D) && { git -C $(CURDIR) describe --always --dirty 2>/dev/null | \
	    sed 's/.*/#define ONEPASS_COMMIT "&"/'; } >$@.new || :
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# What kernels include is embedded: a list of it, and new objects when one of the files changes.
CUDA_HEADERS = $(wildcard kernels/*.cuh) kernels/launch.h $(wildcard src/onemath*.h) \
               $(addprefix src/,float16.h maps_f64.h maps_integer.h product_log.h product_table.h \
                 scalar.h scalar_compare.h)
$(BUILD)/obj/src/cuda_headers.o: CPPFLAGS += -include $(BUILD)/cuda_headers.h
$(BUILD)/obj/src/cuda_headers.o: $(BUILD)/cuda_headers.h $(CUDA_HEADERS)
$(BUILD)/cuda_headers.h: FORCE
	@mkdir -p $(@D) && echo '#define CUDA_HEADERS' \
	    '$(foreach h,$(CUDA_HEADERS),ROW($(subst .,_,$(notdir $h)), "$h", "$(notdir $h)"))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Test programs look inside, so they link the objects.
tests: $(TESTS)
$(TESTS): $(BUILD)/%: $(BUILD)/obj/%.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(LINK)

# NVIDIA's libraries without a GPU: kernels run on the CPU (tests/gpu/fake/fake.h).
FAKE      = $(BUILD)/tests/gpu/fake
FAKE_LIBS = $(addprefix $(FAKE)/,libcuda.so.1 libnvrtc.so.13 libnvJitLink.so.13)
FAKE_SO   = $(CC) -std=c11 -D_GNU_SOURCE -Isrc -Ikernels -Wall -Wextra $(WERROR) -O1 -g -fPIC -shared \
            -fvisibility=hidden -pthread -o $@ $(filter %.c,$^) -ldl
fakes: $(FAKE_LIBS)
$(FAKE)/libcuda.so.1: $(addprefix tests/gpu/fake/fake_,calls.c driver.c memory.c stream.c)
$(FAKE)/libnvrtc.so.13 $(FAKE)/libnvJitLink.so.13: tests/gpu/fake/fake_nvrtc.c tests/gpu/emulate.h
$(FAKE_LIBS): tests/gpu/fake/fake.h src/cuda_api.h src/cuda_api.def kernels/launch.h
	@mkdir -p $(@D) && $(FAKE_SO)

# Those of what optimisation could change: the bits of maps, and where exception flags are raised and read.
tests-of-numbers: $(BUILD)/tests/math/hash $(BUILD)/tests/unit/test_block_sums

# Kernels of maps compiled as they must not be: tests/math/run wants other hashes of them.  The last
# flags win; contraction shows where there is an fma instruction.
WRONG_contract = -ffp-contract=fast
WRONG_fastmath = -ffast-math
WRONG_ISA      = $(lastword portable $(filter avx2,$(ISAS)))
WRONG          = $(BUILD)/tests/math/hash.contract $(BUILD)/tests/math/hash.fastmath
wrong-maps: $(WRONG)
$(WRONG): $(BUILD)/tests/math/hash.%: $(BUILD)/obj/tests/math/hash.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(KERNEL_OPT) $(FOR_block_maps) $(ISA_$(WRONG_ISA)) -DISA=$(WRONG_ISA) \
	    $(WRONG_$*) -c -o $@.o src/block_maps.c
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter-out %/block_maps.$(WRONG_ISA).o,$^) $@.o -lm -ldl -pthread

# Rewritten, and everything with it, when compiler or flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D) && echo '$(subst ','\'',$(CC) $(ALL_CFLAGS) $(KERNEL_OPT) $(foreach v,$(sort $(filter FOR_% ISA_%,$(.VARIABLES))),$v=$($v)) $(LDFLAGS))' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# ---- CUDA --------------------------------------------------------------------------------------
#
# Sources and tests need no toolkit: libraries are opened at run time.  With nvcc 12.0 or newer (NVCC, in
# PATH, or in /usr/local/cuda) the collectives are compiled for CUDA_ARCHS and embedded, and with AOT=yes
# the kernels of common programs, by that toolkit's NVRTC.  CUDA=no: neither.  Both lie under CUDA_DIR,
# which the variants share, and are made again when kernels or toolkit change.

# What src/jit_embedded.c embeds: a list of lines COLLECTIVES(arch, ptx, "file"), and a file of images.
$(BUILD)/obj/src/jit_embedded.o: private CPPFLAGS += $(EMBED) $(AOT_IMAGES:%=-DCUDA_AOT='"%"')
$(BUILD)/obj/src/jit_embedded.o: $(EMBEDDED) $(AOT_IMAGES) $(BUILD)/embedded
$(BUILD)/embedded: FORCE
	@mkdir -p $(@D) && echo '$(TOOLKIT) $(AOT_IMAGES)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(CUDA_DIR)/collectives.inc: $(CUDA_DIR)/toolkit
	@printf '%s\n' $(foreach a,$(KNOWN_ARCHS),'COLLECTIVES($a, 0, "$(CUDA_DIR)/collectives.sm_$a.cubin")') \
	    'COLLECTIVES(75, 1, "$(CUDA_DIR)/collectives.compute_75.ptx")' >$@
$(COLLECTIVES): kernels/collectives.cu $(wildcard kernels/*.cuh) kernels/launch.h $(CUDA_DIR)/toolkit
	$(NVCC) $(NVCCFLAGS) $(patsubst .%,--%,$(suffix $@)) -arch=$(subst .,,$(suffix $(basename $@))) \
	    -o $@.$$$$ $< && mv $@.$$$$ $@
$(CUDA_DIR)/toolkit: FORCE
	@mkdir -p $(@D) && echo '$(NVCC) $(TOOLKIT) $(NVCCFLAGS) for $(KNOWN_ARCHS)' >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The images of the last time are used again unless the toolkit or the collectives are others.
$(CUDA_DIR)/aot: $(BUILD)/tools/aot $(EMBEDDED)
	$(if $(filter-out %/tools/aot,$?),rm -f $@)
	LD_LIBRARY_PATH=$(dir $(NVCC))../lib64:$$LD_LIBRARY_PATH $< $@ $(KNOWN_ARCHS)
$(BUILD)/tools/aot: $(BUILD)/obj/tools/aot.o $(BUILD)/obj/tools/jit_embedded.o \
                    $(filter-out %/jit_embedded.o,$(LIB_OBJ))
	@mkdir -p $(@D)
	$(LINK)
# It carries the collectives, but no images.
$(BUILD)/obj/tools/jit_embedded.o: private CPPFLAGS += $(EMBED)
$(BUILD)/obj/tools/jit_embedded.o: src/jit_embedded.c $(BUILD)/flags $(EMBEDDED)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -ffile-prefix-map=$(CURDIR)=. -MMD -MP -c -o $@ $<

# Measured on a GPU, whose architecture GPU_ARCH is: kernels beside CUB's reductions.
GPU_ARCH ?= sm_90
gpu-tools: $(BUILD)/tests/mkdata $(BUILD)/gpu/resident
$(BUILD)/gpu/bench.o: kernels/bench.cu kernels/bench.h
	@mkdir -p $(@D)
	$(NVCC) -O3 -std=c++17 -arch=$(GPU_ARCH) -c -o $@ $<
$(BUILD)/obj/tests/gpu/resident.o: CPPFLAGS += -I.
$(BUILD)/gpu/resident: $(BUILD)/obj/tests/gpu/resident.o $(BUILD)/gpu/bench.o $(LIB_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -L$(dir $(NVCC))../lib64 -L$(dir $(NVCC))../lib -lcudart_static -lstdc++ \
	    -lm -ldl -lrt -pthread

# ---- variants ----------------------------------------------------------------------------------

SANITIZE = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=
variant  = +$(MAKE) --no-print-directory AOT=no BUILD=build/$@

gcc:     ; $(variant) AOT=yes CC=gcc all tests wrong-maps bench-tools fakes
clang:   ; $(variant) CC=clang all tests bench-tools
O0:      ; $(variant) CC=gcc CFLAGS='-O0 -g' KERNEL_OPT= all tests-of-numbers
O3:      ; $(variant) CC=gcc CFLAGS='-O3 -g' all tests-of-numbers
clang-O3: ; $(variant) CC=clang CFLAGS='-O3 -g' all tests-of-numbers
asan:    ; $(variant) CC=gcc CFLAGS='$(SANITIZE)address,undefined,float-cast-overflow' KERNEL_OPT= all tests
tsan:    ; $(variant) CC=gcc CFLAGS='$(SANITIZE)thread' KERNEL_OPT= all tests
aarch64: ; $(variant) CROSS=aarch64-linux-gnu- all tests
fuzzers: ; $(variant) CC=clang CFLAGS='$(SANITIZE)fuzzer-no-link,address,undefined' KERNEL_OPT= fuzz-targets

fuzz-targets: $(FUZZ) $(PLANTED)
$(FUZZ): $(BUILD)/%: tests/%.c $(LIB_OBJ)
	@mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -fsanitize=fuzzer -o $@ $^ -lm -ldl
$(PLANTED): $(BUILD)/%.planted: tests/%.c $(LIB_OBJ)
	@mkdir -p $(@D) && $(CC) $(ALL_CFLAGS) -DPLANTED_OVERFLOW -fsanitize=fuzzer -o $@ $^ -lm -ldl

# ---- tests -------------------------------------------------------------------------------------

demo:
	@tests/deps demo
	@+$(MAKE) --no-print-directory all
	@samples/demo.sh $(BUILD)/onepass

check:
	@tests/deps check
	@tests/run

# On a machine with a GPU: its bits against the CPU's.  tests/gpu/run does more.
check-gpu: gcc ; @tests/gpu/check build/gcc
mutants: ; @tests/mutants/run
bench-math: $(BUILD)/tests/math/speed ; @$<
fuzz:    ; @tests/fuzz/run
oracle:  all tests ; @tests/oracle/run $(BUILD) $(or $(N),300) $(SEED)

# BENCH: options of tests/bench/run.
bench: bench-tools ; @tests/bench/run --build $(BUILD) $(BENCH)

# Plain loops with the instruction sets of the block kernels, and all that makes such loops fast.
YARDSTICKS = $(ISAS:%=$(BUILD)/bench/yardstick.%)
PLAIN_LOOP = -O3 -fno-math-errno -fno-trapping-math -ffinite-math-only -fno-signed-zeros -ffp-contract=fast
bench-tools: all $(BUILD)/tests/mkdata $(YARDSTICKS)
$(YARDSTICKS): $(BUILD)/bench/yardstick.%: tests/bench/yardstick.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(PLAIN_LOOP) $(ISA_$*) $(LDFLAGS) -o $@ $< -lm

# Puts the lists that the program's tables make into the manual pages.
man: all
	@tests/man_check --update $(BUILD)/onepass && tests/man_tables --update $(BUILD)/onepass && \
	    tests/math/man_table --update

# The data beside the sample scripts are checked in; this makes them again.
samples: $(BUILD)/samples/generate ; @mkdir -p $(SAMPLES) && $< $(SAMPLES)
$(BUILD)/samples/generate: $(BUILD)/obj/samples/generate.o
	@mkdir -p $(@D)
	$(LINK)

# ---- installing --------------------------------------------------------------------------------

D = $(DESTDIR)
INSTALLED = $(bindir)/onepass $(incdir)/onepass.h $(libdir)/libonepass.a $(libdir)/pkgconfig/onepass.pc \
            $(mandir)/man1/onepass.1 $(mandir)/man7/onepass-pipeline.7 \
            $(datadir)/bash-completion/completions/onepass $(datadir)/zsh/site-functions/_onepass \
            $(datadir)/fish/vendor_completions.d/onepass.fish

install:
	@test -x $(BUILD)/onepass || { echo "install builds nothing: run 'make' first" >&2; exit 1; }
	install -d $(addprefix $(D),$(sort $(dir $(INSTALLED))))
	install -m 755 $(BUILD)/onepass $(D)$(bindir)/onepass
	install -m 644 src/onepass.h $(D)$(incdir)/onepass.h
	install -m 644 $(BUILD)/libonepass.a $(D)$(libdir)/libonepass.a
	install -m 644 man/onepass.1 $(D)$(mandir)/man1/onepass.1
	install -m 644 man/onepass-pipeline.7 $(D)$(mandir)/man7/onepass-pipeline.7
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(libdir:$(PREFIX)/%=$${prefix}/%)' \
	    'includedir=$(incdir:$(PREFIX)/%=$${prefix}/%)' '' 'Name: onepass' \
	    'Description: fused, exact array reductions in one pass' 'Version: $(VERSION)' \
	    'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lonepass -lm -ldl -pthread' \
	    >$(D)$(libdir)/pkgconfig/onepass.pc
	$(RUN) $(BUILD)/onepass --generate bash >$(D)$(datadir)/bash-completion/completions/onepass
	$(RUN) $(BUILD)/onepass --generate zsh >$(D)$(datadir)/zsh/site-functions/_onepass
	$(RUN) $(BUILD)/onepass --generate fish >$(D)$(datadir)/fish/vendor_completions.d/onepass.fish

uninstall:
	rm -f $(addprefix $(D),$(INSTALLED))

dist:
	@mkdir -p build
	git archive --prefix=onepass-$(VERSION)/ -o build/onepass-$(VERSION).tar.gz HEAD

clean:
	rm -rf build

help:
	@echo 'all demo check check-gpu mutants bench bench-math oracle [N= SEED=] fuzz samples man install uninstall dist clean'
	@echo 'CUDA=no: nothing made by a CUDA toolkit; AOT=no: no kernels of common programs; CUDA_ARCHS="80;90"'
	@echo 'variants under build/: gcc clang O0 O3 clang-O3 asan tsan aarch64 fuzzers'

FORCE:
.PHONY: all tests fakes tests-of-numbers gpu-tools gcc clang O0 O3 clang-O3 asan tsan aarch64 fuzzers fuzz-targets wrong-maps demo check check-gpu mutants \
        bench bench-tools bench-math fuzz oracle samples man install uninstall dist clean help FORCE
.DELETE_ON_ERROR:
