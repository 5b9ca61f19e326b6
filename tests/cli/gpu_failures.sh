# What a GPU can fail at: one error, status 3 and no number; what it can do without, it does without.
. "$ROOT/tests/cli/helpers"
. "$ROOT/tests/cli/gpu_helpers"
if [ -n "${ONEPASS_CPU:-}" ]; then
    echo "a GPU fails alike whatever the CPU has"
    exit 77
fi
mkdata f32 0..9999 >a.f32
right=49995000
does() { # NAME=VALUE... : the right number all the same
    local got
    got=$(gpu "$@" -q --device cuda --piece-size 4K -j 2 sum a.f32 2>&1) || got="$got (status $?)"
    [ "$got" = "$right" ] || wrong "$right" "$got" "$@"
}
refuses() { # PATTERN NAME=VALUE... : by one error
    local errors
    gpu_fails 3 "onepass: $1" "${@:2}" --device cuda --piece-size 4K -j 2 sum a.f32
    errors=$(gpu "${@:2}" --device cuda --piece-size 4K -j 2 sum a.f32 2>&1 >/dev/null | grep -c '^onepass: ')
    [ "$errors" -eq 1 ] || wrong "one error" "$errors of them" "${@:2}"
}
refuses '--device cuda: the NVIDIA driver sees no GPU*' FAKE_CUDA_DEVICES=0
refuses '--device cuda: *' FAKE_CUDA_FAIL=cuInit:1
refuses '--device cuda: cannot start the NVIDIA driver: *' FAKE_CUDA_FAIL=cuDeviceGetCount:1+=999
gpu_fails 3 'onepass: --device cuda:all: cannot start the NVIDIA driver: *' FAKE_CUDA_FAIL=cuDeviceGetCount:1+=999 --device cuda:all sum a.f32
refuses 'cannot use the GPU: *' FAKE_CUDA_FAIL=cuCtxSetCurrent:1+
refuses 'cannot use the GPU: *' FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1+
refuses 'cannot have memory of the GPU: *hint: other processes*' FAKE_CUDA_MEMORY=1000
got=$(gpu FAKE_CUDA_FAIL=cuMemAlloc_v2:1+=1 --device cuda sum a.f32 2>&1)
[[ $got == 'onepass: cannot have memory of the GPU: '* && $got != *'other processes'* ]] || wrong 'no hint at other processes' "$got" memory
# The other worker may meet the failed GPU first.
refuses 'cannot @(launch the kernel|copy to the GPU): *' FAKE_CUDA_FAIL=cuLaunchKernel:3
refuses '*' FAKE_CUDA_FAIL=cuLaunchKernel:3=719
refuses '*' FAKE_CUDA_FAIL=cuMemcpyHtoDAsync_v2:4
refuses '*' FAKE_CUDA_FAIL=cuMemcpyDtoHAsync_v2:1=719
refuses '*' FAKE_CUDA_FAIL=cuStreamSynchronize:1+
refuses '*' FAKE_CUDA_FAIL=cuEventSynchronize:1=719
refuses '*' FAKE_CUDA_FAIL=cuEventRecord:2
refuses 'cannot prepare the GPU: *' FAKE_CUDA_FAIL=cuStreamCreate:1+
refuses 'cannot load the kernel: *' FAKE_CUDA_FAIL=cuModuleLoadData:1
refuses 'cannot load the kernel: *NO_BINARY_FOR_GPU*' FAKE_CUDA_FAIL=cuModuleLoadData:1+=209 # by no step
refuses 'cannot load the kernel: *' FAKE_CUDA_FAIL=cuModuleGetFunction:1
# Images for real GPUs of that architecture, if this build has them, are nothing for this driver: it takes
# what is compiled for it alone, the last step.
does FAKE_CUDA_ARCH=90
case $(onepass --version) in *'ahead of time for'*)
    gpu FAKE_CUDA_ARCH=90 FAKE_CUDA_REPORT=loads -q --no-cache --device cuda sum a.f32 >/dev/null
    [ "$(awk '$1 == "cuModuleLoadData" { print $2 }' loads)" -gt 1 ] || wrong 'several loads' "$(cat loads)" arch 90
    rm loads
    ;;
esac
# A worker that finds no room is done without; smaller chunks; memory that cannot be pinned.
does FAKE_CUDA_FAIL=cuStreamCreate:2+
does FAKE_CUDA_FAIL=cuMemHostRegister_v2:1+
does FAKE_CUDA_FAIL=cuMemHostRegister_v2:2+
gpu FAKE_CUDA_FAIL=cuMemHostRegister_v2:1+ --device cuda sum a.f32 2>&1 >/dev/null | sed -n 's/[0-9][0-9]* bytes/N bytes/p'
got=$(gpu FAKE_CUDA_MEMORY=400000 -q --device cuda --piece-size 1M sum a.f32 2>&1)
[ "$got" = $right ] || wrong $right "$got" small memory
# In a batch the first failure of a device ends all.
gpu FAKE_CUDA_FAIL=cuLaunchKernel:2=719 -q --device cuda sum a.f32 a.f32 a.f32 2>/dev/null
echo "status $?"
# Nobody asked: by the time it takes.  Small inputs do without a look at the driver.
truncate -s 40G huge.u8
for threads in 1 64; do ONEPASS_CPU=portable gpu -n -j $threads sum huge.u8 | grep -A1 '^device' | sed -E 's/[0-9]+\.[0-9]+ s/S/g'; done
ONEPASS_CPU=portable gpu FAKE_CUDA_DEVICES=0 -n -j 1 sum huge.u8 | grep -A1 '^device' | sed -E 's/[0-9]+\.[0-9]+ s/S/g'
gpu FAKE_CUDA_FAIL=cuInit:1 -q --jsonl sum a.f32 | grep -o '"device":"[^"]*"'
gpu FAKE_CUDA_REPORT=report -q sum a.f32 >/dev/null; [ ! -e report ] || cat report
# What nobody asked for and does not work is done without, with a note; a heavy pipeline, so that a GPU
# is worth a try.
truncate -s 40M zeros.u8
for why in FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain:1 FAKE_NVRTC_CXX=/bin/false; do
    gpu $why -j 1 --no-cache 'pow(x, 1.5)|sum' zeros.u8 2>&1 | sed -nE 's/(note: .*not usable: [^:]*):.*/\1/p'
done
gpu -q --jsonl -j 1 'pow(x, 1.5)|sum' zeros.u8 | grep -oE '"(device|text)":"[^"]*"'
