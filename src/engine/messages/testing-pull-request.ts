import { pullRequests } from './words';
import { code, nameOf } from './markdown';

export interface TestedTogether {
  readonly brand: string;
  readonly targetBranch: string;
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
}

/** Of the pull request for a testing branch, which only CI has a use for. */
export function testingPullRequestOf({ brand, targetBranch, own, builtOn }: TestedTogether): {
  readonly title: string;
  readonly body: string;
} {
  const tested = own.length === 0 ? `what was left on ${targetBranch}` : pullRequests(own);
  const ahead = builtOn.length === 0 ? '' : `, on top of ${pullRequests(builtOn)}`;
  const body = [
    `The ${nameOf(brand)} merge queue tests ${tested} here${ahead}, as it would be on ${code(targetBranch)}.`,
    'It is closed when the test is over. Do not merge it, and do not push to its branch.',
  ];
  return { title: `[${nameOf(brand)}] Test ${tested} for ${targetBranch}`, body: body.join('\n\n') };
}
