import ts from 'typescript';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The floor of each room of src. A room imports rooms on lower floors only; `engine` and `platform` import no other room. */
const FLOORS: Readonly<Record<string, number>> = {
  'composition root': 9,
  cli: 8,
  testing: 7,
  extensions: 6,
  ui: 6,
  modules: 5,
  processing: 4,
  'code-hosts': 3,
  domain: 2,
  engine: 1,
  platform: 1,
};
/** Rooms that start the service, so they may import the files of the composition root with which the service starts. */
const STARTED_BY: readonly string[] = ['cli', 'testing'];
const STARTS = /^src\/(create-merge-queue|run-merge-queue|examine-installation)\.ts$/;
/** Rooms in which folders import only folders below them. */
const ORDERED_INSIDE: readonly string[] = ['engine', 'modules', 'platform', 'processing'];
/** Rooms in which each folder has its own doors. */
const HOUSES: readonly string[] = ['code-hosts', 'engine', 'modules', 'platform', 'processing'];
/** Rooms whose folders must not import each other. */
const SEPARATE_INSIDE: readonly string[] = ['modules', 'processing'];
export const MOST_DOORS = 20;

export interface Import {
  readonly from: string;
  readonly to: string;
}

export interface Placed {
  readonly name: string;
  readonly floor: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly imports: readonly Import[];
}

export interface Look {
  readonly rooms: readonly Placed[];
  /** The folders of each room, the highest first. A file directly in the folder of the room counts as a folder. */
  readonly inside: Readonly<Record<string, readonly Placed[]>>;
  readonly up: readonly Arrow[];
  /** For each room, and for each folder of a room, the files that are imported from outside the room or folder. */
  readonly doors: ReadonlyMap<string, readonly string[]>;
}

function sourcesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return path === 'src/generated' ? [] : sourcesIn(root, path);
    return path.endsWith('.ts') && !path.endsWith('.spec.ts') ? [path] : [];
  });
}

/** All imports between files of src, including type imports and run-time imports, without specs and generated code. */
function importsIn(root: string): readonly Import[] {
  return sourcesIn(root, 'src').flatMap((from) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, from), 'utf8'), true, true);
    return importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith('.')) return [];
      const path = posix.join(posix.dirname(from), fileName);
      const to = [`${path}.ts`, `${path}/index.ts`].find((one) => existsSync(join(root, one)));
      return to === undefined || to.startsWith('src/generated/') ? [] : [{ from, to }];
    });
  });
}

function roomOf(path: string): string {
  const [, room = '', ...rest] = path.split('/');
  return rest.length === 0 ? 'composition root' : room;
}

/** The folder of the room that holds the file; a file directly in the room is its own folder. */
function folderOf(path: string): string {
  return path.split('/')[2]!;
}

function ownerOfDoor(path: string): string {
  const room = roomOf(path);
  return HOUSES.includes(room) && path.split('/').length > 3 ? `${room}/${folderOf(path)}` : room;
}

function isUp({ from, to }: Import): boolean {
  const [above, below] = [roomOf(from), roomOf(to)];
  if (above === below || (STARTED_BY.includes(above) && STARTS.test(to))) return false;
  const floor = FLOORS[below];
  return floor === undefined || floor >= (FLOORS[above] ?? 0);
}

function isStrange({ from, to }: Import): boolean {
  const room = roomOf(from);
  return room !== roomOf(to) || (SEPARATE_INSIDE.includes(room) && folderOf(from) !== folderOf(to));
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, readonly Import[]>>;

function graphOf(imports: readonly Import[], boxOf: (path: string) => string): Graph {
  const graph = new Map<string, Map<string, Import[]>>();
  const boxNamed = (name: string) => {
    const box = graph.get(name) ?? new Map<string, Import[]>();
    graph.set(name, box);
    return box;
  };
  for (const one of imports) {
    const [from, to] = [boxOf(one.from), boxOf(one.to)];
    boxNamed(to);
    const arrows = boxNamed(from);
    if (from !== to) arrows.set(to, [...(arrows.get(to) ?? []), one]);
  }
  return graph;
}

/**
 * The box to draw next from the top, which is the box that the fewest other boxes in `left` import. In a cycle, this
 * choice leaves few upward arrows.
 */
function nextFromTop(graph: Graph, left: ReadonlySet<string>): string {
  const arrowsTo = (box: string): number => [...left].filter((other) => graph.get(other)!.has(box)).length;
  const arrowsFrom = (box: string): number => [...graph.get(box)!.keys()].filter((other) => left.has(other)).length;
  return [...left].toSorted(
    (a, b) => arrowsTo(a) - arrowsTo(b) || arrowsFrom(b) - arrowsFrom(a) || (a < b ? -1 : 1),
  )[0]!;
}

function placed(graph: Graph): { readonly boxes: readonly Placed[]; readonly up: readonly Arrow[] } {
  const order: string[] = [];
  const left = new Set(graph.keys());
  while (left.size > 0) {
    const next = nextFromTop(graph, left);
    left.delete(next);
    order.push(next);
  }
  const up: Arrow[] = [];
  const floors = new Map<string, number>();
  for (const from of order.toReversed()) {
    let floor = 1;
    for (const [to, imports] of graph.get(from)!) {
      const below = floors.get(to);
      if (below === undefined) up.push({ from, to, imports });
      else floor = Math.max(floor, below + 1);
    }
    floors.set(from, floor);
  }
  const boxes = [...floors].map(([name, floor]) => ({ name, floor }));
  return { boxes: boxes.toSorted((a, b) => b.floor - a.floor || (a.name < b.name ? -1 : 1)), up };
}

function doorsIn(imports: readonly Import[]): ReadonlyMap<string, readonly string[]> {
  const doors = new Map<string, Set<string>>();
  for (const { to } of imports.filter(isStrange)) {
    const owner = ownerOfDoor(to);
    doors.set(owner, (doors.get(owner) ?? new Set()).add(to));
  }
  return new Map([...doors].map(([owner, files]) => [owner, [...files].toSorted()] as const).toSorted());
}

/** Reads the folder `src` below `root`. */
export function lookAtArrows(root: string): Look {
  const imports = importsIn(root);
  const between = [...graphOf(imports.filter(isUp), roomOf)];
  const up = between.flatMap(([from, to]) => [...to].map(([name, all]) => ({ from, to: name, imports: all })));
  const inside: Record<string, readonly Placed[]> = {};
  for (const room of ORDERED_INSIDE) {
    const own = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room);
    const { boxes, up: arrows } = placed(graphOf(own, folderOf));
    inside[room] = boxes;
    up.push(
      ...arrows.map(({ from, to, imports: all }) => ({ from: `${room}/${from}`, to: `${room}/${to}`, imports: all })),
    );
  }
  const rooms = Object.entries(FLOORS).map(([name, floor]) => ({ name, floor }));
  return { rooms, inside, up, doors: doorsIn(imports) };
}

function lineOf(boxes: readonly Placed[], floor: number): string {
  const named = boxes.filter((box) => box.floor === floor).map(({ name }) => name);
  return `  ${String(floor).padStart(2)}  ${named.join(', ')}`;
}

function floorsOf(boxes: readonly Placed[]): readonly string[] {
  const floors = [...new Set(boxes.map(({ floor }) => floor))].toSorted((a, b) => b - a);
  return floors.map((floor) => lineOf(boxes, floor));
}

/** The lines that `npm run docs:architecture -- --check` prints; the last line has the figures. */
export function reportOf({ rooms, inside, up, doors }: Look): {
  readonly lines: readonly string[];
  readonly holds: boolean;
} {
  const crowded = [...doors].filter(([, files]) => files.length > MOST_DOORS);
  const most = Math.max(0, ...[...doors.values()].map((files) => files.length));
  const folders = Object.entries(inside).flatMap(([room, boxes]) => [
    '',
    `Folders of ${room}, by floor:`,
    ...floorsOf(boxes),
  ]);
  const arrows = up.flatMap(({ from, to, imports }) => [
    `  ${from} -> ${to}`,
    ...imports.map((one) => `      ${one.from} imports ${one.to}`),
  ]);
  const lines = [
    'Rooms of src, by floor:',
    ...floorsOf(rooms),
    ...folders,
    '',
    `Doors (files that other rooms import), ${MOST_DOORS} at most:`,
    ...[...doors].map(([owner, { length }]) => `  ${String(length).padStart(2)}  ${owner}`),
    '',
    `Arrows up:${up.length === 0 ? ' none' : ''}`,
    ...arrows,
    ...crowded.map(([owner, { length }]) => `${owner} has ${length} doors, more than ${MOST_DOORS}.`),
    `${rooms.length} rooms on ${Math.max(...rooms.map(({ floor }) => floor))} floors, ${up.length} arrows up, at most ${most} doors`,
  ];
  return { lines, holds: up.length === 0 && crowded.length === 0 };
}
