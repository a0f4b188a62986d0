import ts from 'typescript';
import { filesIn, readDocument } from './documents';

/** Two exports may share a name only for a reason given here. */
const SHARED_NAMES: Readonly<Record<string, string>> = {
  QueueEvent:
    "the engine's is what a queue decides on; that of extensions is what other teams are told of, under their name",
};

/** Names of the HTTP API, which clients know. */
const API_NAMES: readonly string[] = ['groupinhand', 'inhandcount', 'hopes'];

const SOURCES = filesIn('src', '.ts')
  .filter((path) => !path.endsWith('.spec.ts'))
  .map((path) => ({ path, file: ts.createSourceFile(path, readDocument(path), ts.ScriptTarget.Latest, true) }));

function exportedNames(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
    if (!isExported) return [];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText(file));
    const { name } = statement as { readonly name?: ts.Node };
    return name === undefined ? [] : [name.getText(file)];
  });
}

function identifiers(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.add(node.text.toLowerCase());
    ts.forEachChild(node, visit);
  };
  for (const { file } of SOURCES) visit(file);
  return found;
}

/** The terms in a column of the table below a heading. */
function termsBelow(heading: string, column: 1 | 2): string[] {
  const section =
    readDocument('docs/glossary.md')
      .split(/^#+ /m)
      .find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  return rows.flatMap((row) =>
    row
      .split('|')
      [column]!.split(',')
      .map((term) => term.trim().replaceAll('`', '')),
  );
}

const KNOWN = [...identifiers()];

describe('The names of the code', () => {
  it('have one meaning each: no two exports of src have the same name', () => {
    const homes = new Map<string, Set<string>>();
    for (const { path, file } of SOURCES)
      for (const name of exportedNames(file)) homes.set(name, (homes.get(name) ?? new Set()).add(path));
    const shared = [...homes].filter(([name, paths]) => paths.size > 1 && SHARED_NAMES[name] === undefined);
    expect(Object.fromEntries(shared.map(([name, paths]) => [name, [...paths]]))).toEqual({});
  });

  it.each(termsBelow('Glossary', 2))('use the name %s of the glossary', (term) => {
    const asName = term.toLowerCase().replaceAll(' ', '');
    expect(KNOWN.some((name) => name.includes(asName))).toBe(true);
  });

  it.each(termsBelow('Retired words', 1))('do not use the retired word %s', (term) => {
    const asName = term.toLowerCase().replaceAll(' ', '');
    expect(KNOWN.filter((name) => name.includes(asName) && !API_NAMES.includes(name))).toEqual([]);
  });
});
