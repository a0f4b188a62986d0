import { parseArgs } from 'node:util';

export interface CommandOption {
  /** Placeholder of the option's value, such as `N`. Absent if the option has no value. */
  readonly takes?: string;
  readonly default?: string;
  readonly says: string;
}

interface Command<Options> {
  /** The name of the script in package.json. */
  readonly script: string;
  /** Sentences about the effect of the command and its exit codes other than 0. */
  readonly does: string;
  readonly options?: Options;
  /** Placeholder of the positional arguments, such as `<file>`. Absent if the command takes none. */
  readonly args?: string;
}

type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends { readonly takes: string }
    ? Options[Name] extends { readonly default: string }
      ? string
      : string | undefined
    : boolean;
};

interface CommandLine<Options> {
  readonly values: Values<Options>;
  readonly positionals: readonly string[];
}

/** The option that every benchmark has. */
export const WRITES = { write: { says: 'store the figures in bench' } } as const;

/** The options of this process. With `--help`, prints all options and exits. */
export function readCommandLine<const Options extends Readonly<Record<string, CommandOption>>>(
  command: Command<Options>,
): CommandLine<Options> {
  const options = command.options ?? ({} as Options);
  const known = Object.entries(options).map(([name, { takes, default: usual }]) => [
    name,
    takes === undefined
      ? { type: 'boolean', default: false }
      : { type: 'string', ...(usual !== undefined && { default: usual }) },
  ]);
  const { values, positionals } = parseArgs({
    options: { ...(Object.fromEntries(known) as object), help: { type: 'boolean', short: 'h' } },
    allowPositionals: command.args !== undefined,
  });
  if (values.help === true) {
    console.log(helpOf(command.script, command.does, options, command.args));
    process.exit(0);
  }
  return { values: values as Values<Options>, positionals };
}

function helpOf(
  script: string,
  does: string,
  options: Readonly<Record<string, CommandOption>>,
  args: string | undefined,
): string {
  const rows = Object.entries(options).map(([name, { takes, default: usual, says }]) => {
    const word = `--${name}${takes === undefined ? '' : ` ${takes}`}`;
    return [word, usual === undefined || usual === '' ? says : `${says}; default: ${usual}`] as const;
  });
  const width = Math.max(...[...rows, ['--help']].map(([word = '']) => word.length));
  const lines = rows.map(([word, says]) => `  ${word.padEnd(width)}  ${says}`);
  const shown = [args, rows.length === 0 ? undefined : '[options]'].filter(Boolean).join(' ');
  const usage = `npm run ${script}${shown === '' ? '' : ` -- ${shown}`}`;
  return [usage, '', does, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
}
