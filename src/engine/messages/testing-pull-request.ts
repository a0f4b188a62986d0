import { capitalised, pullRequests } from './words';
import { code } from './markdown';

interface TestedTogether {
  readonly brand: string;
  readonly targetBranch: string;
  readonly own: readonly number[];
  readonly builtOn: readonly number[];
}

/** The text of a pull request that the service opens for a testing branch, so that CI tests it. */
export function testingPullRequestOf({ brand, targetBranch, own, builtOn }: TestedTogether): {
  readonly title: string;
  readonly body: string;
} {
  const tested = own.length === 0 ? `what was left on ${targetBranch}` : pullRequests(own);
  const ahead = builtOn.length === 0 ? '' : `, on top of ${pullRequests(builtOn)}`;
  const body = [
    `The ${capitalised(brand)} merge queue tests ${tested} here${ahead}, as it would be on ${code(targetBranch)}.`,
    'The queue closes this pull request when the test is over. Do not merge it, and do not push to its branch.',
  ];
  return { title: `[${capitalised(brand)}] Test ${tested} for ${targetBranch}`, body: body.join('\n\n') };
}
