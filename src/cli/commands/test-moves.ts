import type { Command } from 'commander';
import { askingService } from '../answering';
import { CliError } from '../cli-error';
import { describeRepository } from '../arguments';
import type { RepositoryName } from '../../platform/repository-name';
import { type Reply, table } from '../reply';
import type { Terminal } from '../terminal';
import { asked, type TestsOptions } from './asked-tests';

interface NamedTest {
  readonly name: string;
  readonly classname: string;
  readonly parent: string;
  readonly file: string;
}

interface Moves {
  readonly suggested: readonly {
    readonly from: NamedTest & { readonly test_case_id: string };
    readonly to: NamedTest & { readonly test_case_id: string };
    readonly automatic: boolean;
  }[];
  readonly moves: readonly {
    readonly id: string;
    readonly timestamp: string;
    readonly actor: string;
    readonly former: NamedTest;
    readonly moved: NamedTest;
  }[];
}

interface MoveOptions extends TestsOptions {
  readonly reason?: string;
  readonly undo?: string;
}

const REASON = 'moved';
const DAY = 10;

/** Lists tests that may have moved, moves a test, or undoes a move. */
export function addTestMoves(command: Command, terminal: Terminal): void {
  command
    .argument('[test]', 'id of the test under its earlier name; without it, tests that may have moved are shown')
    .argument('[moved]', 'id of the same test under its new name')
    .option('--reason <text>', 'reason, for people who look at the test later', REASON)
    .option('--undo <move>', 'id of a move, from the list: separate its two tests again');
  askingService<MoveOptions>(command, terminal, async ({ args, options }, api) => {
    const [repository, test_case_id, moved_test_case_id] = args as [RepositoryName, string?, string?];
    const of = asked(args, options);
    const { reason = REASON, undo, org } = options;
    const list = `sluice tests move ${describeRepository(repository)} --org ${org}`;
    if (undo !== undefined) {
      const request = { ...of, move_id: undo, reason };
      const undone = await api.post<{ restored_test_case_id: string }>('flaky-tests/undo-move', request);
      return {
        data: undone,
        lines: [`The two tests are separate again. The second test has the id ${undone.restored_test_case_id}.`],
        next: list,
      };
    }
    if (test_case_id === undefined) return listed(await api.post<Moves>('flaky-tests/list-moves', of), list);
    if (moved_test_case_id === undefined)
      throw new CliError('Name the id of the test under its new name, too.', { exit: 2 });
    const request = { ...of, test_case_id, moved_test_case_id, reason };
    const moved = await api.post<{ move_id: string; name: string; status: string; quarantined: boolean }>(
      'flaky-tests/move-test',
      request,
    );
    const standing = moved.quarantined ? `${moved.status}, quarantined` : moved.status;
    return {
      data: moved,
      lines: [`The two tests are one test now: ${moved.name}, ${standing}.`],
      next: `${list} --undo ${moved.move_id}`,
    };
  });
}

function listed(found: Moves, command: string): Reply {
  const { suggested, moves } = found;
  const rows = suggested.map(({ from, to, automatic }) => [
    ...[from.test_case_id, to.test_case_id, `${placeOf(from)} → ${placeOf(to)}`],
    automatic ? `${from.name} (moves within the hour)` : from.name,
  ]);
  const made = moves.map(({ id, timestamp, actor, former, moved }) => [
    ...[id, timestamp.slice(0, DAY), actor === '' ? 'the service' : actor],
    ...[`${placeOf(former)} → ${placeOf(moved)}`, moved.name],
  ]);
  return {
    data: found,
    lines: [
      ...(rows.length === 0
        ? ['No test seems to have moved.']
        : table([['TEST', 'MOVED', 'FROM → TO', 'NAME'], ...rows])),
      ...(made.length === 0 ? [] : ['', ...table([['MOVE', 'DAY', 'BY', 'FROM → TO', 'NAME'], ...made])]),
    ],
    ...(rows.length === 0 ? {} : { next: `${command.replace(' --org', ' <test> <moved> --org')}` }),
  };
}

function placeOf({ file, classname, parent }: NamedTest): string {
  return file || classname || parent || '?';
}
