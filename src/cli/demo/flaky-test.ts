import type { ApiClient } from '../api-client';
import type { FailedTest, UploadAnswer } from '../upload/send-upload';
import { DEMO_ORGANIZATION, DEMO_REPO } from './demo-service';
import { git } from './git';
import { DEMO_BRANCH } from './pull-requests';

/** A CI job that runs the same two tests, and the expected answer of the service to its report. */
interface Job {
  readonly title: string;
  /** The distance of the job's commit from the tip of the target. */
  readonly commitsBack: number;
  readonly attempt: string;
  readonly timer: 'passed' | 'failed';
  /** The expected answer of the service to the job's report. */
  readonly told: string;
}

const JOBS: readonly Job[] = [
  {
    title: 'CI on one commit',
    commitsBack: 1,
    attempt: '1',
    timer: 'failed',
    told: 'failed: rings in time (not known to fail)',
  },
  { title: 'The same job again', commitsBack: 1, attempt: '2', timer: 'passed', told: 'all passed' },
  {
    title: 'CI on the next commit',
    commitsBack: 0,
    attempt: '1',
    timer: 'failed',
    told: 'failed: rings in time (flaky, quarantined)',
  },
];

export interface FlakyTestEnd {
  readonly lines: readonly string[];
  /** The unexpected results; empty: the demo succeeded. */
  readonly wrong: readonly string[];
}

interface Lists {
  readonly tests: readonly {
    readonly name: string;
    readonly status: { readonly value: string; readonly reason: string };
  }[];
  readonly quarantined_tests: readonly { readonly name: string; readonly status: string }[];
}

const ASKED = { repo: DEMO_REPO, org_url_slug: DEMO_ORGANIZATION } as const;
const FIRST_PAGE = { page_query: { page_size: 25 } } as const;

/**
 * Shows that a test that fails and passes on one commit is listed as flaky, and that its later failures are ignored.
 */
export async function playFlakyTest(api: ApiClient, bare: string): Promise<FlakyTestEnd> {
  await api.post('flaky-tests/update-settings', { ...ASKED, quarantine_enabled: true, auto_quarantine: true });
  const lines: string[] = [];
  const wrong: string[] = [];
  for (const job of JOBS) {
    const told = wordsOf(await upload(api, bare, job));
    lines.push(`  ${job.title.padEnd(22)} ${told}`);
    if (told !== job.told)
      wrong.push(`${job.title} received the answer "${told}" about its tests; expected "${job.told}"`);
  }
  const flaky = await api.post<Lists>('flaky-tests/list-unhealthy-tests', { ...ASKED, ...FIRST_PAGE, status: 'FLAKY' });
  const quarantined = await api.post<Lists>('flaky-tests/list-quarantined-tests', { ...ASKED, ...FIRST_PAGE });
  const listed = [
    `flaky: ${flaky.tests.map(({ name, status }) => `${name} (${status.reason})`).join(', ')}`,
    `quarantined: ${quarantined.quarantined_tests.map(({ name }) => name).join(', ')}`,
  ];
  if (flaky.tests.length !== 1 || quarantined.quarantined_tests.length !== 1) wrong.push(...listed);
  return { lines: [...lines, '', ...listed.map((line) => `  Listed as ${line}`)], wrong };
}

async function upload(api: ApiClient, bare: string, { commitsBack, attempt, timer }: Job): Promise<UploadAnswer> {
  const commit = await git(bare, ['rev-parse', `${DEMO_BRANCH}~${commitsBack}`]);
  const { host, owner, name } = DEMO_REPO;
  const query = {
    repo: `${host}/${owner}/${name}`,
    org_url_slug: DEMO_ORGANIZATION,
    commit,
    branch: DEMO_BRANCH,
    attempt,
  };
  const failure = timer === 'failed' ? '<failure message="no ring within 5000 ms"/>' : '';
  const report = `<testsuite name="widgets" file="test.sh">
    <testcase name="counts widgets" time="0.01"/>
    <testcase name="rings in time" time="5">${failure}</testcase>
  </testsuite>`;
  return api.upload<UploadAnswer>('flaky-tests/upload-results', query, report);
}

function wordsOf({ failures }: UploadAnswer): string {
  if (failures.length === 0) return 'all passed';
  return `failed: ${failures.map(described).join(', ')}`;
}

function described({ name, status, quarantined }: FailedTest): string {
  return `${name} (${[status === 'healthy' ? 'not known to fail' : status, ...(quarantined ? ['quarantined'] : [])].join(', ')})`;
}
