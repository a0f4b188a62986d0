import type { Expected } from './notation';
import { ROWS } from './rows';
import { isUnsupported, type Scenario } from './scenario';

const COUNTS = { A: 24, B: 10, C: 22, D: 24, E: 12, F: 13, G: 14, X: 8 };

/** Conditions that a row must meet to test anything. */
describe('the scenarios', () => {
  it('are complete, and each exists once, in the order of their ids', () => {
    const ids = Object.entries(COUNTS).flatMap(([block, count]) =>
      Array.from({ length: count }, (_, i) => `${block}${String(2 * i + 1).padStart(2, '0')}`),
    );
    expect(ROWS.map((row) => row.id)).toEqual(ids);
  });

  it('each have their own title and sources', () => {
    expect(new Set(ROWS.map((row) => row.title)).size).toBe(ROWS.length);
    expect(new Set(ROWS.map((row) => row.source)).size).toBe(ROWS.length);
  });

  it('name a numbered section of the rules wherever they deviate from their source', () => {
    const rules = ROWS.flatMap(({ outcome }) =>
      typeof outcome === 'object' && 'differs' in outcome ? [outcome.differs] : [],
    );
    expect(rules.filter((rule) => !/^\d+, [A-Za-z].{20}/.test(rule))).toEqual([]);
  });

  it('are played, or give the reason why they are not supported', () => {
    expect(ROWS.filter((row) => isUnsupported(row.outcome) !== (row.story.length === 0)).map((row) => row.id)).toEqual(
      [],
    );
  });

  it.each(ROWS.filter((row) => row.story.length > 0))(
    "$id checks at its end the outcome of each pull request, the test runs and the target's content",
    (row) => {
      const { states = {}, tested, target, moves } = lastWord(row);
      expect(Object.keys(states).map(Number).sort()).toEqual(submittedIn(row).sort());
      expect(tested).toBeDefined();
      expect(target ?? moves).toBeDefined();
    },
  );
});

function lastWord({ story }: Scenario): Expected {
  const last = story.at(-1);
  return last?.beat === 'shows' ? last.expected : {};
}

function submittedIn({ story }: Scenario): number[] {
  const accepted = story.flatMap((beat) => (beat.beat !== 'shows' && beat.refusal === null ? beat.deeds : []));
  return [...new Set(accepted.flatMap((deed) => (deed.type === 'submit' ? [deed.number] : [])))];
}
