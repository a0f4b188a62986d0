import ts from 'typescript';
import { filesIn, readDocument } from '../documents';
import { commentUnits, type Literal, textsOfCode } from './code-units';
import { unitsOfMarkdown } from './markdown-units';
import { plainText, type Unit } from './sentences';

export const KINDS = ['docs', 'adr', 'changelog', 'messages', 'openapi', 'cli', 'page', 'comments', 'tests'] as const;
export type Kind = (typeof KINDS)[number];
export type UnitOfKind = Unit & { readonly kind: Kind };

const ENDINGS = ['.md', '.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.prisma'];
const NOT_READ = /(^|\/)(?:coverage|site|recordings|licenses?)\/|package-lock|^LICENSE/i;
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP|SET|BEGIN|COMMIT|AND|OR|WHERE|FROM|JOIN|LEFT|ORDER BY|EXISTS|ARRAY|CASE|NOT EXISTS|GRANT|COPY|LOCK|ON CONFLICT|FOR)\b[^a-z]|"\w+"\s*(?:=|IS|IN|<|>|,)|::\w+/;
/** Matches texts that are not prose: styles, scripts, selectors, keys and addresses. */
const NO_PROSE = /[{};]\s*$|=>|^[\w-]+(?:\.[\w-]+)*$|^[#.@/-]|^\w+:\/\//;
/** Matches statements and shell scripts, of which a part may look like prose. */
const CODE_OF_OTHERS =
  /\b(?:SELECT|FROM|WHERE|AND|OR|ANY|CASE|UNION|ARRAY|EXISTS|LIMIT|RETURNING|TABLE|SCHEMA|LOCAL|SAVEPOINT|LATERAL|DESC|DISTINCT)\b|::\w+|^\s*\/\*|\$[({"]|"\$|2>|\|\||&&|\b(?:mount|kill) -/;
const LAND_IS_RIGHT =
  /^src\/(?:engine|code-hosts|outbox|processing)\/|^test\/(?:simulation|bench|scenarios|mutation)\//;

/** Every text of the project that a person may read, with its kind. */
export function unitsOfProject(): readonly UnitOfKind[] {
  return ENDINGS.flatMap((ending) => filesIn('.', ending))
    .filter((file) => !NOT_READ.test(file))
    .flatMap((file) => unitsOf(file, readDocument(file)));
}

export function unitsOf(file: string, source: string): readonly UnitOfKind[] {
  if (file.endsWith('.md')) return unitsOfMarkdown(file, source).map((unit) => ({ ...unit, kind: kindOfPage(file) }));
  if (file.endsWith('.prisma')) return commentUnits(file, source).map((unit) => ({ ...unit, kind: 'comments' }));
  const { comments, literals } = textsOfCode(file, source);
  return [...comments.map((unit) => ({ ...unit, kind: 'comments' as const })), ...literals.flatMap(unitsOfLiteral)];
}

/** Whether the text may say "land": maintainers read it, in code that moves branches. */
export function mayLand({ kind, file }: UnitOfKind): boolean {
  return LAND_IS_RIGHT.test(file) && ['comments', 'tests', 'docs'].includes(kind);
}

function kindOfPage(file: string): Kind {
  if (/(^|\/)adr\//.test(file)) return 'adr';
  return file.endsWith('CHANGELOG.md') ? 'changelog' : 'docs';
}

/** Splits markup into the texts between its tags; a title of a test is one text. */
function unitsOfLiteral(literal: Literal): readonly UnitOfKind[] {
  const { file, line, text } = literal;
  const kind = kindOfLiteral(literal);
  if (kind === undefined || (kind !== 'page' && SQL.test(text)) || (kind !== 'tests' && NO_PROSE.test(text))) return [];
  const attributes = [...text.matchAll(/\b(?:title|alt|aria-label|placeholder)="([^"]+)"/g)].map(([, value]) => value!);
  const texts = kind === 'tests' ? [text] : [...text.split(/<[^>]*>|\n/), ...attributes];
  return texts.map((one) => ({ file, line, kind, text: plainText(one) }));
}

function kindOfLiteral({ file, node, text }: Literal): Kind | undefined {
  if (file.endsWith('.spec.ts') || file.startsWith('test/')) return isTitle(node) ? 'tests' : undefined;
  if (file.startsWith('src/cli/')) return 'cli';
  if (file.startsWith('src/ui/')) return 'page';
  if (!file.startsWith('src/')) return undefined;
  if (file.startsWith('src/testing/contract/') && isTitle(node)) return 'tests';
  const isOfApi = /\.dto\.ts$|controller\.ts$|openapi|settings|fields/.test(file);
  if (isOfApi && (isNamed(node, ['description', 'summary', 'words']) || isDecorating(node))) return 'openapi';
  const isOfMessages = /^src\/(?:engine\/(?:messages|explain)|platform\/errors)\//.test(file);
  return isOfMessages || isSaid(node) || isProse(text) ? 'messages' : undefined;
}

/** Whether the node is an argument of a decorator, at any depth: `@AnInteger('How many …', 3)`. */
function isDecorating(node: ts.Node): boolean {
  const parent = node.parent as ts.Node | undefined;
  if (parent === undefined || ts.isStatement(parent)) return false;
  return ts.isDecorator(parent) || isDecorating(parent);
}

/** Whether the text has at least three words in a row, and is no statement or script. */
function isProse(text: string): boolean {
  return !CODE_OF_OTHERS.test(text) && /(?:^|[ (])(?:[\p{L}\u25a1'’-]+[,;:.)]* ){2}\p{L}{2}/u.test(text);
}

/** Whether the node is the first argument of `describe`, `it`, `test` or one of their table forms. */
function isTitle(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node.parent) || node.parent.arguments[0] !== node) return false;
  const called = node.parent.expression;
  return /^(?:describe\w*|it|test)\b/.test(called.getText()) || /\.each\b/.test(called.getText());
}

/**
 * Whether the node is the value of a property or variable with one of these names, or a branch of a conditional value.
 */
function isNamed(node: ts.Node, names: readonly string[]): boolean {
  const { parent } = node;
  if (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) return isNamed(parent, names);
  const isNaming =
    ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent);
  return isNaming && names.includes(parent.name.getText());
}

/** Whether the node is the message of an error, a refusal, a log line or a finding. */
function isSaid(node: ts.Node): boolean {
  return isNamed(node, ['message', 'reason', 'hint', 'problem']) || isArgumentOfSaying(node);
}

function isArgumentOfSaying(node: ts.Node): boolean {
  const parent = node.parent as ts.Node | undefined;
  if (parent === undefined || ts.isStatement(parent)) return false;
  const isCall = ts.isCallExpression(parent) || ts.isNewExpression(parent);
  const called = isCall && parent.expression !== node ? parent.expression.getText() : '';
  return /(?:[A-Z]\w*Error|refus\w*|[Rr]efusal|logger\.\w+|\breport)$/.test(called) || isArgumentOfSaying(parent);
}
