import ts from 'typescript';
import type { Replacement } from '../mutant';

/** One replacement for each step in the list of steps: the list without this step. */
export function droppedSteps(node: ts.Node): readonly Replacement[] {
  if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'STEPS') return [];
  if (!node.initializer || !ts.isArrayLiteralExpression(node.initializer)) return [];
  const steps = node.initializer.elements;
  // The dropped piece ends where the next entry starts, so that it includes the comma and the spaces.
  return steps.map((step, i) => {
    const end = steps[i + 1]?.pos ?? steps.end;
    return { rule: 'drop the step', start: step.getStart(), end, text: '' };
  });
}
