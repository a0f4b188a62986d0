import { type CrashPoint, CrashPoints } from '../../src/platform/lifecycle/crash-points';
import type { World } from './world';

/** The process dies at that point: nothing after it happens. Returns a function that ends this. */
export function dieAt(world: World, point: CrashPoint): () => void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached === point) throw new Error(`died at ${reached}`);
  };
  return () => (crashPoints.reach = reach);
}

/** The same, for the first process that reaches the point. */
export function dieOnceAt(world: World, point: CrashPoint): void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached !== point) return;
    crashPoints.reach = reach;
    throw new Error(`died at ${reached}`);
  };
}
