import ts from 'typescript';
import type { Replacement } from '../mutant';

/** Every entry of the list of steps, left out. */
export function droppedSteps(node: ts.Node): readonly Replacement[] {
  if (!ts.isVariableDeclaration(node) || node.name.getText() !== 'STEPS') return [];
  if (!node.initializer || !ts.isArrayLiteralExpression(node.initializer)) return [];
  const steps = node.initializer.elements;
  // Where the next one begins, its spaces included, the comma of this one has ended.
  return steps.map((step, i) => {
    const end = steps[i + 1]?.pos ?? steps.end;
    return { rule: 'drop the step', start: step.getStart(), end, text: '' };
  });
}
