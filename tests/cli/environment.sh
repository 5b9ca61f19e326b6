# CLI 46, 49: the order is option, environment, default; an empty variable is unset; a bad one is a warning; none
# changes a number or a format.
. "$ROOT/tests/cli/helpers"
mkdata f32 1*300000 >x.f32
threads() { onepass -q --jsonl --piece-size 4096 "$@" sum x.f32 | grep -oE '"threads":[0-9]+'; }
at_most() { # N LABEL: stdin has "threads":k with k <= N
    read -r line
    [ "${line#*:}" -ge 1 ] && [ "${line#*:}" -le "$1" ] || echo "wrong: $2: $line"
}
ONEPASS_THREADS=1 threads
ONEPASS_THREADS=7 threads -j 1
SLURM_CPUS_PER_TASK=1 threads
ONEPASS_THREADS='' SLURM_CPUS_PER_TASK=1 threads
ONEPASS_THREADS=2 SLURM_CPUS_PER_TASK=1 threads | at_most 2 ONEPASS_THREADS
ONEPASS_THREADS=0 SLURM_CPUS_PER_TASK=1 threads
cpu=$(taskset -cp $$ 2>/dev/null | sed -E 's/.*: *([0-9]+).*/\1/')
[ -z "$cpu" ] || [ "$(taskset -c "$cpu" onepass -q --jsonl --piece-size 4096 sum x.f32 | grep -oE '"threads":[0-9]+')" = \
    '"threads":1' ] || echo "wrong: affinity"
OMP_NUM_THREADS=1 threads | at_most 4096 OMP_NUM_THREADS
for bad in x -1 4x 1e3 99999; do
    ONEPASS_THREADS=$bad says $'onepass: warning: ONEPASS_THREADS: *\n300000 f32, *' 300000 sum x.f32
    SLURM_CPUS_PER_TASK=$bad gives 300000 sum x.f32
done
ONEPASS_THREADS=x says '' 300000 -qq sum x.f32
gives 300000 -j 64 sum x.f32
gives 300000 -j 0 sum x.f32
# Nothing else is listened to.
mkdata f32 0.1 nan >y.f32
onepass -q --tsv 'max, sum, count' x.f32 y.f32 >want
for setting in LC_ALL=de_DE.UTF-8 COLUMNS=20 TERM=dumb NO_COLOR=1 POSIXLY_CORRECT=1 ONEPASS_FORMAT=json ONEPASS_OPTIONS=--json \
    ONEPASS_CPU=portable OMP_NUM_THREADS=3 TZ=Asia/Tokyo HOME=/nonexistent XDG_CACHE_HOME=relative; do
    env "$setting" onepass -q --tsv 'max, sum, count' x.f32 y.f32 | cmp - want
done
env -i "$(command -v onepass)" -q --tsv 'max, sum, count' x.f32 y.f32 | cmp - want
printf 'format=json\n' >.onepassrc
gives $'max\tnnan\n0.1\t1' --skip-nan 'max, nnan' y.f32
