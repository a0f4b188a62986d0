/** The only paths that answer without a token. The list is fixed: an extension cannot add to it. */
const OPEN_PATHS = ['/docs', '/openapi.json', '/healthz', '/readyz', '/ui/sign-in', '/ui/sign-in-link'] as const;
const OPEN_FOLDERS = ['/docs/', '/ui/assets/'] as const;
/**
 * Webhooks of a kind of code host: `/webhooks/<kind>/<host>`. Without `<host>`, the first code host of the kind is
 * meant.
 */
const WEBHOOKS = /^\/webhooks\/[a-z][a-z0-9-]*(\/[^/]+)?$/;

/** Compares paths exactly: a path that is merely similar to an open path needs a token. */
export function isOpenPath(path: string): boolean {
  if (OPEN_PATHS.some((open) => path === open)) return true;
  return OPEN_FOLDERS.some((folder) => path.startsWith(folder)) || WEBHOOKS.test(path);
}

/** Pages for browsers. Pages are not open: a session identifies the caller instead of a token. */
export function isPagePath(path: string): boolean {
  return path === '/ui' || path.startsWith('/ui/');
}

/**
 * Paths without the prefix `/v1`, for Prometheus: metrics of the process, and metrics of the queues and tests that the
 * token may see.
 */
export const METRICS_PATHS: readonly string[] = ['/metrics', '/metrics/queues', '/metrics/tests'];
