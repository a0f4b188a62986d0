/** How often every process records that it runs. */
export const BEAT_EVERY_MS = 5_000;
/** After this time without a beat from any process, the service was down. */
export const DOWN_AFTER_MS = 2 * BEAT_EVERY_MS;
/** After this time without a beat a process counts as gone. */
export const GONE_AFTER_MS = 3 * BEAT_EVERY_MS;
