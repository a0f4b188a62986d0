import { type History, makeHistory, type MadeUpload } from './history';
import { OurRules } from './our-rules';

/**
 * A pull request uploads false results at every step, for its own commits and for commits of main. The false results
 * say that every test failed and passed on one commit, that all tests fail on commit after commit, or that all tests
 * pass. Returns the number of tests whose status changed outside this pull request.
 */
export function measureAttack(seed: number): { readonly changed: number; readonly tests: number } {
  const history = makeHistory({ name: 'attack', steps: 60, reruns: false, tests: 'main', shards: 1 }, seed);
  const [alone, attacked] = [new OurRules(history.truths.length, 'all'), new OurRules(history.truths.length, 'all')];
  const changed = new Set<number>();
  for (const upload of history.uploads) {
    alone.hear(upload);
    attacked.hear(upload);
    if (upload.run.branch === 'main') for (const lie of liesAbout(upload, history)) attacked.hear(lie);
    for (const test of history.truths.keys()) {
      if (alone.statusForOthers(test) !== attacked.statusForOthers(test)) changed.add(test);
    }
  }
  return { changed: changed.size, tests: history.truths.length };
}

function liesAbout(upload: MadeUpload, { truths }: History): MadeUpload[] {
  const all = (failed: boolean) => [...truths.keys()].map((test) => ({ test, failed }));
  const own = `${upload.run.commit.slice(0, -1)}x`;
  return [own, upload.run.commit].flatMap((commit) => {
    const run = { ...upload.run, commit, branchClass: 'pull_request', branch: 'x', line: '', prNumber: 666 } as const;
    return [true, false].map((failed) => ({ ...upload, run, results: all(failed) }));
  });
}
