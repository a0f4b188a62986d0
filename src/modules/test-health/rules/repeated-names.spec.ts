import { randomUUID } from 'node:crypto';
import { type OutcomeCode, RepeatedNames } from './repeated-names';

const ID = '7d1f0b7e-52a4-5c3e-9a61-0c9b7f3d2e11';
const CODES = { P: 0, F: 1, S: 2 } as const;
const codes = (text: string): OutcomeCode[] => [...text].map((letter) => CODES[letter as 'P' | 'F' | 'S']);

function kept(text: string, retries: readonly string[] = []): string {
  const names = new RepeatedNames();
  for (const code of codes(text)) names.add(ID, code);
  const keeps = names.keeper(new Set(retries));
  return codes(text)
    .filter((code) => keeps(ID, code))
    .map((code) => 'PFS'[code])
    .join('');
}

describe('a name that is repeated in the reports of a run', () => {
  it.each([
    ['P', 'P'],
    ['F', 'F'],
    ['S', 'S'],
    ['PP', 'P'],
    ['PF', 'F'],
    ['FF', 'F'],
    ['SP', 'P'],
    ['PS', 'P'],
    ['SS', 'S'],
    ['SF', 'F'],
    ['FS', 'F'],
    ['PFP', 'F'],
    ['FPP', 'F'],
    ['FPF', 'F'],
    ['FFP', 'F'],
  ])('gives one result, the worst of %s: %s', (given, expected) => expect(kept(given)).toBe(expected));

  it('is a retry only if it failed first, passed once at the end, and belongs to a single test', () => {
    expect([kept('FP', [ID]), kept('FFP', [ID])]).toEqual(['FP', 'FFP']);
    expect([kept('PF', [ID]), kept('FPF', [ID]), kept('FPP', [ID]), kept('FF', [ID])]).toEqual(['F', 'F', 'F', 'F']);
  });

  it('adds one result for each repetition, with the final outcome of the name', () => {
    const extra = (text: string) => {
      const names = new RepeatedNames();
      for (const code of codes(text)) names.add(ID, code);
      for (let nth = 0; nth < 2_000; nth++) names.add(randomUUID(), 0);
      return names.extraResults;
    };
    expect(extra('P')).toEqual({ passed: 0, failed: 0 });
    expect(extra('PP')).toEqual({ passed: 1, failed: 0 });
    expect(extra('PPF')).toEqual({ passed: 0, failed: 2 });
    expect(extra('PS')).toEqual({ passed: 1, failed: 0 });
  });

  it('is listed as a possible retry, or as a name of several tests', () => {
    const listed = (text: string) => {
      const names = new RepeatedNames();
      for (const code of codes(text)) names.add(ID, code);
      return [names.possibleRetries.length, names.repeated.length, names.any];
    };
    expect(['F', 'FP', 'FFP', 'FPP', 'PF', 'PP', 'FF'].map(listed)).toEqual([
      ...[
        [0, 0, false],
        [1, 0, true],
        [1, 0, true],
        [0, 1, true],
        [0, 1, true],
        [0, 1, true],
        [0, 0, true],
      ],
    ]);
  });

  it('is found among very many other names, and the results of all names are kept', () => {
    const names = new RepeatedNames();
    const ids = Array.from({ length: 20_000 }, () => randomUUID());
    for (const id of ids) names.add(id, 0);
    expect(names.any).toBe(false);
    names.add(ids[77]!, 1);
    const keeps = names.keeper(new Set());
    expect(ids.filter((id) => !keeps(id, 0))).toEqual([ids[77]]);
    expect(keeps(ids[77]!, 1)).toBe(true);
    expect(names.repeated).toEqual([ids[77]]);
  });
});
