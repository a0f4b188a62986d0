import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { stackOf } from '../../platform/lifecycle/work-pool';
import type { GitCommand } from './git-command';
import { GitHosts } from './git-hosts';
import { inTurn, isInTurn } from './in-turn';

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * EVERY_MS;
const MOST_LOOSE_OBJECTS = 5_000;
/** An order that has to fetch waits at most this long; git throws away what it has then, and the clone is as it was. */
const LIMIT_MS = 120_000;
/** In the clone: when it was last repacked, or tried to be. Instances with the same data folder share it. */
const MARK = 'repacked';

export type Upkeep = 'repacked' | 'small' | 'done today' | 'busy';

/**
 * Every candidate leaves loose objects in a clone, and too many slow git down. They are repacked once a day, and all of
 * them stay: nothing references a candidate, yet a later try pushes it.
 */
@Injectable()
export class CloneUpkeep implements OnApplicationBootstrap {
  private readonly logger = new Logger(CloneUpkeep.name);
  private readonly stop = new AbortController();
  private inHand?: Promise<void>;

  constructor(
    private readonly hosts: GitHosts,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('clones', async () => {
      this.stop.abort();
      await this.inHand;
    });
  }

  /** The clones that were used since the start, one after another. A call during another one joins it. */
  @BackgroundJob({ name: 'repacking of clones', everyMs: EVERY_MS })
  repackAll(): Promise<void> {
    this.inHand ??= this.repackEach().finally(() => (this.inHand = undefined));
    return this.inHand;
  }

  private async repackEach(): Promise<void> {
    for (const { directory, git } of this.hosts.openClones()) {
      if (this.stop.signal.aborted) return;
      try {
        await repackClone(directory, git, this.clock.now(), this.stop.signal);
      } catch (error) {
        if (!this.stop.signal.aborted) this.logger.warn(`${directory} was not repacked: ${stackOf(error)}`);
      }
    }
  }
}

/** Throws when git could not do it, or not in time. */
export async function repackClone(
  directory: string,
  git: GitCommand,
  now: Date,
  signal?: AbortSignal,
): Promise<Upkeep> {
  // Those who wait for their turn have an order in hand: this can wait for another hour.
  if (isInTurn(directory)) return 'busy';
  // One processor: the others are for orders.
  const here = git.with({ GIT_DIR: directory }, ['pack.threads=1']);
  if (now.getTime() - (await lastTime(directory)) < DAY_MS) return 'done today';
  if ((await countLooseObjects(here)) <= MOST_LOOSE_OBJECTS) return 'small';
  await writeFile(join(directory, MARK), now.toISOString());
  await removeHalfPacks(directory, now);
  const args = ['repack', '-a', '-d', '--keep-unreachable', '--quiet'];
  // git packs what nothing references only where a pack is already: a clone that has none takes two rounds.
  for (let round = 0; round < 2 && (await countLooseObjects(here)) > MOST_LOOSE_OBJECTS; round++) {
    await inTurn(directory, () => here.run(args, { limitMs: LIMIT_MS, signal }));
  }
  return 'repacked';
}

async function lastTime(directory: string): Promise<number> {
  const written = await readFile(join(directory, MARK), 'utf8').catch(() => '');
  const time = Date.parse(written);
  return Number.isNaN(time) ? -Infinity : time;
}

/** What a killed git left; nothing that is being written is a day old. */
async function removeHalfPacks(directory: string, now: Date): Promise<void> {
  const folder = join(directory, 'objects/pack');
  const names = await readdir(folder);
  for (const path of names.filter((name) => /^\.?tmp[-_]/.test(name)).map((name) => join(folder, name))) {
    const found = await stat(path).catch(() => null);
    if (found !== null && now.getTime() - found.mtimeMs > DAY_MS) await rm(path, { force: true });
  }
}

async function countLooseObjects(git: GitCommand): Promise<number> {
  const output = (await git.run(['count-objects'])).toString();
  return Number(/^(\d+) objects/.exec(output)?.[1] ?? 0);
}
