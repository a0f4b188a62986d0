import type { UnsignedMerge, OrderedLanding, ProvingRun, ReportedRow, UnstatedQueue } from './read-landings';
import type {
  StatedLanding,
  StatedBelow,
  StatedSettings,
  StatedStatus,
  StatedTest,
} from './statement/landing-statement';

/** Facts for statements about merges of one queue, as far as the database still has them. */
export interface LandingFacts {
  readonly queue: UnstatedQueue;
  readonly orders: readonly OrderedLanding[];
  readonly runs: readonly ProvingRun[];
  readonly reported: readonly ReportedRow[];
  readonly git: string;
  readonly service: StatedLanding['service'];
  readonly signedAt: Date;
}

type Chained = 'number' | 'previous';

/**
 * Groups merges into statements: a single merge, or the merges of one stack that the code host made together. The last
 * group is left out if merges of the group may be missing.
 */
export function mergesStated(landed: readonly UnsignedMerge[], most: number): readonly StatedMerge[] {
  const stated: (readonly UnsignedMerge[])[] = [];
  for (const row of landed) {
    const last = stated.at(-1)?.at(-1);
    const isAbove =
      last !== undefined && row.stack !== null && row.stack === last.stack && row.landing === last.landing;
    if (isAbove) stated.push([...(stated.pop() ?? []), row]);
    else stated.push([row]);
  }
  const isCut = landed.length === most && stated.length > 1 && landed.at(-1)?.stack != null;
  return (isCut ? stated.slice(0, -1) : stated).map((rows) => ({ layers: rows.slice(0, -1), top: rows.at(-1)! }));
}

export interface StatedMerge {
  /** The pull requests below `top` in its stack, lowest first. */
  readonly layers: readonly UnsignedMerge[];
  readonly top: UnsignedMerge;
}

/** The statement about a merge, without its position in the chain. */
export function landingOf({ layers, top: row }: StatedMerge, facts: LandingFacts): Omit<StatedLanding, Chained> {
  const { queue, git, service, signedAt } = facts;
  const order = facts.orders.find(({ landing }) => landing === row.landing);
  const run = facts.runs.find(({ number }) => number === order?.runs.at(-1));
  const stack = layers.map(({ number, head }) => ({ number, head }));
  const below = order ? belowOf(row, order, new Set(stack.map(({ number }) => number))) : [];
  const direct = order?.direct ?? null;
  return {
    repository: `https://${queue.host}/${queue.owner}/${queue.name}`,
    branch: queue.branch,
    mergedAt: row.landedAt.toISOString(),
    signedAt: signedAt.toISOString(),
    before: layers[0]?.below ?? row.below,
    after: row.commit,
    tree: row.tree,
    pullRequest: { number: row.number, head: row.head },
    ...(below.length > 0 && { below }),
    ...(stack.length > 0 && { stack }),
    merge: { method: order?.mergeMethod ?? queue.settings.mergeMethod, git },
    test: run && direct === null ? testOf(run, facts) : null,
    ...(direct !== null && { direct: { statuses: statusesOf(row.head, direct.requiredStatuses, facts) } }),
    approvedBy: row.approvedBy ?? [],
    demandsUnmet: (row.unmet ?? []).map(({ words }) => words),
    demandsSeenAt: row.observedAt?.toISOString() ?? null,
    settings: settingsOf(queue),
    service,
  };
}

/**
 * A pull request ahead counts as merged below if both pull requests merged at the same time by separate calls. A single
 * call for both brings the commits of the lower pull request along.
 */
function belowOf(
  { number }: UnsignedMerge,
  { changes, below }: OrderedLanding,
  layers: ReadonlySet<number>,
): readonly StatedBelow[] {
  const place = changes.findIndex((change) => change.number === number);
  const before = new Set(changes.slice(0, Math.max(place, 0)).map((change) => change.number));
  return (below?.[String(number)] ?? [])
    .filter(({ ahead }) => ahead === undefined || (before.has(ahead) && !layers.has(ahead)))
    .map(({ commit, landed }) => ({ commit, merged: landed && { before: landed.below, after: landed.commit } }));
}

function testOf(run: ProvingRun, facts: LandingFacts): StatedTest {
  const { number, commit, tree, pullRequests, requiredStatuses: required, testedCommit, reused } = run;
  const statuses = statusesOf(testedCommit, required, facts);
  const test = { run: number, commit: testedCommit ?? commit, tree, pullRequests, required, statuses };
  return reused ? { ...test, reused: true } : test;
}

/** The reports on the tested commit. Required statuses come first. */
function statusesOf(
  commit: string | null,
  required: readonly string[],
  { reported }: LandingFacts,
): readonly StatedStatus[] {
  const own = reported.filter(({ sha }) => sha === commit);
  const isRequired = ({ name }: ReportedRow): boolean => required.includes(name);
  return [...own.filter(isRequired), ...own.filter((row) => !isRequired(row))].map(
    ({ name, state, source, hostTime }) => ({
      name,
      state,
      ...(source !== '' && { reporter: source }),
      at: hostTime.toISOString(),
    }),
  );
}

function settingsOf({ mode, settings }: UnstatedQueue): StatedSettings {
  const { scheduling, batch, concurrency, pendingFailureDepth } = settings;
  const { canOptimisticallyMerge: optimistic, directMergeMode: directMerges } = settings;
  return { mode, scheduling, batch, concurrency, pendingFailureDepth, optimistic, directMerges };
}
