import ts from 'typescript';
import type { Replacement } from '../mutant';
import { complementOf, isArithmetic, isComparison, isLogical, isNot, withoutParentheses } from './expressions';

const ASKING = new Set(['filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'some', 'every']);
const ORDERING = new Set(['sort', 'toSorted']);

/** The replacements for conditions at this node. Each replacement is the negated condition. */
export function negatedGuards(node: ts.Node): readonly Replacement[] {
  return [...decidedBy(node).map(negation), ...namedCallbacks(node)];
}

function decidedBy(node: ts.Node): readonly ts.Expression[] {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) return [node.expression];
  if (ts.isConditionalExpression(node)) return [node.condition];
  if (ts.isForStatement(node)) return node.condition ? [node.condition] : [];
  if (isNot(node) || isComparison(node)) return [node];
  if (isLogical(node)) return [node.left, node.right].filter((side) => decides(side, node));
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return isAsked(node) || isOrdering(node) ? [node.body] : [];
  if (ts.isReturnStatement(node) && node.expression && isAsked(functionAround(node))) return [node.expression];
  return [];
}

/**
 * Whether this side of an operator is a condition and not a literal. In a chain of one operator, each side is visited
 * separately.
 */
function decides(side: ts.Expression, around: ts.BinaryExpression): boolean {
  const bare = withoutParentheses(side);
  if (ts.isLiteralExpression(bare) || ts.isTemplateExpression(bare) || ts.isObjectLiteralExpression(bare)) return false;
  return !(isLogical(bare) && bare.operatorToken.kind === around.operatorToken.kind);
}

/**
 * Whether the node is a function that returns a boolean. It is one if its declaration says so, or if it is passed as a
 * predicate.
 */
function isAsked(node: ts.Node | undefined): boolean {
  if (!node || !ts.isFunctionLike(node)) return false;
  const { type } = node;
  if (type && (type.kind === ts.SyntaxKind.BooleanKeyword || ts.isTypePredicateNode(type))) return true;
  return isArgumentOf(node, ASKING);
}

function isOrdering(node: ts.Node): boolean {
  return isArgumentOf(node, ORDERING);
}

function isArgumentOf(node: ts.Node, methods: ReadonlySet<string>): boolean {
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false;
  return ts.isPropertyAccessExpression(call.expression) && methods.has(call.expression.name.text);
}

function functionAround(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node, ts.isFunctionLike);
}

/** Replacements for a predicate that is passed by its name, such as `line.filter(isAssumedToPass)`. */
function namedCallbacks(node: ts.Node): readonly Replacement[] {
  if (!ts.isIdentifier(node)) return [];
  const replacement = { rule: 'negate the guard', start: node.getStart(), end: node.end } as const;
  if (isArgumentOf(node, ASKING)) return [{ ...replacement, text: `(...of) => !${node.text}(...of)` }];
  if (isArgumentOf(node, ORDERING)) return [{ ...replacement, text: `(...of) => -${node.text}(...of)` }];
  return [];
}

function negation(expression: ts.Expression): Replacement {
  const bare = withoutParentheses(expression);
  return { rule: 'negate the guard', start: bare.getStart(), end: bare.end, text: oppositeOf(bare) };
}

function oppositeOf(bare: ts.Expression): string {
  if (isNot(bare)) return bare.operand.getText();
  if (bare.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (bare.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (isComparison(bare)) return `${bare.left.getText()} ${complementOf(bare)} ${bare.right.getText()}`;
  // A comparator is reversed instead of negated, because its negation would not be an order.
  if (isArithmetic(bare) || ordersAsAWhole(bare)) return `-(${bare.getText()})`;
  return `!(${bare.getText()})`;
}

function ordersAsAWhole(bare: ts.Expression): boolean {
  const outermost = ts.findAncestor(bare, (node) => !ts.isParenthesizedExpression(node.parent)) ?? bare;
  return ts.isArrowFunction(outermost.parent) && isOrdering(outermost.parent);
}
