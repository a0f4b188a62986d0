import { Argument, type Command } from 'commander';
import type { Invocation } from '../invocation';
import type { Terminal } from '../terminal';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/**
 * Prints a completion script for a shell. The script is made from the definitions of the commands, so it contains every
 * command.
 */
export function addCompletionCommand(program: Command, _terminal: Terminal, { screen }: Invocation): void {
  program
    .command('completion')
    .description(
      'print a script that completes commands and options in a shell, as in: source <(sluice completion bash)',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => screen.out(completionFor(shell, wordsByCommand(program))));
}

/** The completions after each command, by its words: `pr submit`. */
type Words = ReadonlyMap<string, readonly string[]>;

function wordsByCommand(program: Command): Words {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: string): void => {
    const names = command.commands.map((one) => one.name());
    const options = command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []);
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
    const all = [...names, ...choices, ...options, '--help'];
    words.set(path, all);
    for (const one of command.commands) visit(one, `${path} ${one.name()}`.trim());
  };
  visit(program, '');
  return words;
}

function completionFor(shell: Shell, words: Words): string {
  switch (shell) {
    case 'bash':
      return `${bashFunction(words)}complete -o default -F _sluice sluice\n`;
    case 'zsh':
      return `autoload -Uz bashcompinit && bashcompinit\n${bashFunction(words)}complete -o default -F _sluice sluice\n`;
    case 'fish':
      return fishLines(words);
  }
}

/** A command's name is the longest known prefix of the words before the first option. */
function bashFunction(words: Words): string {
  const cases = [...words].map(([path, all]) => `    '${path}') echo '${all.join(' ')}' ;;`);
  return `_sluice_words() {
  case "$1" in
${cases.join('\n')}
  esac
}
_sluice() {
  local at='' next word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    next="\${at:+$at }$word"
    [[ -n "$(_sluice_words "$next")" ]] && at="$next"
  done
  COMPREPLY=($(compgen -W "$(_sluice_words "$at")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
`;
}

function fishLines(words: Words): string {
  const cases = [...words].map(([path, all]) => `    case '${path}'\n      printf '%s\\n' ${all.join(' ')}`);
  return `function __sluice_words
  switch "$argv[1]"
${cases.join('\n')}
  end
end
function __sluice_complete
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim "$path $word")
    if test -n "$(__sluice_words $next)"
      set path $next
    end
  end
  __sluice_words $path
end
complete -c sluice -f -a '(__sluice_complete)'
`;
}
