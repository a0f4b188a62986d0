import ts from 'typescript';

/** The name under which a module finds `countTurns`. */
export const COUNT_TURNS = 'countTurnsOfLoop';

/** Correct programs need up to 120 turns of one loop. Wrong ones slow down with every turn, so the limit is low. */
const TURNS_OF_THE_ENGINE = 2_000;
/** A day of 24 hours is one loop over all its events, specs invent many names, and a replay's index is a long list. */
const TURNS_OF_OTHERS = 5_000_000;
/** Files that decide, without the store of a replay, forecasts and specs. */
const DECIDES = /^src\/engine\/(?!replay\/|forecast\/)(?!.*\.spec\.ts$)/;

/**
 * A counter for one loop, which throws when the loop would not end. It counts instead of timing, so that a busy machine
 * kills no mutant.
 */
export function countTurns(atMost: number): () => void {
  let turns = 0;
  return () => {
    if (++turns > atMost) throw new Error(`a loop made more than ${atMost} turns`);
  };
}

/** The same program with a counter in every loop. */
export function withLimitedLoops(file: string, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const turnsAtMost = DECIDES.test(file) ? TURNS_OF_THE_ENGINE : TURNS_OF_OTHERS;
  const insertions: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false) && !ts.isLabeledStatement(node.parent)) {
      const counter = `turn${node.getStart()}`;
      const { statement } = node;
      insertions.push({ at: node.getStart(), text: `{ const ${counter} = ${COUNT_TURNS}(${turnsAtMost}); ` });
      insertions.push({ at: statement.getStart(), text: `{ ${counter}(); ` });
    }
    ts.forEachChild(node, visit);
    if (ts.isIterationStatement(node, false) && !ts.isLabeledStatement(node.parent)) {
      insertions.push({ at: node.statement.end, text: ' }' }, { at: node.end, text: ' }' });
    }
  };
  visit(source);
  // Sorting is stable: insertions at one place keep the order of the walk through the tree.
  let result = '';
  let from = 0;
  for (const insertion of insertions.sort((a, b) => a.at - b.at)) {
    result += text.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return result + text.slice(from);
}
