/** SIGHUP means that the terminal was closed; the service stops as usual. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const IMPATIENT = 130;

/** Resolves at the first stop signal. The second signal ends the process at once. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) {
      process.once(signal, () => {
        for (const again of SIGNALS) process.on(again, () => process.exit(IMPATIENT));
        resolve();
      });
    }
  });
}
