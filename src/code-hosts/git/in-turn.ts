const tails = new Map<string, Promise<unknown>>();

/** Runs the work after all earlier work with the same key in this process has ended. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(key, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}

/** Whether work with this key runs or waits. */
export function isInTurn(key: string): boolean {
  return tails.has(key);
}
