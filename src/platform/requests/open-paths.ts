/** The only paths that answer without a token. The list is fixed: an extension cannot add to it. */
const OPEN_PATHS = ['/docs', '/openapi.json', '/healthz', '/readyz', '/ui/sign-in', '/ui/sign-in-link'] as const;
const OPEN_FOLDERS = ['/docs/', '/ui/assets/'] as const;
/** Webhooks of a kind of code host: `/webhooks/<kind>/<host>`, or its first host without `<host>`. */
const WEBHOOKS = /^\/webhooks\/[a-z][a-z0-9-]*(\/[^/]+)?$/;

/** Compares literally: a path that is merely similar needs a token. */
export function isOpenPath(path: string): boolean {
  if (OPEN_PATHS.some((open) => path === open)) return true;
  return OPEN_FOLDERS.some((folder) => path.startsWith(folder)) || WEBHOOKS.test(path);
}

/** Pages for browsers. They are not open: a session identifies the caller instead of a token. */
export function isPagePath(path: string): boolean {
  return path === '/ui' || path.startsWith('/ui/');
}

/** Outside the prefix, for Prometheus: metrics of the process, and of the queues and tests that the token may see. */
export const METRICS_PATHS: readonly string[] = ['/metrics', '/metrics/queues', '/metrics/tests'];
