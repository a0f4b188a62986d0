import ts from 'typescript';
import type { Replacement } from '../mutant';
import { isArithmetic, isComparison, numberIn } from './expressions';

/**
 * How each comparison is shifted: `a < 4` becomes `a <= 4`. For whole numbers this equals `a < 5`, so the shift of the
 * number would make the same mutant.
 */
const SHIFTED = new Map<ts.SyntaxKind, { readonly to: string; readonly sameAsRight: 1 | -1 }>([
  [ts.SyntaxKind.LessThanToken, { to: '<=', sameAsRight: 1 }],
  [ts.SyntaxKind.LessThanEqualsToken, { to: '<', sameAsRight: -1 }],
  [ts.SyntaxKind.GreaterThanToken, { to: '>=', sameAsRight: -1 }],
  [ts.SyntaxKind.GreaterThanEqualsToken, { to: '>', sameAsRight: 1 }],
]);

/** Every bound at this node, shifted by one in both directions. */
export function shiftedBounds(node: ts.Node): readonly Replacement[] {
  return [...shiftedComparison(node), ...withoutTheOne(node), ...shiftedNumber(node)];
}

function shiftedComparison(node: ts.Node): readonly Replacement[] {
  const shifted = isComparison(node) ? SHIFTED.get(node.operatorToken.kind) : undefined;
  if (!shifted || !isComparison(node)) return [];
  const { left, right } = node;
  return [replacement(node, `${left.getText()} ${shifted.to} ${right.getText()}`)];
}

/** Replaces `at + 1` and `at - 1` by `at`. */
function withoutTheOne(node: ts.Node): readonly Replacement[] {
  return isStepOfOne(node) ? [replacement(node, node.left.getText())] : [];
}

function isStepOfOne(node: ts.Node): node is ts.BinaryExpression {
  if (!isArithmetic(node) || numberIn(node.right) !== 1) return false;
  return [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken].includes(node.operatorToken.kind);
}

function shiftedNumber(node: ts.Node): readonly Replacement[] {
  const number = numberIn(node);
  if (number === null || isHalfOfANumber(node) || isNameOfProperty(node)) return [];
  const said = Number.isInteger(number) ? saidAlready(node) : null;
  return [1, -1].filter((by) => by !== said).map((by) => replacement(node, String(number + by)));
}

/** Whether the literal is the part of a negative number after its sign. The number is shifted as a whole. */
function isHalfOfANumber(node: ts.Node): boolean {
  return numberIn(node.parent) !== null;
}

function isNameOfProperty(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/**
 * The direction in which another rule shifts this number by a change of the surrounding expression; null if no rule
 * does so.
 */
function saidAlready(node: ts.Node): 1 | -1 | null {
  const around = node.parent;
  if (isStepOfOne(around) && around.right === node) return -1;
  const shifted = isComparison(around) ? SHIFTED.get(around.operatorToken.kind) : undefined;
  if (!shifted || !isComparison(around)) return null;
  if (around.right === node) return shifted.sameAsRight;
  return shifted.sameAsRight === 1 ? -1 : 1;
}

function replacement(node: ts.Node, text: string): Replacement {
  return { rule: 'shift the bound', start: node.getStart(), end: node.end, text };
}
