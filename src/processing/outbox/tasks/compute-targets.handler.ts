import { Injectable, Logger } from '@nestjs/common';
import type { ComputeTargets, ImpactedTargets } from '../../../domain/impacted-targets';
import { Config } from '../../../platform/config/config';
import { CrashPoints } from '../../../platform/lifecycle/crash-points';
import { TaskHandler, type TaskContext } from '../task';
import type { TaskOutcome } from '../task-outcomes';
import {
  type ComputedHead,
  ComputedTargetsStore,
  type HeadToCompute,
  type TargetsInForce,
} from './computed-targets.store';
import { type ConfigurationFile, configurationPath, readConfiguration } from './configuration-file';
import { type FileTargets, impactOf } from './targets-of-file';

/** The maximum number of changed files: a pull request with more files than people review impacts everything. */
const MOST_FILES = 10_000;
/**
 * The maximum number of heads per task. The queue decides once the targets of these heads are computed, and another
 * task computes the rest.
 */
const HEADS_AT_ONCE = 50;
/** The maximum number of entries in test that are read: more than there may be. */
const MOST_IN_FLIGHT = 1_000;

const ALL: ImpactedTargets = { all: true, names: [] };

/** Facts that are stored before the targets, because a later attempt could not find them out any more. */
interface Notes {
  readonly numbers: readonly number[];
  readonly isChanged: boolean;
}

/** The configuration file at the target's tip, and the targets that were in force until now. */
interface Reading {
  readonly tip: string;
  readonly file: ConfigurationFile;
  readonly inForce: TargetsInForce;
}

/**
 * Computes impacted targets from the files that a pull request changes. Only the configuration file on the target
 * counts, so that no pull request waives its own targets. A pull request that changes the configuration file impacts
 * everything.
 */
@Injectable()
export class ComputeTargetsHandler extends TaskHandler<ComputeTargets> {
  readonly type = 'computeTargets';
  readonly repeat = 'ensures';
  private readonly logger = new Logger(ComputeTargetsHandler.name);

  constructor(
    private readonly targets: ComputedTargetsStore,
    private readonly config: Config,
    private readonly crashPoints: CrashPoints,
  ) {
    super();
  }

  async carryOut(task: TaskContext<ComputeTargets>): Promise<TaskOutcome | null> {
    // The tip is read from the host, because the queue may not have seen the commits on which a new pull request is
    // based.
    const tip = (await task.host.readBranch(task.repository, task.targetBranch))?.commit;
    if (tip === undefined) return null;
    const earlier = (task.notes ?? { numbers: [], isChanged: false }) as Notes;
    const before = await this.targets.inForce(task.queueId);
    const reading = await this.read(task, tip, before);
    const isChanged = earlier.isChanged || isOther(before, reading.inForce);
    if (isChanged) await task.remember({ ...earlier, isChanged });
    await this.putInForce(task, reading, before);
    this.crashPoints.reach('targets in force');
    const { heads, more } = await this.headsLacking(
      task,
      reading,
      isChanged || task.command.all ? null : task.command.numbers,
    );
    const numbers = [...new Set([...task.command.numbers, ...earlier.numbers, ...heads.map(({ number }) => number)])];
    if (heads.length > 0) {
      const computed = await this.computeEach(task, reading, heads);
      await task.remember({ numbers, isChanged });
      await this.targets.save(task.queueId, reading.inForce.key ?? '', computed);
      this.crashPoints.reach('targets stored');
    }
    if (numbers.length === 0 && !isChanged) return null;
    return { event: { type: 'targetsComputed', numbers, more }, observed: [] };
  }

  /** No outcome: the next move of the target, or the next push to the pull request, requests the computation again. */
  giveUp(): null {
    return null;
  }

  private async read(task: TaskContext<ComputeTargets>, tip: string, before: TargetsInForce | null): Promise<Reading> {
    const { host, repository } = task;
    const file: ConfigurationFile = host.listChangedFiles
      ? await readConfiguration(task, tip, this.config.brand)
      : { type: 'readable', statuses: [], targets: null };
    const isMoved = before !== null && before.commit !== tip;
    // After a reset of the target, the commits between the two tips are part of every pull request that is based on
    // them, so all targets are computed again.
    const isRewritten = isMoved && !(await host.containsCommit(repository, tip, before.commit));
    const rewrittenAt = isRewritten ? tip : (before?.rewrittenAt ?? null);
    if (file.type === 'unreadable') {
      return { tip, file, inForce: { commit: tip, key: before?.key ?? null, rewrittenAt, problem: file.problem } };
    }
    const key = file.targets && [file.targets.key, ...(rewrittenAt === null ? [] : [rewrittenAt])].join('@');
    return { tip, file, inForce: { commit: tip, key, rewrittenAt, problem: null } };
  }

  private async putInForce(
    task: TaskContext<ComputeTargets>,
    reading: Reading,
    before: TargetsInForce | null,
  ): Promise<void> {
    const { key, commit } = reading.inForce;
    if (before !== null && before.commit === commit && !isOther(before, reading.inForce)) return;
    const heads =
      key === null || key === before?.key
        ? []
        : await this.targets.lacking(task.queueId, { key, numbers: null, atMost: MOST_IN_FLIGHT });
    const inFlight = heads.filter((head) => head.inFlight);
    await this.targets.putInForce(task.queueId, reading.inForce, await this.computeEach(task, reading, inFlight));
  }

  private async headsLacking(
    { queueId }: TaskContext<ComputeTargets>,
    { file, inForce }: Reading,
    numbers: readonly number[] | null,
  ): Promise<{ readonly heads: readonly HeadToCompute[]; readonly more: boolean }> {
    if (file.type === 'readable' && file.targets === null) return { heads: [], more: false };
    const wanted = { key: inForce.key ?? '', numbers, atMost: HEADS_AT_ONCE + 1 };
    const heads = await this.targets.lacking(queueId, wanted);
    // While the configuration file cannot be read, heads that do not change it get no targets. Such heads must not
    // count as remaining, or tasks would find them again for ever.
    const more = heads.length > HEADS_AT_ONCE && file.type === 'readable';
    return { heads: heads.slice(0, HEADS_AT_ONCE), more };
  }

  private async computeEach(
    task: TaskContext<ComputeTargets>,
    reading: Reading,
    heads: readonly HeadToCompute[],
  ): Promise<readonly ComputedHead[]> {
    const computed: ComputedHead[] = [];
    for (const head of heads) {
      const impacted = await this.impactOfHead(task, reading, head);
      if (impacted !== null) computed.push({ ...head, impacted });
    }
    return computed;
  }

  /** The impact of a head; null if it is unknown because the configuration file cannot be read. */
  private async impactOfHead(
    { host, repository }: TaskContext<ComputeTargets>,
    { tip, file }: Reading,
    { number, sha }: HeadToCompute,
  ): Promise<ImpactedTargets | null> {
    const asked = { base: tip, head: sha, mostFiles: MOST_FILES };
    const paths = (await host.listChangedFiles?.(repository, asked)) ?? 'unknown';
    if (typeof paths === 'string' || paths.includes(configurationPath(this.config.brand))) return ALL;
    if (file.type === 'unreadable') return null;
    return file.targets === null ? ALL : this.compare(file.targets, paths, number);
  }

  private async compare(targets: FileTargets, paths: readonly string[], number: number): Promise<ImpactedTargets> {
    const found = await impactOf(targets, paths);
    if (found.type === 'told') return found.impacted;
    this.logger.warn(
      `The globs of targets are too costly to compare with the files of #${number}, so it impacts everything.`,
    );
    return ALL;
  }
}

/** Whether other targets are in force now, or the configuration file broke or was fixed. */
function isOther(before: TargetsInForce | null, { key, problem }: TargetsInForce): boolean {
  return before === null || before.key !== key || before.problem !== problem;
}
