import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { stackOf } from '../../platform/errors/stack-of';
import type { GitCommand } from './git-command';
import { GitHosts } from './git-hosts';
import { inTurn, isInTurn } from './in-turn';

const EVERY_MS = 3_600_000;
const DAY_MS = 24 * EVERY_MS;
const MOST_LOOSE_OBJECTS = 5_000;
/** The time limit of a repack, for which tasks that fetch have to wait. A stopped repack leaves the clone as it was. */
const LIMIT_MS = 120_000;
/**
 * A file in the clone whose time is the time of the last repack, finished or not. Instances with the same data folder
 * share the file.
 */
const MARK = 'repacked';

export type Upkeep = 'repacked' | 'small' | 'done today' | 'busy';

/**
 * Repacks clones once a day, because every candidate leaves loose objects, and many loose objects slow git down. A
 * repack keeps all objects: no ref points to a candidate, but a later attempt may still push it.
 */
@Injectable()
export class CloneUpkeep implements OnApplicationBootstrap {
  private readonly logger = new Logger(CloneUpkeep.name);
  private readonly stop = new AbortController();
  private inProgress?: Promise<void>;

  constructor(
    private readonly hosts: GitHosts,
    private readonly clock: Clock,
    private readonly lifecycle: Lifecycle,
  ) {}

  onApplicationBootstrap(): void {
    this.lifecycle.onDrain('clones', async () => {
      this.stop.abort();
      await this.inProgress;
    });
  }

  /**
   * Repacks the clones that were used since the start of the service, one after another. A second call waits for the
   * running call.
   */
  @BackgroundJob({ name: 'repacking of clones', everyMs: EVERY_MS })
  repackAll(): Promise<void> {
    this.inProgress ??= this.repackEach().finally(() => (this.inProgress = undefined));
    return this.inProgress;
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

/** Repacks a clone. Throws if git fails or takes too long. */
export async function repackClone(
  directory: string,
  git: GitCommand,
  now: Date,
  signal?: AbortSignal,
): Promise<Upkeep> {
  // A task is using the clone, and the repack can wait until the next hour.
  if (isInTurn(directory)) return 'busy';
  // The repack uses one thread, because the other CPUs are for tasks.
  const here = git.with({ GIT_DIR: directory }, ['pack.threads=1']);
  if (now.getTime() - (await lastTime(directory)) < DAY_MS) return 'done today';
  if ((await countLooseObjects(here)) <= MOST_LOOSE_OBJECTS) return 'small';
  await writeFile(join(directory, MARK), now.toISOString());
  await removeHalfPacks(directory, now);
  const args = ['repack', '-a', '-d', '--keep-unreachable', '--quiet'];
  // git packs unreferenced objects only if a pack already exists, so a clone without a pack takes two rounds.
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

/** Removes unfinished packs of a killed git process. A file that is older than a day is no longer being written. */
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
