import { basename, dirname, relative } from 'node:path';
import * as ts from 'typescript';

/** A statement in the source, or a part of a statement that could stand alone. */
export interface SourceStatement {
  /** `src/…/file.ts:12` */
  readonly place: string;
  /** The offset in the file of the backtick with which the statement begins. */
  readonly at: number;
  /** The name in the comment at the beginning of the statement; null if there is none. */
  readonly name: string | null;
  /**
   * The name that the statement should have. This name consists of the file, with the folder when two files have the
   * same name, and of the function, with a number when the function has several statements.
   */
  readonly wanted: string;
  /**
   * The text of the statement with `$1` for values: one text for each alternative of its parts. Empty if `samples`
   * lacks a part.
   */
  readonly texts: readonly string[];
  /** Parts of the statement that cannot be known from the source alone. */
  readonly missing: readonly string[];
}

/**
 * SQL for parts that are only known at run time, by the name of the statement and the text of the part. The name `*`
 * means any statement.
 */
export type Samples = Readonly<Record<string, Readonly<Record<string, string>>>>;

const TAG = /(?:^Prisma\.sql|\.(?:rows|execute|\$queryRaw|\$executeRaw))$/;
const TAGS = /Prisma\.sql`|\.(?:rows|execute|\$queryRaw|\$executeRaw)\b/;
const VERB = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:SELECT|WITH|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|SET|TRUNCATE)\b/;
const NAME = /^\s*\/\* (.+?) \*\//;
const VALUE = '\u0001';

type Env = ReadonlyMap<ts.Symbol, readonly string[]>;
const NO_ENV: Env = new Map();

/** Reads the raw statements of all files under `src`, except specs. */
export function statementsInSource(samples: Samples): readonly SourceStatement[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  if (config === undefined) throw new Error('tsconfig.json cannot be read.');
  const program = ts.createProgram(config.fileNames.filter(isOfService), config.options);
  const files = program.getSourceFiles().filter(({ fileName }) => isOfService(fileName));
  const counts = new Map<string, number>();
  for (const { fileName } of files.filter(({ text }) => TAGS.test(text))) {
    const name = basename(fileName, '.ts');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return files.flatMap((file) => {
    const name = basename(file.fileName, '.ts');
    const label = (counts.get(name) ?? 0) > 1 ? `${basename(dirname(file.fileName))}/${name}` : name;
    return new StatementsOfFile(program.getTypeChecker(), file, label, samples).read();
  });
}

function fail(diagnostic: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
}

function isOfService(file: string): boolean {
  return file.startsWith(`${process.cwd()}/src/`) && !/\/generated\/|\.spec\.ts$/.test(file);
}

class StatementsOfFile {
  private readonly statements: SourceStatement[] = [];
  private readonly counts = new Map<string, number>();
  private readonly resolver: PartsOfStatement;

  constructor(
    checker: ts.TypeChecker,
    private readonly file: ts.SourceFile,
    private readonly label: string,
    private readonly samples: Samples,
  ) {
    this.resolver = new PartsOfStatement(checker);
  }

  read(): readonly SourceStatement[] {
    this.visit(this.file);
    return this.statements;
  }

  private visit(node: ts.Node): void {
    if (ts.isTaggedTemplateExpression(node)) {
      const tag = node.tag.getText(this.file);
      if (TAG.test(tag) && (tag !== 'Prisma.sql' || VERB.test(headOf(node.template)))) this.add(node);
    }
    ts.forEachChild(node, (child) => this.visit(child));
  }

  private add(node: ts.TaggedTemplateExpression): void {
    const place = `${this.label} ${functionAround(node)}`.trim();
    const count = (this.counts.get(place) ?? 0) + 1;
    this.counts.set(place, count);
    const wanted = count === 1 ? place : `${place} ${count}`;
    const name = NAME.exec(headOf(node.template))?.[1] ?? null;
    const missing: string[] = [];
    const found = this.resolver.texts(node, NO_ENV, { ...this.samples['*'], ...this.samples[wanted] }, missing);
    const { line } = this.file.getLineAndCharacterOfPosition(node.getStart(this.file));
    const path = relative(process.cwd(), this.file.fileName);
    const texts = missing.length > 0 ? [] : found.map(numbered);
    this.statements.push({
      place: `${path}:${line + 1}`,
      at: node.template.getStart(this.file),
      name,
      wanted,
      texts,
      missing,
    });
  }
}

function headOf(template: ts.TemplateLiteral): string {
  return ts.isNoSubstitutionTemplateLiteral(template) ? template.text : template.head.text;
}

function functionAround(node: ts.Node): string {
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent) {
    const isFunction = ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isGetAccessorDeclaration(at);
    const name = isFunction
      ? (at as ts.FunctionDeclaration | ts.MethodDeclaration | ts.AccessorDeclaration).name
      : undefined;
    if (name !== undefined) return name.getText();
    if (ts.isVariableDeclaration(at) && at.parent.parent.parent.kind === ts.SyntaxKind.SourceFile)
      return at.name.getText();
  }
  return '';
}

function numbered(text: string): string {
  let count = 0;
  return text.replaceAll(VALUE, () => `$${(count += 1)}`);
}

/** Finds the parts of a statement through constants, conditions and functions. */
class PartsOfStatement {
  constructor(private readonly checker: ts.TypeChecker) {}

  texts(
    node: ts.TaggedTemplateExpression,
    env: Env,
    samples: Readonly<Record<string, string>>,
    missing: string[],
  ): readonly string[] {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text];
    return template.templateSpans.reduce<readonly string[]>(
      (before, { expression, literal }) =>
        joined(before, this.part(expression, env, samples, missing)).map((text) => text + literal.text),
      [template.head.text],
    );
  }

  private part(
    expression: ts.Expression,
    env: Env,
    samples: Readonly<Record<string, string>>,
    missing: string[],
  ): readonly string[] {
    if (!this.isSql(expression)) return [VALUE];
    const sample = samples[wordsOf(expression)];
    if (sample !== undefined) return [sample];
    const found = this.resolve(expression, env, samples, missing);
    if (found === null) missing.push(wordsOf(expression));
    return found === null || found.length === 0 ? [''] : found;
  }

  private isSql(expression: ts.Expression): boolean {
    return /\bSql(?: \| null)?$/.test(this.checker.typeToString(this.checker.getTypeAtLocation(expression)));
  }

  /** The text of an expression; null if it is known only at run time. */
  private resolve(
    node: ts.Expression,
    env: Env,
    samples: Readonly<Record<string, string>>,
    missing: string[],
  ): readonly string[] | null {
    const again = (one: ts.Expression): readonly string[] | null => this.resolve(one, env, samples, missing);
    if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAwaitExpression(node))
      return again(node.expression);
    if (node.kind === ts.SyntaxKind.NullKeyword) return [];
    if (ts.isTaggedTemplateExpression(node)) return this.texts(node, env, samples, missing);
    if (ts.isConditionalExpression(node)) return either(again(node.whenTrue), again(node.whenFalse));
    if (ts.isBinaryExpression(node)) return either(again(node.left), again(node.right));
    const words = wordsOf(node);
    if (words === 'Prisma.empty') return [''];
    if (ts.isCallExpression(node)) return this.called(node, env, samples, missing);
    if (ts.isElementAccessExpression(node)) return this.anyOf(node.expression, again);
    const symbol = this.symbolOf(node);
    if (symbol === undefined) return null;
    const given = env.get(symbol);
    if (given !== undefined) return given;
    const declaration = symbol.valueDeclaration;
    const isValue = declaration && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
    return isValue && declaration.initializer ? again(declaration.initializer) : null;
  }

  /** Every value of an object with constant values. */
  private anyOf(
    node: ts.Expression,
    again: (one: ts.Expression) => readonly string[] | null,
  ): readonly string[] | null {
    const declaration = this.symbolOf(node)?.valueDeclaration;
    const object = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    if (object === undefined || !ts.isObjectLiteralExpression(object)) return null;
    return unionOf(object.properties.map((one) => (ts.isPropertyAssignment(one) ? again(one.initializer) : null)));
  }

  private called(
    node: ts.CallExpression,
    env: Env,
    samples: Readonly<Record<string, string>>,
    missing: string[],
  ): readonly string[] | null {
    const callee = wordsOf(node.expression);
    const [first] = node.arguments;
    if (callee === 'Prisma.raw') return first !== undefined && ts.isStringLiteralLike(first) ? [first.text] : null;
    if (callee === 'Prisma.join') return this.mapped(first, env, samples, missing);
    if (callee.startsWith('Prisma.')) return null;
    const declaration = this.symbolOf(node.expression)?.valueDeclaration;
    if (declaration === undefined || !(ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration)))
      return null;
    const inner = new Map<ts.Symbol, readonly string[]>();
    declaration.parameters.forEach((parameter, i) => {
      const argument = node.arguments[i] ?? parameter.initializer;
      const symbol = this.checker.getSymbolAtLocation(parameter.name);
      if (symbol === undefined || argument === undefined || !this.isSql(argument)) return;
      inner.set(symbol, this.part(argument, env, samples, missing));
    });
    const all = returnedBy(declaration).map((one) => this.resolve(one, inner, samples, missing));
    return all.reduce<readonly string[] | null>(
      (some, one) => (some === null ? one : either(some, one)),
      all[0] ?? null,
    );
  }

  /** The text of one item of `list.map(item)`. */
  private mapped(
    node: ts.Expression | undefined,
    env: Env,
    samples: Readonly<Record<string, string>>,
    missing: string[],
  ): readonly string[] | null {
    const item =
      node !== undefined && ts.isCallExpression(node) && /\.map$/.test(wordsOf(node.expression)) && node.arguments[0];
    if (!item) return null;
    const made = ts.isArrowFunction(item) ? item : this.symbolOf(item)?.valueDeclaration;
    if (made === undefined || !(ts.isArrowFunction(made) || ts.isFunctionDeclaration(made))) return null;
    const { body } = made;
    const all = body && !ts.isBlock(body) ? [body] : returnedBy(made);
    return unionOf(all.map((one) => this.resolve(one, env, samples, missing)));
  }

  private symbolOf(node: ts.Expression): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(ts.isPropertyAccessExpression(node) ? node.name : node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
}

function returnedBy(declaration: ts.FunctionLikeDeclaration): readonly ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  if (declaration.body) ts.forEachChild(declaration.body, visit);
  return found;
}

function wordsOf(node: ts.Node): string {
  return node.getText().replace(/\s+/g, ' ');
}

function unionOf(all: readonly (readonly string[] | null)[]): readonly string[] | null {
  const known = all.filter((one) => one !== null);
  return known.length === 0 || known.length < all.length ? null : [...new Set(known.flat())];
}

function either(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  return unionOf([one, other]);
}

/**
 * Joins texts with the alternatives of a part. The first text is joined with the first alternative, the second with the
 * second, and so on, so that each alternative occurs once.
 */
function joined(before: readonly string[], part: readonly string[]): readonly string[] {
  const count = Math.max(before.length, part.length);
  return Array.from({ length: count }, (_, i) => (before[i] ?? before.at(-1)!) + (part[i] ?? part.at(-1)!));
}
