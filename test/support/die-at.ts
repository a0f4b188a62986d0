import { type CrashPoint, CrashPoints } from '../../src/platform/lifecycle/crash-points';
import type { World } from './world';

/**
 * Lets the process die whenever it reaches the point: nothing after the point happens. Returns a function after which
 * the process no longer dies there.
 */
export function dieAt(world: World, point: CrashPoint): () => void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached === point) throw new Error(`died at ${reached}`);
  };
  return () => (crashPoints.reach = reach);
}

/** Lets the process die only the first time that it reaches the point. */
export function dieOnceAt(world: World, point: CrashPoint): void {
  const crashPoints = world.app.get(CrashPoints);
  const reach = crashPoints.reach.bind(crashPoints);
  crashPoints.reach = (reached) => {
    if (reached !== point) return;
    crashPoints.reach = reach;
    throw new Error(`died at ${reached}`);
  };
}
