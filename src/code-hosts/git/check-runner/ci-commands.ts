import type { TooLarge } from '../../../domain/code-host.port';
import { parseYaml, TOO_LARGE_YAML } from '../../../platform/yaml';
import { isMapping } from '../../../platform/mapping';

/** The maximum number of commands: more than anybody needs, and too few to slow down the service. */
const MOST_COMMANDS = 100;
/** The maximum length of a status name, which is the same as for reported statuses. */
const LONGEST_NAME = 255;

/** The commands in `ci: { <status>: <command> }` of a configuration file, by name of the status. */
export type CiCommands =
  | { readonly type: 'commands'; readonly commands: ReadonlyMap<string, string> }
  /** `problem`: a sentence for people. */
  | { readonly type: 'problem'; readonly problem: string };

/** Reads the commands. `text`: null if the file does not exist, so that there are no commands. */
export function readCiCommands(text: string | null | TooLarge): CiCommands {
  if (text === null) return { type: 'commands', commands: new Map() };
  const read = typeof text === 'string' ? parseYaml(text) : TOO_LARGE_YAML;
  if (read.type === 'problem') return { type: 'problem', problem: `The file ${read.problem}.` };
  const file = read.value;
  const ci = isMapping(file) ? (file.ci ?? {}) : {};
  if (!isMapping(ci))
    return { type: 'problem', problem: `ci must map names of statuses to commands (line ${read.lineOf('ci')}).` };
  const entries = Object.entries(ci);
  if (entries.length > MOST_COMMANDS)
    return { type: 'problem', problem: `ci has ${entries.length} commands; at most ${MOST_COMMANDS} are run.` };
  const misnamed = entries.find(([name]) => name === '' || name.length > LONGEST_NAME);
  if (misnamed) {
    const line = read.lineOf('ci', misnamed[0]);
    return {
      type: 'problem',
      problem: `The name of a ci status must have 1 to ${LONGEST_NAME} characters (line ${line}).`,
    };
  }
  const wrong = entries.find(([, command]) => typeof command !== 'string' || command.trim() === '');
  if (wrong) {
    const line = read.lineOf('ci', wrong[0]);
    return {
      type: 'problem',
      problem: `The command of ci status ${JSON.stringify(wrong[0])} must be text (line ${line}).`,
    };
  }
  return { type: 'commands', commands: new Map(entries.map(([name, command]) => [name, String(command)])) };
}
