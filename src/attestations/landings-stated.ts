import type { UnsignedMerge, OrderedLanding, ProvingRun, ReportedRow, UnstatedQueue } from './read-landings';
import type {
  StatedLanding,
  StatedBelow,
  StatedSettings,
  StatedStatus,
  StatedTest,
} from './statement/landing-statement';

/** Facts for the statements about some merges of one queue, as far as the database still has them. */
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

/** All but its place in the chain. */
export function landingOf(row: UnsignedMerge, facts: LandingFacts): Omit<StatedLanding, Chained> {
  const { queue, git, service, signedAt } = facts;
  const order = facts.orders.find(({ landing }) => landing === row.landing);
  const run = facts.runs.find(({ number }) => number === order?.runs.at(-1));
  const below = order ? belowOf(row, order) : [];
  const direct = order?.direct ?? null;
  return {
    repository: `https://${queue.host}/${queue.owner}/${queue.name}`,
    branch: queue.branch,
    mergedAt: row.landedAt.toISOString(),
    signedAt: signedAt.toISOString(),
    before: row.below,
    after: row.commit,
    tree: row.tree,
    pullRequest: { number: row.number, head: row.head },
    ...(below.length > 0 && { below }),
    merge: { method: order?.mergeMethod ?? queue.mergeMethod, git },
    test: run && direct === null ? testOf(run, facts) : null,
    ...(direct !== null && { direct: { statuses: statusesOf(row.head, direct.requiredStatuses, facts) } }),
    approvedBy: row.approvedBy ?? [],
    demandsUnmet: (row.unmet ?? []).map(({ words }) => words),
    demandsSeenAt: row.observedAt?.toISOString() ?? null,
    settings: settingsOf(queue),
    service,
  };
}

/** A pull request ahead of it counts if both merged at once. */
function belowOf({ number }: UnsignedMerge, { changes, below }: OrderedLanding): readonly StatedBelow[] {
  const place = changes.findIndex((change) => change.number === number);
  const before = new Set(changes.slice(0, Math.max(place, 0)).map((change) => change.number));
  return (below?.[String(number)] ?? [])
    .filter(({ ahead }) => ahead === undefined || before.has(ahead))
    .map(({ commit, landed }) => ({ commit, merged: landed && { before: landed.below, after: landed.commit } }));
}

function testOf(run: ProvingRun, facts: LandingFacts): StatedTest {
  const { number, commit, tree, pullRequests, requiredStatuses: required, testedCommit, reused } = run;
  const statuses = statusesOf(testedCommit, required, facts);
  const test = { run: number, commit: testedCommit ?? commit, tree, pullRequests, required, statuses };
  return reused ? { ...test, reused: true } : test;
}

/** Required statuses come first. */
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

function settingsOf(queue: UnstatedQueue): StatedSettings {
  const { mode, scheduling, batch, concurrency, pendingFailureDepth } = queue;
  const { canOptimisticallyMerge: optimistic, directMergeMode: directMerges } = queue;
  return { mode, scheduling, batch, concurrency, pendingFailureDepth, optimistic, directMerges };
}
