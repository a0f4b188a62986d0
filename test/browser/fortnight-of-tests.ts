import { createHash } from 'node:crypto';
import { EvaluationTicker } from '../../src/modules/test-health/storage/evaluation/evaluation-ticker';
import { ApiClient } from '../support/api-client';
import type { QueueOfTeam, Team } from './team';

const DAY_MS = 86_400_000;
const DAYS = 14;

interface SuiteTest {
  readonly suite: string;
  readonly name: string;
  readonly file: string;
  /**
   * Whether the test fails in the first run of the commit of a given day. The second run of the same commit passes
   * unless the test is broken.
   */
  readonly failsAt: (daysAgo: number) => boolean;
  readonly isBroken?: boolean;
}

const TESTS: readonly SuiteTest[] = [
  { suite: 'Gallery', name: 'opens the third picture', file: 'test/gallery.e2e.ts', failsAt: (ago) => ago % 3 !== 1 },
  { suite: 'Refund', name: 'pays back half', file: 'test/refund.e2e.ts', failsAt: (ago) => ago % 5 === 0 },
  {
    suite: 'Vault',
    name: 'reads an old record',
    file: 'test/vault.test.ts',
    failsAt: (ago) => ago < 3,
    isBroken: true,
  },
  { suite: 'Login', name: 'remembers the device', file: 'test/login.e2e.ts', failsAt: (ago) => ago === 9 || ago === 2 },
  { suite: 'Cart', name: 'adds an item', file: 'test/cart.test.ts', failsAt: () => false },
];

/**
 * Uploads of a team's CI over two weeks: each day a commit of main and a commit of a pull request, each tested twice.
 */
export async function uploadFortnight(team: Team, queue: QueueOfTeam): Promise<void> {
  const { host, owner, name } = queue.repo;
  const client = new ApiClient(team.service.url, (await team.client('admin')).token!);
  const now = team.service.clock.now().getTime();
  const upload = (more: Record<string, string>, at: number, fails: (test: SuiteTest) => boolean) =>
    client.uploadReport(
      { repo: `${host}/${owner}/${name}`, org_url_slug: owner, ...more },
      reportOf(new Date(at), fails),
    );
  for (let ago = DAYS - 1; ago >= 0; ago--) {
    const at = now - ago * DAY_MS - 3_600_000;
    const main = {
      commit: queue.repository.pushTo('main', { 'day.txt': `${ago}` }, `What ${ago} days ago brought`),
      branch: 'main',
    };
    const change = { commit: commitOf(ago), branch: `change-${ago}`, pr_number: String(400 + ago) };
    for (const [index, of] of [main, change].entries()) {
      await upload(of, at + index * 60_000, (test) => test.failsAt(ago));
      await upload(of, at + index * 60_000 + 600_000, (test) => test.failsAt(ago) && test.isBroken === true);
    }
  }
  await team.service.app.get(EvaluationTicker).drain();
}

function reportOf(at: Date, fails: (test: SuiteTest) => boolean): string {
  const suites = TESTS.map((test) => {
    const failure = fails(test) ? '<failure message="expected 3 pictures, got 2"/>' : '';
    return `<testsuite name="${test.suite}" timestamp="${at.toISOString()}"><testcase name="${test.name}" file="${test.file}">${failure}</testcase></testsuite>`;
  });
  return `<testsuites>${suites.join('')}</testsuites>`;
}

function commitOf(ago: number): string {
  return createHash('sha1').update(`change ${ago}`).digest('hex');
}
