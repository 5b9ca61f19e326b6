# CLI 53, 54: completions that their shells load, and the manual page; all from the tables.
. "$ROOT/tests/cli/helpers"
onepass --generate bash >bash.completion
bash -n bash.completion && bash -c '. ./bash.completion && complete -p onepass'
complete_words() { # WORD...: what bash offers for the last one
    bash -c '. ./bash.completion
        COMP_WORDS=(onepass "$@") COMP_CWORD=$# COMP_LINE="onepass $*"
        $(complete -p onepass | sed -E "s/.*-F ([^ ]+).*/\1/") onepass "${*: -1}" ""
        printf "%s\n" "${COMPREPLY[@]}" | paste -sd" "' _ "$@" 2>/dev/null
}
complete_words --thr
complete_words --format js
complete_words --color = al
complete_words -t f3
complete_words --skip
onepass --generate zsh | head -n 1
if command -v zsh >/dev/null; then onepass --generate zsh >_onepass && zsh -n _onepass; fi
if command -v fish >/dev/null; then onepass --generate fish >onepass.fish && fish -n onepass.fish; fi
onepass --generate man >onepass.1
grep -c '^\.Sh EXIT STATUS' onepass.1
if command -v mandoc >/dev/null; then mandoc -T lint onepass.1; fi
for shell in bash zsh fish; do
    # Every long option of --help is offered.
    onepass --generate $shell >completion
    onepass --help | grep -oE -- '--(\[no-\])?[a-z]+[a-z-]*' | sed 's/\[no-\]//' | sort -u | while read -r option; do
        grep -qE -- "(--|-l |')${option#--}\b" completion || echo "wrong: $shell lacks $option"
    done
done
onepass --generate bash >/dev/full
echo "full: $?"
fails 2 "onepass: option --generate: 'ksh' is not bash, zsh, fish or man*" --generate ksh
