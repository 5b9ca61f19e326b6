# A GPU that was asked for and cannot be had is an error and no number: status 3.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
# Where there is a driver, no GPU is to be seen.
export CUDA_VISIBLE_DEVICES=
reason='*NVIDIA driver*'
for device in cuda cuda:0 cuda:0,1 cuda:all cuda:GPU-0123abcd; do
    fails 3 "onepass: --device $device: $reason"$'\nhint: --device cpu *' --device $device sum x.f32
done
ONEPASS_DEVICE=cuda fails 3 "onepass: ONEPASS_DEVICE=cuda: $reason" sum x.f32
fails 3 'onepass: --device cuda:*' --device cuda --explain=cuda sum x.f32
fails 3 'onepass: *' --device cuda -n sum x.f32
fails 3 'onepass: *' --device cuda sum none.f32
fails 3 'onepass: *' --device cpu --device cuda sum x.f32
for device in cpu auto; do gives 3 --device $device sum x.f32; done
ONEPASS_DEVICE=cuda gives 3 --device cpu sum x.f32
ONEPASS_DEVICE='' gives 3 sum x.f32
ONEPASS_DEVICE=tpu says $'onepass: warning: ONEPASS_DEVICE: *ignored\n2 f32, *' 3 sum x.f32
for device in tpu gpu '' CPU cuda0; do fails 2 "onepass: option --device: '$device' is not *hint: *" --device "$device" sum x.f32; done
for list in '' , 0, 0,,1 1:2 -1 0,0 all,0 GPU GPU- GPU-xyz 1234; do
    fails 2 "onepass: option --device: 'cuda:$list' *" --device "cuda:$list" sum x.f32
done
fails 2 "onepass: option --device: 'cuda:1,1' names GPU 1 twice*" --device cuda:1,1 sum x.f32
fails 2 "onepass: option --jit: 'e' is not auto, a, b, c or d*" --jit e sum x.f32
fails 2 "onepass: option --gpu-sum: 'fp32' is not auto, fp64 or int*" --gpu-sum fp32 sum x.f32
onepass --list-devices 2>note | awk 'NR > 1 { print $1 }'
grep -c 'note: .*NVIDIA driver' note
onepass -q --jsonl sum x.f32 | grep -o '"device":"cpu"'
