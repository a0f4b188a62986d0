import type { PullRequestAnswer } from '../service-answers';
import { describePullRequest } from '../service-answers';
import type { FlakyTestEnd } from './flaky-test';
import { DEMO_BRANCH, DEMO_PULL_REQUESTS } from './pull-requests';
import type { StoryEnd } from './story';
import { findWrongLandings, type TestedTree, testEveryTree } from './target-proof';

export interface DemoCheck {
  readonly trees: readonly TestedTree[];
  /** The unexpected results; empty: the demo succeeded. */
  readonly wrong: readonly string[];
}

/**
 * Compares the end of the demo with the expected end. The merged commits are read from git, not from the queue's
 * records.
 */
export async function checkDemo(
  story: StoryEnd,
  flakyTest: FlakyTestEnd,
  bare: string,
  workFolder: string,
): Promise<DemoCheck> {
  const trees = await testEveryTree(bare, DEMO_BRANCH, workFolder);
  const merged = DEMO_PULL_REQUESTS.filter(({ ends }) => ends.state === 'merged').map(({ number }) => number);
  const wrong = [
    ...(story.ended === 'stuck' ? ['not every pull request concluded'] : []),
    ...flakyTest.wrong,
    ...findWrongEnds(story.standings.map(({ record }) => record)),
    ...(await findWrongLandings(bare, DEMO_BRANCH, merged)),
    ...trees
      .filter(({ verdict }) => verdict === 'failed')
      .map(({ commit, said }) => `${DEMO_BRANCH} pointed at ${commit.slice(0, 10)}, whose test fails: ${said}`),
  ];
  return { trees, wrong };
}

function findWrongEnds(records: readonly PullRequestAnswer[]): string[] {
  return DEMO_PULL_REQUESTS.flatMap(({ number, title, ends }) => {
    const record = records.find(({ prNumber }) => prNumber === number);
    if (record === undefined) return [`#${number} ${title} was never submitted`];
    if (record.state === ends.state && record.stateReason === ends.reason) return [];
    const waiting = record.waitingFor === null ? '' : `, and waits: ${record.waitingFor}`;
    return [`${describePullRequest(record)}${waiting}; it must end as ${ends.state} (${ends.reason})`];
  });
}
