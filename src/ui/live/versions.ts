import { createHash } from 'node:crypto';
import type { SeenQueue } from '../../modules/views/queue-changes';

/** The version of one queue, as a text. */
export function versionOfOne({ version }: Pick<SeenQueue, 'version'>): string {
  return String(version);
}

/**
 * One text for the versions of several queues, in any order. The text changes when a queue decides something, appears
 * or is deleted.
 */
export function versionOfAll(queues: readonly Pick<SeenQueue, 'repo' | 'targetBranch' | 'version'>[]): string {
  const lines = queues.map(({ repo: { host, owner, name }, targetBranch, version }) =>
    JSON.stringify([host, owner, name, targetBranch, version]),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url').slice(0, 16);
}
