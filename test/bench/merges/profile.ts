import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file format of `node --cpu-prof`. Times are microseconds of the machine's monotonic clock. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  /** The id of the running node in each sample. */
  readonly samples: readonly number[];
  /** Time between each sample and the sample before it. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const IDLE = 'idle';
/** Maps the file of a frame to a part of the program; the first match counts. */
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/\/src\/engine\//, 'the engine'],
  [/\/merges\/mark-json\.cjs$/, 'JSON'],
  [/\/node_modules\/@prisma\/|\/src\/generated\//, 'Prisma'],
  [/\/node_modules\/pg[^/]*\//, 'pg'],
  [/\/test\/bench\//, 'the calls of the host and of this benchmark'],
  [/\/src\//, 'the rest of the service'],
  [/\/node_modules\//, 'other packages'],
];
const REST = 'Node';

export const PROFILING = ['--cpu-prof', '-r', join(__dirname, 'mark-json.cjs')] as const;

/** The machine's current time on the clock that profiles use, in microseconds. */
export function profileTime(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/**
 * Running time of each part between two times, in milliseconds, the longest first. The folder must hold exactly one
 * profile.
 */
export function timesByPart(folder: string, from: number, to: number): readonly (readonly [string, number])[] {
  const [file, ...others] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  if (file === undefined || others.length > 0) throw new Error(`There is not one profile in ${folder}.`);
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
  const parts = partsOf(profile.nodes);
  const times = new Map<string, number>();
  let at = profile.startTime;
  for (const [i, delta] of profile.timeDeltas.entries()) {
    at += delta;
    // A delta is the time since the previous sample. In that time, the part of the program in the previous sample was
    // running.
    const part = i === 0 ? IDLE : parts.get(profile.samples[i - 1]!)!;
    if (at >= from && at <= to && part !== IDLE) times.set(part, (times.get(part) ?? 0) + delta / 1_000);
  }
  return [...times].sort(([, a], [, b]) => b - a);
}

/** Frames of Node and V8 count for the part that calls them. */
function partsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const walk = (node: ProfileNode, caller: string): void => {
    const part = partOf(node, caller);
    parts.set(node.id, part);
    for (const child of node.children ?? []) walk(byId.get(child)!, part);
  };
  walk(nodes[0]!, REST);
  return parts;
}

function partOf({ callFrame: { functionName, url } }: ProfileNode, caller: string): string {
  if (functionName === '(idle)') return IDLE;
  if (functionName === '(garbage collector)') return 'garbage collection';
  return PARTS.find(([files]) => files.test(url))?.[1] ?? caller;
}
