import fc from 'fast-check';
import { commitsByLine } from './commits';
import { evaluateMonitor } from './evaluate-monitor';
import { DEFAULT_MONITORS, type Monitor } from './settings';
import type { RunResult, ReportedRun } from './tested-run';

const HOUR_MS = 3_600_000;
const NOW = new Date('2026-11-20T12:00:00.000Z');
const monitorOf = (type: Monitor['type']) => DEFAULT_MONITORS.find((monitor) => monitor.type === type)!;
const BROKEN = monitorOf('consecutive_failures');
const FLAKY = monitorOf('transitions');

const MAIN: ReportedRun = {
  ...{ commit: '', tree: null, branchClass: 'stable', branch: 'main', line: 'main', changes: [] },
  ...{ prNumber: null, job: '', conditions: '', jobUrl: null },
};

/** One commit an hour, the last one an hour ago. `P` passed, `F` failed, `M` failed and passed, ` ` did not run. */
function runs(pattern: string, run: ReportedRun = MAIN): RunResult[] {
  return [...pattern].flatMap((letter, index) => {
    const at = new Date(NOW.getTime() - (pattern.length - index) * HOUR_MS);
    const own = { ...run, commit: `${run.line} ${index}`.padEnd(40, '.') };
    const result = (outcome: RunResult['outcome']): RunResult => ({ outcome, at, run: own });
    if (letter === ' ') return [];
    if (letter === 'M') return [result('failed'), result('passed')];
    return [result(letter === 'P' ? 'passed' : 'failed')];
  });
}

function testing(pattern: string, changesOf: (index: number) => readonly string[]): RunResult[] {
  const run: ReportedRun = {
    ...MAIN,
    branchClass: 'queue',
    branch: 'sluice-merge/pr-1/x',
    line: 'testing branches of main',
  };
  return runs(pattern, run).map((result) => {
    const index = Number(/\d+/.exec(result.run.commit)![0]);
    return { ...result, run: { ...result.run, changes: changesOf(index) } };
  });
}

function evaluate(monitor: Monitor, results: readonly RunResult[]) {
  const none = { retriedCommits: [], counts: new Map(), countsWithoutPullRequests: new Map() };
  const uploaded = results.map((result, index) => ({ ...result, attempt: `${index}`, uploadId: `${index}` }));
  const facts = { ...none, lines: commitsByLine(uploaded) };
  return evaluateMonitor(monitor, { monitors: DEFAULT_MONITORS, facts, before: 'inactive', now: NOW });
}

const isBroken = (results: readonly RunResult[]) => evaluate(BROKEN, results).type === 'active';
const isFlaky = (results: readonly RunResult[]) => evaluate(FLAKY, results).type === 'active';
const P = (count: number) => 'P'.repeat(count);

describe('a test that fails on consecutive commits', () => {
  it('is broken at the third commit if it was healthy, with the first commit in the reason', () => {
    expect(isBroken(runs(`${P(40)}FF`))).toBe(false);
    const { type, ...said } = evaluate(BROKEN, runs(`${P(40)}FFF`));
    expect([type, said]).toEqual([
      'active',
      {
        reason: 'failed on 3 commits of main in a row, first on main 40',
        lookAgainAt: new Date(NOW.getTime() - HOUR_MS + 30 * 24 * HOUR_MS),
        endsWith: 'it has passed on 3 commits of main in a row',
        isFromPullRequests: false,
        evidence: runs(`${P(40)}FFF`).slice(-3),
      },
    ]);
  });

  it('needs more consecutive failures the more often it failed before, at most eight', () => {
    const needed = (before: string) => {
      const counts = Array.from({ length: 12 }, (_, index) => index + 1);
      return counts.find((count) => isBroken(runs(`${before}${'F'.repeat(count)}`)));
    };
    expect(needed(P(100))).toBe(3);
    expect(needed(P(10))).toBe(5);
    expect(needed('')).toBe(5);
    expect(needed(`${P(19)}F`.repeat(5) + P(19))).toBe(4);
    expect(needed('PPPF'.repeat(10) + P(3))).toBe(8);
    expect(needed('PF'.repeat(30) + P(1))).toBe(8);
  });

  it('is not broken if it passed at a retry on one of the commits', () => {
    expect(isBroken(runs(`${P(40)}FFMF`))).toBe(false);
  });

  it('needs more consecutive failures if it failed before on commits that passed at a retry', () => {
    expect(isBroken(runs(`${'PPPM'.repeat(20)}${P(3)}FFF`))).toBe(false);
    expect(isBroken(runs(`${'PPPM'.repeat(20)}${P(3)}${'F'.repeat(8)}`))).toBe(true);
  });

  it('recovers after three consecutive passes, not fewer', () => {
    expect(isBroken(runs(`${P(40)}FFFPP`))).toBe(true);
    expect(isBroken(runs(`${P(40)}FFFPPFPP`))).toBe(true);
    expect(isBroken(runs(`${P(40)}FFFPPP`))).toBe(false);
  });

  it('is broken again at the third consecutive failure, because an earlier break is not flakiness', () => {
    expect(isBroken(runs(`${P(40)}${'F'.repeat(20)}${P(10)}FFF`))).toBe(true);
  });

  it('is broken on the branch on which it fails, whatever its results on other branches', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    expect(isBroken([...runs(P(80)), ...runs(`${P(40)}FFF`, release)])).toBe(true);
  });

  it('needs more consecutive failures on a branch of few commits if it fails by chance on another branch', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    const main = runs('PPPF'.repeat(20) + P(3));
    expect(isBroken(runs(`${P(20)}FFFF`, release))).toBe(true);
    expect(isBroken([...main, ...runs(`${P(20)}${'F'.repeat(6)}`, release)])).toBe(false);
    expect(isBroken([...main, ...runs(`${P(20)}${'F'.repeat(8)}`, release)])).toBe(true);
  });

  it('is broken at the third consecutive failure on a large branch, whatever its results on a small branch', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    expect(isBroken([...runs(`${P(80)}FFF`), ...runs('PFP', release)])).toBe(true);
  });

  it('is broken again at the third consecutive failure, although another branch failed during the earlier break', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    const seldom = `${`${' '.repeat(7)}P`.repeat(5)}${' '.repeat(7)}F${' '.repeat(7)}F${' '.repeat(7)}P${' '.repeat(11)}`;
    expect(isBroken([...runs(`${P(44)}${'F'.repeat(16)}${P(11)}FFF`), ...runs(seldom, release)])).toBe(true);
  });

  it('is not broken by failures of one branch mixed with passes of another branch', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    expect(isBroken([...runs(`${P(40)}FF`), ...runs(`${P(40)}F`, release)])).toBe(false);
  });

  it('attack 17: does not become broken, healthy or flaky by results of pull requests', () => {
    const own: ReportedRun = { ...MAIN, branchClass: 'pull_request', branch: 'x', line: '', prNumber: 7 };
    expect(isBroken([...runs(P(40)), ...runs('F'.repeat(20), own)])).toBe(false);
    expect(isBroken([...runs(`${P(40)}FFF`), ...runs(P(3), own)])).toBe(true);
    expect(isFlaky([...runs(P(40)), ...runs('PF'.repeat(20), own)])).toBe(false);
  });

  it('is not broken by testing runs with the same failing change, however many are built on it', () => {
    expect(isBroken(testing(`${P(40)}FFFFF`, (index) => (index < 40 ? [`${index}`] : ['bad', `${index}`])))).toBe(
      false,
    );
    expect(isBroken(testing(`${P(40)}FFF`, (index) => [`${index}`]))).toBe(true);
  });
});

describe('a test that fails on single commits', () => {
  it('is flaky at the second failed commit, once it has run ten times', () => {
    expect(isFlaky(runs(`${P(20)}F${P(20)}`))).toBe(false);
    expect(isFlaky(runs(`${P(20)}F${P(20)}F`))).toBe(false);
    expect(evaluate(FLAKY, runs(`${P(20)}F${P(20)}FP`))).toMatchObject({
      type: 'active',
      reason:
        'failed on one commit and passed on the next, 2 times on stable branches and testing branches in 30 days, last on main 41',
      evidence: [{ at: new Date(NOW.getTime() - 23 * HOUR_MS) }, { at: new Date(NOW.getTime() - 2 * HOUR_MS) }],
    });
    expect(isFlaky(runs('PFPFPPPPP'))).toBe(false);
    expect(isFlaky(runs('PFPFPPPPPP'))).toBe(true);
  });

  it('stays flaky while it passes at retries only, on any number of commits', () => {
    expect(isFlaky(runs(`${'PPPF'.repeat(5)}${P(40)}`))).toBe(false);
    expect(isFlaky(runs(`${'PPPF'.repeat(5)}${'PPPM'.repeat(10)}`))).toBe(true);
  });

  it('is not flaky because it broke and was fixed, however often', () => {
    expect(isFlaky(runs(`${P(40)}FFF${P(10)}FFFFF${P(10)}FF${P(10)}`))).toBe(false);
  });

  it('is not flaky because one break shows on a branch that seldom runs', () => {
    const release = { ...MAIN, branch: 'release/1', line: 'release/1' };
    const onMain = `${P(44)}FFFFF${P(19)}FFFFF${P(30)}`;
    const onRelease = [...onMain].map((letter, index) => (index % 8 === 6 ? letter : ' ')).join('');
    expect(isFlaky(runs(onRelease, release))).toBe(true);
    expect(isFlaky([...runs(onMain), ...runs(onRelease, release)])).toBe(false);
  });

  it('is not flaky because changes broke it in testing runs, unless the same changes passed later', () => {
    const pattern = `${P(10)}F${P(10)}F${P(10)}`;
    expect(isFlaky(testing(pattern, (index) => [`${index}`]))).toBe(false);
    // Failed pull requests are submitted again, unchanged, and pass two runs later.
    expect(isFlaky(testing(pattern, (index) => [`${index === 12 || index === 23 ? index - 2 : index}`]))).toBe(true);
  });

  it('recovers when it has passed for so long that its old failure rate is unlikely', () => {
    const often = 'PPPF'.repeat(10);
    expect(isFlaky(runs(`${often}${P(20)}`))).toBe(true);
    expect(isFlaky(runs(`${often}${P(40)}`))).toBe(false);
  });

  it('recovers by time when its failures are older than the window', () => {
    const old = runs(`PFPF${P(20)}`).map((result) => ({
      ...result,
      at: new Date(result.at.getTime() - 29.5 * 24 * HOUR_MS),
    }));
    expect(isFlaky(old)).toBe(false);
  });
});

describe('any history of a test', () => {
  const letters = fc.array(fc.constantFrom('P', 'P', 'P', 'F', 'F', 'M', ' '), { maxLength: 60 });
  const patterns = letters.map((all) => all.join(''));

  it('gives the same result in any order of arrival', () => {
    fc.assert(
      fc.property(patterns, fc.gen(), (pattern, gen) => {
        const results = runs(pattern);
        const shuffled = gen(fc.shuffledSubarray, results, { minLength: results.length, maxLength: results.length });
        for (const monitor of [BROKEN, FLAKY]) expect(evaluate(monitor, shuffled)).toEqual(evaluate(monitor, results));
      }),
    );
  });

  it('makes the test broken exactly after enough failures since the last three consecutive passes', () => {
    fc.assert(
      fc.property(patterns, (pattern) =>
        expect(isBroken(runs(P(60) + pattern))).toBe(isNaivelyBroken(P(60) + pattern)),
      ),
    );
  });

  /** The rule for broken tests, letter by letter. Apart from `broken`, its only state is the text read so far. */
  function isNaivelyBroken(pattern: string): boolean {
    const commits = pattern.replaceAll(' ', '');
    let [before, since, broken] = ['', '', false];
    for (const letter of commits) {
      since += letter;
      if (broken) {
        if (/[PM]{3}$/.test(since)) [since, broken] = ['', false];
        continue;
      }
      if (letter !== 'F') {
        before += since;
        since = '';
        continue;
      }
      const first = /^P*(F*)/.exec(before)![1]!.length;
      const failed = before.replaceAll('P', '').length - Math.max(first - 1, 0);
      const rate = (failed + (failed > 1 ? 2 : 1)) / (before.length + 2);
      const needed = Math.max(3, Math.min(8, Math.ceil((3 * Math.log(0.027)) / Math.log(rate))));
      broken = since.length >= needed;
    }
    return broken;
  }

  it('makes the test flaky only with two failures between passes', () => {
    fc.assert(
      fc.property(patterns, (pattern) => {
        const commits = pattern.replaceAll(' ', '').replaceAll('M', 'P');
        const between = commits.match(/(?<=P)F(?=P)/g) ?? [];
        expect(isFlaky(runs(pattern)) && between.length < 2).toBe(false);
      }),
    );
  });
});

describe('a test that two jobs run on the same commits', () => {
  const job = (name: string, pattern: string) => runs(pattern, { ...MAIN, job: name });

  it('is broken when it fails in one of the jobs on consecutive commits', () => {
    expect(isBroken([...job('linux', P(43)), ...job('windows', `${P(40)}FFF`)])).toBe(true);
    expect(isBroken([...job('linux', P(43)), ...job('windows', `${P(40)}FF `)])).toBe(false);
    expect(isFlaky([...job('linux', P(43)), ...job('windows', `${P(40)}FFF`)])).toBe(false);
  });

  it('is broken if it fails under one of two conditions on consecutive commits in jobs of the same name', () => {
    const under = (conditions: string, pattern: string) => runs(pattern, { ...MAIN, conditions });
    const results = [...under('node 22.13', P(43)), ...under('node 24.1', `${P(40)}FFF`)];
    expect([isBroken(results), isFlaky(results)]).toEqual([true, false]);
  });

  it('is broken, and not flaky, if it always fails in a job that seldom runs', () => {
    const nightly = Array.from({ length: 40 }, (_, index) => (index % 8 === 7 ? 'F' : ' ')).join('');
    const results = [...job('main', P(40)), ...job('nightly', nightly)];
    expect([isBroken(results), isFlaky(results)]).toEqual([true, false]);
  });

  it('is flaky if it fails on single commits in each job, but not if both jobs fail on the same commits', () => {
    const [once, twice] = [`${P(20)}F${P(9)}F${P(9)}`, `${P(10)}F${P(15)}F${P(13)}`];
    expect(isFlaky([...job('linux', once), ...job('windows', twice)])).toBe(true);
    expect(isFlaky([...job('linux', once), ...job('windows', once)])).toBe(false);
  });

  it('has recovered when the renamed job passes', () => {
    const before = job('test (18)', `${P(20)}FFFF      `);
    const after = job('test (20)', `${' '.repeat(24)}PPPP  `);
    expect(isBroken([...before, ...job('test (20)', `${' '.repeat(24)}PP    `)])).toBe(true);
    expect(isBroken([...before, ...after])).toBe(false);
  });
});
