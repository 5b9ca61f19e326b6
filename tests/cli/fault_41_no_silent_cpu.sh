# A GPU that was asked for and cannot be had is an error and no number: status 3.
. "$ROOT/tests/cli/helpers"
mkdata f32 1 2 >x.f32
for device in cuda cuda:0 cuda:0,1 cuda:all cuda:GPU-uuid; do
    fails 3 "onepass: --device $device: this build has no CUDA"$'\nhint: auto and cpu *' --device $device sum x.f32
done
ONEPASS_DEVICE=cuda fails 3 'onepass: ONEPASS_DEVICE=cuda: this build has no CUDA*' sum x.f32
fails 3 'onepass: *cuda*' --explain=cuda sum x.f32
fails 3 'onepass: *' --device cuda -n sum x.f32
fails 3 'onepass: *' --device cuda sum none.f32
fails 3 'onepass: *' --device cpu --device cuda sum x.f32
for device in cpu auto; do gives 3 --device $device sum x.f32; done
ONEPASS_DEVICE=cuda gives 3 --device cpu sum x.f32
ONEPASS_DEVICE='' gives 3 sum x.f32
ONEPASS_DEVICE=tpu says $'onepass: warning: ONEPASS_DEVICE: *ignored\n2 f32, *' 3 sum x.f32
for device in tpu gpu cuda: '' CPU; do fails 2 "onepass: option --device: '$device' is not *" --device "$device" sum x.f32; done
onepass -q --jsonl sum x.f32 | grep -o '"device":"cpu"'
