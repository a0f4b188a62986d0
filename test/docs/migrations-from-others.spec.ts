import { Command } from 'commander';
import { commandsFor } from '../../src/cli/commands';
import { QUEUE_SETTINGS } from '../../src/domain/queue-settings';
import { filesIn, readDocument } from './documents';

const PAGES = filesIn('docs', '.md').filter((path) => path.startsWith('docs/migrate-'));
const NOWHERE = { out: () => undefined, err: () => undefined, columns: undefined };

describe('the pages about moving from other queues', () => {
  it('are about bors, Mergify, GitHub and Trunk', () => {
    expect(PAGES.map((path) => /migrate-(.+)\.md/.exec(path)?.[1])).toEqual([
      'bors',
      'github-queue',
      'mergify',
      'trunk',
    ]);
  });

  it.each(PAGES)('are in the index: %s', (path) => {
    expect(readDocument('docs/README.md')).toContain(`(${path.replace('docs/', '')})`);
  });

  it.each(PAGES)('map settings to settings that exist: %s', (path) => {
    const cells = secondCellsOf(path, 'Settings').filter((cell) => cell !== 'none');
    const names = cells.flatMap(codesIn);
    expect(names.length).toBeGreaterThan(5);
    expect(cells.filter((cell) => codesIn(cell).length === 0)).toEqual([]);
    expect(names.filter((name) => !Object.hasOwn(QUEUE_SETTINGS, name))).toEqual([]);
  });

  it.each(PAGES)('map commands to commands that exist: %s', (path) => {
    const names = secondCellsOf(path, 'Commands').flatMap(codesIn);
    expect(names.filter((name) => name.startsWith('/sluice')).length).toBeGreaterThan(1);
    expect(names.filter((name) => !isCommand(name))).toEqual([]);
  });
});

function secondCellsOf(path: string, heading: string): readonly string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |$(?![^]))`, 'm').exec(readDocument(path)) ?? [];
  const rows = [...section.matchAll(/^\| .*$/gm)].slice(2);
  return rows.map(([row]) => row.split('|')[2]!.trim());
}

function codesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

function isCommand(code: string): boolean {
  const [program = '', ...words] = code.split(' ');
  if (program === '/sluice') return ['merge', 'cancel'].includes(words[0] ?? '');
  if (program === 'sluice')
    return pathsOf(allCommands()).includes(words.filter((word) => !word.startsWith('-')).join(' '));
  return Object.hasOwn(QUEUE_SETTINGS, code) || code.startsWith('SLUICE_');
}

function allCommands(): Command {
  const program = new Command('sluice');
  for (const add of commandsFor([])) add(program, NOWHERE, { screen: NOWHERE, wordsAfterDashes: [] });
  return program;
}

function pathsOf(command: Command, before: readonly string[] = []): readonly string[] {
  return command.commands.flatMap((one) => {
    const path = [...before, one.name()];
    return [path.join(' '), ...pathsOf(one, path)];
  });
}
