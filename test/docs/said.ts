import ts from 'typescript';
import { filesIn, readDocument } from './documents';

/** All literals of one source file of the product, with `…` for inserted values. Any literal may be a message. */
export interface Sayings {
  readonly path: string;
  readonly literals: readonly string[];
}

export function sayingsOfProduct(): readonly Sayings[] {
  return productFiles().map((path) => ({ path, literals: literalsIn(readDocument(path)) }));
}

/** Every word that occurs in the source of the product. */
export function wordsOfProduct(): ReadonlySet<string> {
  return new Set(productFiles().flatMap((path) => readDocument(path).match(/\w+/g) ?? []));
}

/** The values of a union type, wherever the product declares it. */
export function wordsOfType(name: string): readonly string[] {
  return productFiles().flatMap((path) => {
    const text = readDocument(path);
    if (!text.includes(`type ${name}`)) return [];
    return sourceOf(text)
      .statements.filter(ts.isTypeAliasDeclaration)
      .filter((alias) => alias.name.text === name)
      .flatMap(({ type }) => wordsIn(type));
  });
}

function productFiles(): readonly string[] {
  return filesIn('src', '.ts').filter((path) => !path.endsWith('.spec.ts') && !path.startsWith('src/testing/'));
}

function sourceOf(text: string): ts.SourceFile {
  return ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
}

function wordsIn(type: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap(wordsIn);
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return [type.literal.text];
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) ? wordsOfType(type.typeName.text) : [];
}

function literalsIn(text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    if (ts.isTemplateExpression(node))
      found.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…'));
    ts.forEachChild(node, visit);
  };
  visit(sourceOf(text));
  return found;
}

/**
 * Whether the file contains all the fixed parts of a quoted sentence. Ignores case, because parts may begin sentences.
 */
export function isSaidBy({ literals }: Sayings, sentence: string): boolean {
  const parts = fixedPartsOf(sentence);
  const said = literals.map((literal) => literal.toLowerCase());
  return parts.length > 0 && parts.every((part) => said.some((literal) => literal.includes(part)));
}

export function fixedPartsOf(sentence: string): readonly string[] {
  const parts = sentence.toLowerCase().split('…');
  return parts.map((part) => part.trim()).filter((part) => /\p{L}/u.test(part));
}
