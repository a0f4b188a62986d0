import { type ContractRunner, describeCodeHostContract } from '../../../testing/code-host-contract';
import { NotOffered } from '../servers/tested-server';
import type { Stage } from '../world/stage';
import { expectations } from './expectations';
import type { CertifyRow } from './row';

/** Rows that a real server cannot play on request. */
const NOT_AT_A_SERVER: readonly (readonly [RegExp, string])[] = [
  [
    /^refuses every time, by its number, only the pull request from which no candidate can be built/,
    'servers refuse to take such a push',
  ],
];

/** Every guarantee of the port, by the same contract that tests our adapters and the adapters of extensions. */
export function contractRows(): readonly CertifyRow[] {
  const rows: CertifyRow[] = [];
  const groups: string[] = [];
  let before: () => Promise<void> = () => Promise.resolve();
  let present: Stage | null = null;
  const runner: ContractRunner = {
    expect: expectations,
    describe: (name, body) => {
      groups.push(name);
      body();
      groups.pop();
    },
    beforeEach: (body) => (before = body),
    // The program closes each stage itself.
    afterEach: () => undefined,
    it: (name, body) => {
      const reason = NOT_AT_A_SERVER.find(([pattern]) => pattern.test(name))?.[1];
      const run = async (stage: Stage): Promise<void> => {
        if (reason !== undefined) throw new NotOffered(reason);
        present = stage;
        await before();
        await body();
      };
      rows.push({ group: groups.slice(1).join(' › '), name, run });
    },
  };
  const worldOfRow = () => {
    if (present === null) throw new Error('No row runs.');
    return present.world;
  };
  // Git alone builds candidates, and its own tests cover all merge methods.
  describeCodeHostContract('', worldOfRow, { candidates: ['squash'], letterCase: 'ignored', runner });
  return rows;
}
