import { readFileSync } from 'node:fs';
import { CONTENT_BUGS } from '../content/bugs';
import { KINDS } from '../runners/find/kinds';
import { BUGS } from './days-find/bugs';
import { RULES_LEFT_OUT, SEEDED_BUGS } from './exhaustive/bugs';
import { BROKEN_RULES } from './flow/broken-rules';

const CONTENT = CONTENT_BUGS.map((bug) => ['test:content', bug.name, pieces(bug.file, bug.edits)] as const);
const DAYS = BUGS.map((bug) => ['test:days-find', bug.name, pieces(bug.file, bug.edits)] as const);
const FLOW = BROKEN_RULES.map((bug) => ['test:flow-find', bug.name, pieces(bug.file, bug.edits)] as const);
const EXHAUSTIVE = [...SEEDED_BUGS, ...RULES_LEFT_OUT].map(
  ({ bug }) => ['test:exhaustive', bug.name, pieces(bug.file, bug.edits)] as const,
);
const RUNNERS = KINDS.map(({ name, edits }) => {
  return ['test:runners-find', name, edits.map(([file, piece]) => ({ file, piece }))] as const;
});

function pieces(file: string, edits: readonly (readonly [piece: string, instead: string])[]) {
  return edits.map(([piece]) => ({ file, piece }));
}

describe('the bugs that test commands put back into the code', () => {
  it.each([...CONTENT, ...DAYS, ...EXHAUSTIVE, ...FLOW, ...RUNNERS])(
    'can be put back by %s: %s',
    (_command, _name, edits) => {
      const times = edits.map(({ file, piece }) => readFileSync(file, 'utf8').split(piece).length - 1);
      const wrong = edits.filter((_, at) => times[at] !== 1);
      expect(wrong).toEqual([]);
    },
  );
});
