# --list-devices and --device=LIST: numbers and uuids as the driver has them.
. "$ROOT/tests/cli/helpers"
. "$ROOT/tests/cli/gpu_helpers"
mkdata f32 1 2 >x.f32
export FAKE_CUDA_DEVICES=3
gpu --list-devices --tsv | cut -f1,4,6 | tail -n +2 >list
awk '{ print $1 }' list
[ "$(gpu --device=? | awk '{ print $1 }' | paste -sd' ')" = "auto cpu cuda[:LIST] cuda:0 cuda:1 cuda:2" ] || echo wrong
device() { gpu -q --jsonl --device "$1" sum x.f32 | grep -o '"device":"[^"]*"'; }
for list in cuda cuda:1 cuda:2,0 cuda:all; do device $list; done
uuid=$(gpu --list-devices --tsv | awk -F'\t' '$1 == "cuda:1" { print $6 }')
device "cuda:$uuid"
device "cuda:${uuid^^},0"
gpu_fails 3 'onepass: --device cuda:3: there is no GPU 3: the driver sees 3, numbered from 0*' --device cuda:3 sum x.f32
gpu_fails 3 'onepass: --device cuda:GPU-ab: no GPU has a uuid that begins with GPU-ab*' --device cuda:GPU-ab sum x.f32
gpu_fails 3 'onepass: --device cuda:GPU-f: more than one GPU has a uuid that begins with GPU-f*' --device cuda:GPU-f sum x.f32
gpu_fails 3 "onepass: --device cuda:1,*: the list names GPU 1 twice" --device "cuda:1,$uuid" sum x.f32
gpu -q --jsonl --device cuda sum x.f32 | grep -oE '"(isa|jit)":"[^"]*"'
