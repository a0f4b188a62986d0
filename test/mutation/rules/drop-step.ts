import ts from 'typescript';
import type { Replacement } from '../mutant';

/** The list of steps without one entry, for each entry. */
export function droppedSteps(node: ts.Node): readonly Replacement[] {
  if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'STEPS') return [];
  if (!node.initializer || !ts.isArrayLiteralExpression(node.initializer)) return [];
  const steps = node.initializer.elements;
  // Ends at the start of the next entry, so that the comma and the spaces go, too.
  return steps.map((step, i) => {
    const end = steps[i + 1]?.pos ?? steps.end;
    return { rule: 'drop the step', start: step.getStart(), end, text: '' };
  });
}
