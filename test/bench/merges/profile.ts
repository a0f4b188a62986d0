import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format of `node --cpu-prof`. Times are microseconds of the machine's monotonic clock. */
interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  /** Node ids. */
  readonly samples: readonly number[];
  /** Time before each sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const IDLE = 'idle';
/** Parts by the file of a frame; the first match counts. */
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

/** The machine's time in profiles, in microseconds. */
export function profileTime(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/**
 * Running time of each part between two times, in milliseconds, the longest first, from the only profile of the folder.
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
    // A delta is the time since the previous sample, whose part ran until then.
    const part = i === 0 ? IDLE : parts.get(profile.samples[i - 1]!)!;
    if (at >= from && at <= to && part !== IDLE) times.set(part, (times.get(part) ?? 0) + delta / 1_000);
  }
  return [...times].sort(([, a], [, b]) => b - a);
}

/** Frames of Node and V8 count for their caller. */
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
