import ts from 'typescript';

const COMPLEMENTS = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.EqualsEqualsToken, '!='],
  [ts.SyntaxKind.ExclamationEqualsToken, '=='],
  [ts.SyntaxKind.LessThanToken, '>='],
  [ts.SyntaxKind.LessThanEqualsToken, '>'],
  [ts.SyntaxKind.GreaterThanToken, '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '<'],
]);
const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);
const ARITHMETIC: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
]);

export function isComparison(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && COMPLEMENTS.has(node.operatorToken.kind);
}

export function isLogical(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind);
}

export function isArithmetic(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && ARITHMETIC.has(node.operatorToken.kind);
}

export function isNot(node: ts.Node): node is ts.PrefixUnaryExpression {
  return ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;
}

/** The opposite comparison, such as `<` for `>=`. */
export function complementOf(comparison: ts.BinaryExpression): string {
  const complement = COMPLEMENTS.get(comparison.operatorToken.kind);
  if (complement === undefined) throw new Error(`not a comparison: ${comparison.getText()}`);
  return complement;
}

export function withoutParentheses(expression: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(expression) ? withoutParentheses(expression.expression) : expression;
}

/** The value of a number literal with its sign; null for any other expression. */
export function numberIn(node: ts.Node): number | null {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  const isNegative = ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken;
  return isNegative && ts.isNumericLiteral(node.operand) ? -Number(node.operand.text) : null;
}
