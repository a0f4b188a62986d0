import fc from 'fast-check';
import { attemptOfAddress } from './attempts';
import { mayBeRetried, type MostUploads, retriedCommit as retried, type UploadOfTest } from './retried-commits';
import type { ReportedRun } from './tested-run';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const RUN: ReportedRun = {
  ...{ commit: 'c', tree: null, branchClass: 'stable', branch: 'main', line: 'main', changes: [] },
  ...{ prNumber: null, job: 'test', conditions: '', jobUrl: null },
};
const ONE = (): number => 1;
const retriedCommit = (those: readonly UploadOfTest[], most: MostUploads) =>
  retried(those, { most, quietDays: 7, now: new Date(NOON) });

interface Given extends Partial<Omit<UploadOfTest, 'run' | 'failedAt' | 'passedAt'>> {
  readonly run?: Partial<ReportedRun>;
}

/**
 * The uploads in `text`, each a letter and an attempt. `F`: failed, `P`: passed, `R`: failed and passed in one report.
 */
function uploads(text: string, more: Given = {}): UploadOfTest[] {
  return text.split(' ').map((word, index) => {
    const at = new Date(NOON + index * 60_000);
    return {
      ...{ shard: '', isOneOfShards: false, attempt: word.slice(1), ...more },
      run: { ...RUN, ...more.run },
      failedAt: word[0] === 'P' ? null : at,
      passedAt: word[0] === 'F' ? null : at,
    };
  });
}

const isRetried = (text: string, most = ONE) => retriedCommit(uploads(text), most) !== null;

describe('a test on one commit', () => {
  it.each([
    ['failed in one attempt and passed in the next', 'F1 P2', true],
    ['passed first, and failed in the next', 'P1 F2', true],
    ['failed and passed in one attempt: under two conditions', 'F1 P1', false],
    ['failed and passed in one attempt, and then only failed', 'F1 P1 F2', false],
    ['failed and passed in one attempt, and then only passed', 'F1 P1 P2', false],
    ['failed first, and then under one of two conditions', 'F1 F2 P2', false],
    ['failed under both, and then passed under both', 'F1 F1 P2 P2', true],
    ['failed in every attempt', 'F1 F2 F3', false],
    ['was uploaded without attempts', 'F P', false],
    ['failed in an attempt, and passed in an unknown one', 'F1 P', false],
    ['was retried within one report', 'R1', true],
    ['was retried within one report of an unknown attempt', 'R', true],
    ['was retried within one report, and failed under another condition', 'R1 F1', true],
    ['only passed', 'P1 P2', false],
  ])('that %s: %s', (_, text, expected) => {
    expect(isRetried(text)).toBe(expected);
    expect(mayBeRetried(uploads(text)) || text.includes('R')).toBe(expected);
  });

  it('passed an attempt only if all parts of the attempt passed, because a missing part may have failed', () => {
    expect(isRetried('F1 P2', () => 2)).toBe(false);
    expect(isRetried('F1 P2 P2', () => 2)).toBe(true);
    expect(isRetried('F1 P2 F2', () => 2)).toBe(false);
  });

  it('is not retried by another job; each job is evaluated separately', () => {
    const of = (job: string, text: string) => uploads(text, { run: { job } });
    expect(retriedCommit([...of('linux', 'F1'), ...of('windows', 'P2')], ONE)).toBeNull();
    const both = [...of('linux', 'F1 P1 F2'), ...of('windows', 'F1 P2')];
    expect(retriedCommit(both, ONE)?.evidence.map(({ run }) => run.job)).toEqual(['windows', 'windows']);
  });

  it('is retried only by an attempt under the same conditions', () => {
    const under = (conditions: string, text: string) => uploads(text, { run: { conditions } });
    expect(retriedCommit([...under('node 18.20', 'F1'), ...under('node 22.13', 'P2')], ONE)).toBeNull();
    expect(retriedCommit([...under('node 18.20', 'F1'), ...under('', 'P2')], ONE)).toBeNull();
    const again = [...under('node 18.20', 'F1'), ...under('node 22.13', 'P1'), ...under('node 18.20', 'P2')];
    expect(retriedCommit(again, ONE)?.evidence.map(({ run }) => run.conditions)).toEqual(['node 18.20', 'node 18.20']);
    const most = (key: string) => (key === 'test\nnode 18.20' ? 2 : 1);
    expect(retriedCommit(again, most)).toBeNull();
  });

  it('is retried in another shard only if one of the attempts has uploads of several shards', () => {
    const share = (shard: string, text: string, isOneOfShards: boolean) => uploads(text, { shard, isOneOfShards });
    expect(retriedCommit([...share('1/2', 'F1', false), ...share('2/2', 'P2', false)], ONE)).toBeNull();
    expect(retriedCommit([...share('1/2', 'F1', true), ...share('2/2', 'P2', false)], ONE)).not.toBeNull();
    expect(retriedCommit(share('1/2', 'F1 P2', false), ONE)).not.toBeNull();
  });

  it('counts as retried on a pull request when its other retries no longer count', () => {
    const old = uploads('F1 P2').map((upload) => ({
      ...upload,
      passedAt: upload.passedAt && new Date(NOON - 20 * 86_400_000),
    }));
    const ofPullRequest = uploads('F3 P4', { run: { branchClass: 'pull_request', prNumber: 7 } });
    expect(retriedCommit(old, ONE)).toBeNull();
    expect(retriedCommit([...old, ...ofPullRequest], ONE)).toMatchObject({ isFromPullRequest: true });
  });

  it('has the date of the retry that counts longest', () => {
    const [old, failed, passed] = uploads('R1 F2 P3');
    const early = { ...old!, passedAt: new Date(NOON - 13 * 86_400_000), failedAt: new Date(NOON + 3_600_000) };
    expect(retriedCommit([early, failed!, passed!], ONE)).toMatchObject({ passedAt: passed!.passedAt });
  });

  it('has separate attempts for each of several commits with the same tree', () => {
    const on = (commit: string, text: string) => uploads(text, { run: { commit, tree: 't' } });
    expect(retriedCommit([...on('a', 'F1'), ...on('b', 'P1')], ONE)).not.toBeNull();
  });

  it('is evaluated with uploads of pull requests only if the other uploads show no retry', () => {
    const own = uploads('F1 P2');
    const ofPullRequest = (text: string) => uploads(text, { run: { branchClass: 'pull_request', prNumber: 7 } });
    expect(retriedCommit([...own, ...ofPullRequest('F3 P3')], ONE)).toMatchObject({ isFromPullRequest: false });
    expect(retriedCommit([...uploads('F1'), ...ofPullRequest('P2')], ONE)).toMatchObject({ isFromPullRequest: true });
    const most = (_: string, withPullRequests: boolean) => (withPullRequests ? 9 : 1);
    expect(retriedCommit(own, most)).toMatchObject({ isFromPullRequest: false });
  });

  it('is never retried by attempts that fail under one condition and pass under another, in any order', () => {
    const attempt = fc.subarray(['F', 'P'], { minLength: 1 });
    const property = fc.property(fc.array(attempt, { minLength: 1, maxLength: 5 }), fc.nat(), (attempts, from) => {
      const words = attempts.flatMap((legs, index) => legs.map((leg) => `${leg}${index}`));
      const turned = [...words.slice(from % words.length), ...words.slice(0, from % words.length)].join(' ');
      // Another attempt with two uploads shows that an attempt has both conditions.
      return !isRetried(turned, () => 2);
    });
    expect(() => fc.assert(property)).not.toThrow();
  });
});

describe('the attempt of an older client', () => {
  it.each([
    ['https://github.com/acme/w/actions/runs/77/attempts/2', '', '77/2'],
    ['https://gitlab.example/acme/w/-/jobs/5', 'unit', '5'],
    ['https://gitlab.example/acme/w/-/jobs/5', '', ''],
    ['https://github.com/acme/w/actions/runs/77/job/8', 'unit', ''],
    ['https://ci.example/jobs/7', 'unit', ''],
    ['', 'unit', ''],
  ])('is read from the URL %s of the job %j: %j', (address, job, attempt) => {
    expect(attemptOfAddress(address, job)).toBe(attempt);
  });
});
