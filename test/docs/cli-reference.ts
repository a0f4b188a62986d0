import { Command, type Option } from 'commander';
import { commandsFor } from '../../src/cli/commands';
import type { Terminal } from '../../src/cli/terminal';

const NOWHERE: Terminal = { out: () => undefined, err: () => undefined, columns: undefined };
/** An option that at least this many commands have is described only once. */
const COMMON = 20;

const INTRODUCTION = `# Command line

Every command of \`sluice\`, with its arguments and options. This page is made from the commands themselves; \`sluice <command> --help\` prints the same.

- \`init\`, \`serve\`, \`demo\`, \`sample\`, \`certify\`, \`verify\` and \`upload\` work on this machine. \`org\`, \`repo\`, \`token\` and \`sign-in-link\` work on the database
  of the data folder, while the service runs or without it. The other commands ask the service at \`--url\` or \`SLUICE_URL\`.
- A command ends with 0 if it succeeded, with 1 if something was refused or failed, and with 2 if it was not understood.
- In a clone, \`npm run sluice -- <command>\` builds first. \`source <(sluice completion bash)\` completes commands and options.
`;

/** The text of docs/cli.md. */
export function cliReference(): string {
  const program = new Command('sluice');
  for (const add of commandsFor([])) add(program, NOWHERE, { screen: NOWHERE, wordsAfterDashes: [] });
  const leaves = leavesOf(program);
  const common = new Set(commonLines(leaves));
  return [
    INTRODUCTION,
    '## Common options\n',
    `Each command below names the common options that it takes:\n`,
    `${[...common].join('\n')}\n`,
    ...program.commands.flatMap((command) => sectionOf(command, common)),
  ].join('\n');
}

function sectionOf(command: Command, common: ReadonlySet<string>): readonly string[] {
  const leaves = leavesOf(command);
  const heading = `## sluice ${command.name()}\n`;
  if (command.commands.length === 0) return [heading, textOf(command, common)];
  const parts = leaves.flatMap((leaf) => [`### ${pathOf(leaf)}\n`, textOf(leaf, common)]);
  return [heading, `${sentence(command.description())}\n`, ...parts];
}

function textOf(command: Command, common: ReadonlySet<string>): string {
  const parameters = command.registeredArguments.map((argument) => `- \`${argument.name()}\`: ${argument.description}`);
  const options = optionLines(command);
  const own = [...parameters, ...options.filter((line) => !common.has(line))];
  const usage = `\`\`\`text\n${pathOf(command)} ${command.usage()}\n\`\`\`\n`;
  const shared = options.filter((line) => common.has(line)).map((line) => `\`${/--[a-z]+/.exec(line)![0]}\``);
  const others = shared.length === 0 ? [] : [`[Common options](#common-options): ${shared.join(', ')}.\n`];
  const list = own.length === 0 ? [] : [`${own.join('\n')}\n`];
  return [`${sentence(command.description())}\n`, usage, ...list, ...others].join('\n');
}

function commonLines(leaves: readonly Command[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of leaves.flatMap(optionLines)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= COMMON).map(([line]) => line);
}

function optionLines(command: Command): readonly string[] {
  return command.options.filter(({ hidden }) => !hidden).map(optionLine);
}

function optionLine({ flags, description, defaultValue, argChoices, mandatory }: Option): string {
  const notes = [
    ...(mandatory && defaultValue === undefined ? ['required'] : []),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(typeof defaultValue === 'string' || typeof defaultValue === 'number' ? [`default: ${defaultValue}`] : []),
  ];
  return `- \`${flags}\`: ${description}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
