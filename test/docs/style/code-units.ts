import ts from 'typescript';
import { CODE, plainText, type Unit } from './sentences';

/** Texts of a source file: its comments, and its literals, each with its syntax node. */
export interface CodeTexts {
  readonly comments: readonly Unit[];
  readonly literals: readonly Literal[];
}

export interface Literal extends Unit {
  /** The node of the whole text, even if the text is a sum of several literals. */
  readonly node: ts.Expression;
}

type Quoted = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

export function textsOfCode(file: string, source: string): CodeTexts {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const quoted: ts.Node[] = [];
  const literals: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isMaskedPart(node)) quoted.push(node);
    const text = isWhole(node) ? textOf(node) : undefined;
    if (text !== undefined) literals.push({ file, line: lineOf(tree, node), text, node: node as ts.Expression });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { comments: commentUnits(file, withoutQuoted(source, tree, quoted)), literals };
}

/** The comments of a source file or of a schema. */
export function commentUnits(file: string, source: string): readonly Unit[] {
  const found: { line: number; last: number; text: string }[] = [];
  for (const { 0: comment, index } of source.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\//g)) {
    const line = source.slice(0, index).split('\n').length;
    const isLine = comment.startsWith('//');
    const text = isLine
      ? comment.replace(/^\/+ ?/, '')
      : comment.replace(/^\/\*+|\*+\/$/g, '').replace(/^[ \t]*\* ?/gm, '');
    if (isDirective(text) || /[;{]\s*$/.test(text.trim())) continue;
    const before = found.at(-1);
    if (isLine && before?.last === line - 1) Object.assign(before, { last: line, text: `${before.text}\n${text}` });
    else found.push({ line, last: isLine ? line : -1, text });
  }
  return found.flatMap(({ line, text }) =>
    text
      .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\s*@\w)/)
      .map((part) => ({ file, line, text: plainText(part.replace(/^\s*(?:[-*] |\d+\. |@\w+ )/, '')) })),
  );
}

function isDirective(text: string): boolean {
  return /^\s*(?:eslint|prettier|c8|istanbul|@ts-|#|!|=+|-+$|<reference)/.test(text);
}

function isMaskedPart(node: ts.Node): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  );
}

/** The source with spaces in place of its literals, so that no text in a literal counts as a comment. */
function withoutQuoted(source: string, tree: ts.SourceFile, quoted: readonly ts.Node[]): string {
  let text = '';
  let from = 0;
  for (const node of [...quoted].sort((a, b) => a.getStart(tree) - b.getStart(tree))) {
    const start = node.getStart(tree);
    text += source.slice(from, start) + source.slice(start, node.end).replace(/[^\n]/g, ' ');
    from = node.end;
  }
  return text + source.slice(from);
}

/** Whether the node is a literal that is no part of a sum, or a whole sum of literals. */
function isWhole(node: ts.Node): node is ts.Expression {
  if (!isQuoted(node) && !isSum(node)) return false;
  return !isSum(node.parent) || textOf(node.parent) === undefined;
}

function isQuoted(node: ts.Node): node is Quoted {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}

/** Undefined if a part of the sum is not a literal. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => CODE + literal.text).join('');
  if (!isSum(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}
