import { NotOffered } from '../servers/tested-server';
import type { Stage } from '../world/stage';
import { contractRows } from './contract-rows';

/** Why the row cannot be tried; null if the row starts. A row that starts fails at once without a stage. */
async function refusalOf(run: (stage: Stage) => Promise<void>): Promise<string | null> {
  const error: unknown = await run({} as Stage).catch((thrown: unknown) => thrown);
  return error instanceof NotOffered ? error.message : null;
}

describe('the contract rows of sluice certify', () => {
  it('do not try the one guarantee that needs a push which real servers refuse', async () => {
    const refusals = await Promise.all(
      contractRows().map(async ({ name, run }) => [name, await refusalOf(run)] as const),
    );
    expect(refusals.filter(([, reason]) => reason !== null)).toEqual([
      [
        'refuses every time, by its number, only the pull request from which no candidate can be built',
        'servers refuse to take such a push',
      ],
    ]);
  });
});
