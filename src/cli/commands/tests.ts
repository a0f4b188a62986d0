import { type Command, InvalidArgumentError, Option } from 'commander';
import { machineTime } from '../../platform/clock/machine-time';
import { askingService } from '../answering';
import type { RepositoryName } from '../../platform/repository-name';
import { describeRepository, parseExpiry, parseRepository, REPOSITORY } from '../arguments';
import type { Terminal } from '../terminal';
import { asked, type TestsOptions } from './asked-tests';
import { showTest } from './test-details';
import { LISTS, type ListName, listTests } from './test-lists';
import { addTestMoves } from './test-moves';
import { addTestSearch } from './test-search';
import { addTestPreview } from './test-preview';
import { addTestSettings } from './test-settings';

interface DecisionOptions extends TestsOptions {
  readonly reason: string;
  readonly until?: Date;
}

interface Decided {
  readonly name: string;
  readonly status: string;
  readonly quarantined: boolean;
  readonly reason: string;
}

const TEST = ['<test>', 'id of the test, as sluice tests list shows it'] as const;
const MONITOR = ['<monitor>', 'name of the monitor, as sluice tests settings shows it'] as const;
const REASON = ['--reason <text>', 'reason, for people who look at the test later'] as const;
const SETTINGS = { always: 'always_quarantine', never: 'never_quarantine', unspecified: 'unspecified' } as const;

export function addTestsCommands(program: Command, terminal: Terminal): void {
  const tests = program
    .command('tests')
    .description('tests of a repository: show flaky and broken tests, ignore their failures');
  const leaf = (name: string, help: string) =>
    tests
      .command(name)
      .description(help)
      .argument(...REPOSITORY, parseRepository)
      .addOption(new Option('--org <slug>', 'the organization').env('SLUICE_ORG').makeOptionMandatory());

  const list = leaf('list', 'show flaky, broken, quarantined or failing tests').addOption(
    new Option('--which <tests>', 'tests to show; failing: tests with a failure in the last 7 days')
      .choices(LISTS)
      .default('flaky'),
  );
  askingService<TestsOptions & { readonly which: ListName }>(list, terminal, ({ args, options }, api) =>
    listTests(api, asked(args, options), options.which, machineTime()),
  );

  addTestSearch(leaf('find', 'find tests by words; tests that failed on most pull requests come first'), terminal);

  const show = leaf('show', 'show why a test has its status, with the messages of its last failures').argument(...TEST);
  askingService<TestsOptions>(show, terminal, ({ args, options }, api) =>
    showTest(api, asked(args, options), String(args[1])),
  );

  addTestSettings(leaf('settings', 'show or change how tests are evaluated and quarantined'), terminal);
  addTestPreview(leaf('preview', 'show what monitors would say about stored results, and save nothing'), terminal);
  addQuarantine(leaf('quarantine', 'ignore the failures of a test: always, never, or by its status'), terminal);

  addTestMoves(leaf('move', 'show tests that may have moved, join a test with its new name, or undo a move'), terminal);

  const mute = leaf('mute', 'exclude a monitor from the status of a test')
    .argument(...TEST)
    .argument(...MONITOR)
    .requiredOption(...REASON)
    .option('--until <time>', 'end of the muting: 2d, 12h or a date; default: until unmuted', (text) =>
      parseExpiry(text, machineTime()),
    );
  askingService<DecisionOptions>(mute, terminal, async ({ args, options }, api) => {
    const { reason, until } = options;
    const request = { ...asked(args, options), ...monitorOf(args), reason, until: until?.toISOString() };
    const muted = await api.post<Decided>('flaky-tests/mute-monitor', request);
    return { data: muted, lines: [`Muted ${String(args[2])} for this test. The test is ${muted.status} now.`] };
  });

  const unmute = leaf('unmute', 'include a muted monitor in the status of a test again')
    .argument(...TEST)
    .argument(...MONITOR);
  askingService<TestsOptions>(unmute, terminal, async ({ args, options }, api) => {
    const request = { ...asked(args, options), ...monitorOf(args) };
    const unmuted = await api.post<Decided>('flaky-tests/unmute-monitor', request);
    return {
      data: unmuted,
      lines: [`${String(args[2])} counts for this test again. The test is ${unmuted.status} now.`],
    };
  });
}

function addQuarantine(command: Command, terminal: Terminal): void {
  command
    .argument(...TEST)
    .argument('<setting>', 'always, never or unspecified: its status and the settings decide', parseSetting)
    .requiredOption(...REASON);
  askingService<DecisionOptions>(command, terminal, async ({ args, options }, api) => {
    const [repository, test_case_id, setting] = args as [RepositoryName, string, string];
    const request = { ...asked(args, options), test_case_id, setting, reason: options.reason };
    const set = await api.post<Decided>('flaky-tests/set-quarantine', request);
    return {
      data: set,
      lines: [`${set.name}: ${set.quarantined ? 'quarantined' : 'not quarantined'} (${set.reason}).`],
      next: `sluice tests list ${describeRepository(repository)} --org ${options.org} --which quarantined`,
    };
  });
}

function monitorOf([, test_case_id, monitor]: readonly unknown[]): object {
  return { test_case_id, monitor };
}

function parseSetting(text: string): string {
  if (Object.hasOwn(SETTINGS, text)) return SETTINGS[text as keyof typeof SETTINGS];
  throw new InvalidArgumentError(`It is one of: ${Object.keys(SETTINGS).join(', ')}.`);
}
