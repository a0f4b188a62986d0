/** How often every process writes down that it runs. */
export const BEAT_EVERY_MS = 5_000;
/** After so long without a beat of any process none ran. */
export const DOWN_AFTER_MS = 2 * BEAT_EVERY_MS;
/** After so long without a beat a process counts as gone. */
export const GONE_AFTER_MS = 3 * BEAT_EVERY_MS;
