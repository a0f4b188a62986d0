import ts from 'typescript';
import { posix } from 'node:path';
import { filesIn, readDocument } from './documents';

/** The rooms of src are its folders. The files directly in src put the rooms together, and count as one more room. */
const ROOT_ROOM = 'composition root';
/** Rooms whose folders are described one by one. */
const HOUSES: readonly string[] = ['modules', 'processing'];

export interface RoomImports {
  readonly room: string;
  /** Names of the rooms that this room calls, sorted. */
  readonly calls: readonly string[];
  /** Names of the rooms from which this room uses only types, sorted. */
  readonly types: readonly string[];
}

function roomOf(path: string): string {
  const [, room = '', ...rest] = path.split('/');
  if (rest.length === 0) return ROOT_ROOM;
  return HOUSES.includes(room) ? `${room}/${rest[0]}` : room;
}

function isTypeOnly(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const { namedBindings } = clause;
  return (
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.length > 0 &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

/** For every room of src, its imports from other rooms, without specs. Sorted by room. */
export function importsOfRooms(): readonly RoomImports[] {
  const calls = new Map<string, Set<string>>();
  const types = new Map<string, Set<string>>();
  for (const path of filesIn('src', '.ts').filter((one) => !one.endsWith('.spec.ts'))) {
    const room = roomOf(path);
    calls.set(room, calls.get(room) ?? new Set());
    types.set(room, types.get(room) ?? new Set());
    const source = ts.createSourceFile(path, readDocument(path), ts.ScriptTarget.Latest);
    for (const node of source.statements) {
      if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) continue;
      const from = (node.moduleSpecifier as ts.StringLiteral | undefined)?.text ?? '';
      if (!from.startsWith('.')) continue;
      const other = roomOf(`${posix.join(posix.dirname(path), from)}.ts`);
      if (other === room || other === 'generated') continue;
      const isType = ts.isImportDeclaration(node) ? isTypeOnly(node) : node.isTypeOnly;
      (isType ? types : calls).get(room)!.add(other);
    }
  }
  return [...calls.keys()].toSorted().map((room) => ({
    room,
    calls: [...calls.get(room)!].toSorted(),
    types: [...types.get(room)!].filter((other) => !calls.get(room)!.has(other)).toSorted(),
  }));
}
