import type { ApiClient } from '../api-client';
import { describeRepository } from '../arguments';
import type { Reply } from '../reply';
import { shownStatus } from './test-standing';
import type { AskedTests } from './asked-tests';

/** The place of a test result. */
interface Place {
  readonly timestamp: string;
  readonly commit: string;
  readonly branch: string;
  readonly pr_number: number | null;
  readonly job_url: string;
}

interface FailureGroup extends Place {
  readonly summary: string;
  readonly message: string;
  readonly stack: string;
  readonly counted: boolean;
}

interface Alarm {
  readonly monitor: string;
  readonly status: string;
  readonly reason: string;
  readonly until: string;
  readonly evidence: readonly (Place & { readonly outcome: string })[];
}

interface Details {
  readonly test: {
    readonly id: string;
    readonly name: string;
    readonly file_path: string;
    readonly status: { readonly value: string; readonly reason: string };
    readonly quarantined: boolean;
    readonly failure_rate_last_7d: number;
    readonly codeowners: readonly string[];
  };
  readonly alarms: readonly Alarm[];
  readonly failure_groups: readonly FailureGroup[];
}

/** `--json` has the whole stack. */
const STACK_LINES = 12;
const SHORT_COMMIT = 7;

export async function showTest(api: ApiClient, asked: AskedTests, test_id: string): Promise<Reply> {
  const details = await api.post<Details>('flaky-tests/get-test-details', { ...asked, test_id });
  const { test, alarms, failure_groups: groups } = details;
  const repository = describeRepository(asked.repo);
  return {
    data: details,
    lines: [
      test.file_path === '' ? test.name : `${test.name} (${test.file_path})`,
      `  ${shownStatus(test)}${test.quarantined ? ', quarantined' : ''}: ${test.status.reason}`,
      `  failed in ${(test.failure_rate_last_7d * 100).toFixed(1)} % of its runs in the last 7 days`,
      ...(test.codeowners.length === 0 ? [] : [`  owners: ${test.codeowners.join(', ')}`]),
      ...alarms.flatMap(linesOfAlarm),
      ...groups.flatMap(linesOfGroup),
      ...(groups.length === 0 ? ['', 'No failure of this test is stored.'] : []),
    ],
    next: `sluice tests quarantine ${repository} ${test.id} always --org ${asked.org_url_slug} --reason <text>`,
  };
}

function linesOfAlarm({ monitor, status, reason, until, evidence }: Alarm): string[] {
  const end = until === '' ? '' : `; until ${until}`;
  const runs = evidence.map((run) => `  ${run.outcome} ${placeOf(run)}`);
  return ['', `${monitor} (${status}): ${reason}${end}`, ...runs];
}

function linesOfGroup(group: FailureGroup): string[] {
  const { summary, message, stack, counted } = group;
  const lines = stack.split('\n');
  const shown = lines.slice(0, STACK_LINES);
  const rest = lines.length > STACK_LINES ? [`… (${lines.length - STACK_LINES} more lines with --json)`] : [];
  // Many runners begin the stack with the message.
  const words = message !== '' && !stack.startsWith(message) ? message.split('\n') : [];
  const all = [...words, ...shown, ...rest].filter((line) => line.trim() !== '');
  const mark = counted ? '' : ' (not counted: too many healthy tests failed together with this test)';
  return ['', `Failed ${placeOf(group)}${mark}`, ...(all.length > 0 ? all : [summary]).map((line) => `  ${line}`)];
}

function placeOf({ timestamp, commit, branch, pr_number, job_url }: Place): string {
  const on = pr_number === null ? branch : `#${pr_number}`;
  return [timestamp, commit.slice(0, SHORT_COMMIT), on, job_url].filter((part) => part !== '').join(' ');
}
