import ts from 'typescript';

/** The name under which a module finds `countTurns`. */
export const COUNT_TURNS = 'countTurnsOfLoop';

/**
 * The limit for the engine. In a correct program one loop makes up to 120 turns. A wrong loop becomes slower with every
 * turn, so the limit is low.
 */
const TURNS_OF_THE_ENGINE = 2_000;
/**
 * The limit for other files. A day of 24 hours is one loop over all its events, specs invent many names, and the index
 * of a replay is a long list.
 */
const TURNS_OF_OTHERS = 5_000_000;
/** Matches files of the engine that make decisions. The store of a replay, forecasts and specs do not match. */
const DECIDES = /^src\/engine\/(?!replay\/|forecast\/)(?!.*\.spec\.ts$)/;

/**
 * A counter for the turns of one loop. The counter throws when the loop makes too many turns. Time is not measured, so
 * that a busy machine kills no mutant.
 */
export function countTurns(atMost: number): () => void {
  let turns = 0;
  return () => {
    if (++turns > atMost) throw new Error(`a loop made more than ${atMost} turns`);
  };
}

/** The given program with a counter in every loop. */
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
  // Sorting is stable, so insertions at one place keep the order in which the walk through the syntax tree made them.
  let result = '';
  let from = 0;
  for (const insertion of insertions.sort((a, b) => a.at - b.at)) {
    result += text.slice(from, insertion.at) + insertion.text;
    from = insertion.at;
  }
  return result + text.slice(from);
}
