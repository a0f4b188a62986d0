import { capitalised, pullRequests } from '../wording/words';
import { code } from '../wording/markdown';
import { withoutReferences } from './references';

interface TestedTogether {
  readonly brand: string;
  readonly targetBranch: string;
  /** The pull requests under test, by number. Empty if the target itself is tested. */
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
}

/** The text of a pull request that the service opens for a testing branch, so that CI tests it. */
export function testingPullRequestOf({ brand, targetBranch, own, builtOn }: TestedTogether): {
  readonly title: string;
  readonly body: string;
} {
  const queue = capitalised(brand);
  const end =
    'The queue closes this pull request when the test is over. Do not merge it, and do not push to its branch.';
  if (own.length === 0) {
    const what = `The ${queue} merge queue tests ${code(targetBranch)} here, as it is, to find out whether its tests pass at all.`;
    return { title: `[${queue}] Test ${targetBranch} as it is`, body: [what, end].join('\n\n') };
  }
  const tested = pullRequests(own);
  const ahead = builtOn.length === 0 ? '' : `, on top of ${pullRequests(builtOn)}`;
  const what = `The ${queue} merge queue tests ${tested} here${ahead}, as it would be on ${code(targetBranch)}.`;
  // A host takes `#7` in a title for a reference, too, and a title has no code spans, so the title has no `#`.
  const title = `[${queue}] Test of ${tested.replaceAll('#', '')} for ${targetBranch}`;
  return { title, body: withoutReferences([what, end].join('\n\n')) };
}
