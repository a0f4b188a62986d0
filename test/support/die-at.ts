import { type CrashPoint, CrashPoints } from '../../src/platform/lifecycle/crash-points';
import type { World } from './world';

/** The process ends there: nothing after it happens. Answers how to end that. */
export function dieAt(world: World, point: CrashPoint): () => void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached === point) throw new Error(`died at ${reached}`);
  };
  return () => (crashPoints.reach = reach);
}

/** The same, for the first process that comes there. */
export function dieOnceAt(world: World, point: CrashPoint): void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached !== point) return;
    crashPoints.reach = reach;
    throw new Error(`died at ${reached}`);
  };
}
