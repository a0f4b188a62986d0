import type { DayPlan } from './plan';
import type { DayResult } from './simulated-day';
import { SimulatedDay } from './simulated-day';

/** The most attempts to make a day smaller. Playing a day takes some tenths of a second. */
const TRIES = 600;

export interface Shrunk {
  readonly plan: DayPlan;
  readonly result: DayResult;
}

/**
 * Finds a smaller day that fails in the same way. Leaves out events, and undoes settings and mishaps, as long as the
 * day still fails.
 */
export function shrink(failing: DayPlan, first: DayResult, plainest: DayPlan['settings']): Shrunk {
  const kind = kindOf(first);
  let so: Shrunk = { plan: failing, result: first };
  let tries = 0;
  const attempt = (plan: DayPlan): boolean => {
    if (tries++ >= TRIES) return false;
    const result = new SimulatedDay(plan).run();
    if (kindOf(result) !== kind) return false;
    so = { plan, result };
    return true;
  };
  for (let size = Math.ceil(so.plan.deeds.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < so.plan.deeds.length;) {
      const { deeds } = so.plan;
      if (!attempt({ ...so.plan, deeds: [...deeds.slice(0, from), ...deeds.slice(from + size)] })) from += size;
    }
  }
  for (const simpler of simplerPlans(plainest)) attempt(simpler(so.plan));
  return so;
}

function simplerPlans(plainest: DayPlan['settings']): readonly ((plan: DayPlan) => DayPlan)[] {
  const keys = Object.keys(plainest) as (keyof typeof plainest)[];
  const noNoise = (plan: DayPlan): DayPlan['noise'] =>
    Object.fromEntries(Object.keys(plan.noise).map((key) => [key, 0])) as unknown as DayPlan['noise'];
  const noCode = { bad: [], pairs: [], mends: [], conflicts: [], same: [], conflictsWithPushes: [] };
  return [
    (plan) => ({ ...plan, noise: noNoise(plan) }),
    ...(Object.keys(noCode) as (keyof typeof noCode)[]).map((key) => (plan: DayPlan) => ({
      ...plan,
      code: { ...plan.code, [key]: noCode[key] },
    })),
    ...keys.map((key) => (plan: DayPlan) => ({ ...plan, settings: { ...plan.settings, [key]: plainest[key] } })),
    (plan) => ({ ...plan, mode: 'single' }),
    (plan) => ({ ...plan, ci: { ...plan.ci, shortestMinutes: plan.ci.longestMinutes } }),
  ];
}

/**
 * The first problem of a day without the parts that differ between two days with the same kind of problem; null if the
 * day has no problem.
 */
export function kindOf({ problems }: DayResult): string | null {
  const [first] = problems;
  return first === undefined
    ? null
    : first
        .replace(/[0-9a-f]{7,}|\d+/g, '·')
        .split('\n')[0]!
        .slice(0, 60);
}

/** Prints the day in a form that a person can read. */
export function describe({ plan, result }: Shrunk): string {
  const { deeds, seed, noise, code, settings, ...others } = plan;
  const mishaps = Object.fromEntries(Object.entries(noise).filter(([, chance]) => chance > 0));
  return [
    `seed ${seed}, shrunk to ${deeds.length} events`,
    `settings ${JSON.stringify(settings)}`,
    `code ${JSON.stringify(code)}`,
    `noise ${JSON.stringify(mishaps)}`,
    `others ${JSON.stringify(others)}`,
    ...deeds.map((deed) => `  ${JSON.stringify(deed)}`),
    ...result.diary,
    ...result.problems,
  ].join('\n');
}
