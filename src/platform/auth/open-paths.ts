/** The only paths that answer without a token. The list is fixed: an extension cannot add to it. */
export const OPEN_PATHS = ['/docs', '/openapi.json', '/healthz', '/readyz', '/ui'] as const;
const OPEN_FOLDERS = ['/docs/', '/ui/', '/webhooks/'] as const;

/** Compares literally: a path that is merely similar needs a token. */
export function isOpenPath(path: string): boolean {
  return OPEN_PATHS.some((open) => path === open) || OPEN_FOLDERS.some((folder) => path.startsWith(folder));
}
