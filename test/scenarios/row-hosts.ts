import type { World } from '../support/world';
import { forgeRowHost, ROW_FORGES } from './forge-row-host';
import { gitRowHost } from './git-row-host';
import { memoryRowHost } from './memory-row-host';
import type { RowHost } from './row-host';

export const ROW_HOSTS = ['memory', 'git', 'github', 'gitea', 'gitlab'] as const;

/** The code host of a world, with the actions that rows need. */
export function rowHostOf(world: World): RowHost {
  const { kind } = world;
  if (kind === 'memory') return memoryRowHost(world.memoryHost);
  if (kind === 'git') return gitRowHost(world.git);
  return forgeRowHost(ROW_FORGES[kind], world);
}
