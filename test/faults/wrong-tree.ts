import { setTimeout as after } from 'node:timers/promises';
import { pastOfTarget } from './forges';
import type { Street } from './street';

const NOTICED_WITHIN_MS = 60_000;
const MERGES_WITHIN_MS = 60_000;
const LOOKED_EVERY_MS = 100;

interface WrongTree {
  readonly commit: string;
  readonly files: readonly string[];
}

interface Picture {
  readonly conditions: {
    readonly state: string;
    readonly partlyLanded: { readonly wrongTrees: readonly WrongTree[] } | null;
  };
}

/**
 * The code host merges a pull request without its file. The service has to pause the queue within a minute. Then
 * somebody restores the file and resumes the queue. Returns false if nothing was merged, or if this host cannot omit
 * files.
 */
export async function writeAnotherTree(street: Street): Promise<boolean> {
  const { forge } = street;
  if (forge.leaveOut === undefined) return false;
  const known = pastOfTarget(forge).length;
  forge.leaveOut(...street.filesToCome());
  const merged = await when(MERGES_WITHIN_MS, () => {
    const commits = pastOfTarget(forge).slice(known);
    return Promise.resolve(commits.length > 0 ? commits : null);
  });
  const mergedAt = performance.now();
  const noticed = await when(NOTICED_WITHIN_MS, async () => {
    const { conditions } = await street.ask<Picture>('getQueuePicture', {});
    return conditions.state === 'paused' && conditions.partlyLanded !== null ? conditions.partlyLanded : null;
  });
  forge.leaveOut();
  if (merged === null) return false;
  if (noticed === null) street.note(`${street.name}: a wrong tree was not noticed in ${NOTICED_WITHIN_MS / 1_000} s`);
  else street.noticedMs.push(performance.now() - mergedAt);
  for (const { commit } of pastOfTarget(forge).slice(known)) street.forgive(commit);
  const wrongTrees = noticed?.wrongTrees ?? [];
  for (const { commit } of merged)
    if (!wrongTrees.some((wrong) => wrong.commit === commit))
      street.note(`${street.name}: the wrong tree of ${commit} was not named`);
  street.bringBack(wrongTrees.flatMap(({ files }) => files));
  await street.ask('updateQueue', { state: 'running' });
  return true;
}

async function when<Found>(limitMs: number, look: () => Promise<Found | null>): Promise<Found | null> {
  for (const began = performance.now(); performance.now() - began < limitMs; await after(LOOKED_EVERY_MS)) {
    const found = await look();
    if (found !== null) return found;
  }
  return null;
}
