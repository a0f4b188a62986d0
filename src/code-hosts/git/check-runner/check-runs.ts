import { Injectable } from '@nestjs/common';
import type { PushRequest } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { PrismaService } from '../../../platform/database/prisma.service';
import { storable } from '../../../platform/database/storable';
import { newId } from '../../../platform/ids';
import { MOST_YAML_BYTES } from '../../../platform/yaml';
import { Wakeups } from '../../../platform/wakeups/wakeups';
import type { GitClone } from '../git-clone';
import type { TestingChecks } from '../testing-checks';
import { readBlob } from '../files';
import { CheckModes } from '../check-modes';
import { CheckStore } from './check-store';
import { readCiCommands } from './ci-commands';
import { shellWord } from './namespaces';

/** Creates the check runs that a testing commit defines, and cancels them when its test run ends. */
@Injectable()
export class CheckRuns implements TestingChecks {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly prisma: PrismaService,
    private readonly store: CheckStore,
    private readonly wakeups: Wakeups,
    private readonly modes: CheckModes,
  ) {
    if (config.checkRunner !== 'off') this.problemOf = checksProblemOf;
  }

  readonly problemOf?: (configurationFile: string) => string | null;

  /**
   * Creates the check runs of a commit. Call this before the push, so that every pushed branch has its check runs. A
   * second call changes nothing.
   */
  async prepare(clone: GitClone, request: PushRequest): Promise<void> {
    if ((await this.modes.choose()).type !== 'runs') return;
    const commands = await this.commandsOf(clone, request);
    if (commands.size === 0) return;
    const common = {
      repositoryId: request.repository.id,
      testRunId: request.testRunId,
      sha: request.commit,
      state: 'queued',
      createdAt: this.clock.now(),
    };
    const rows = [...commands]
      .map((named) => storable(named))
      .map(([name, command]) => ({ id: newId(), name, command, ...common }));
    await this.prisma.checkRun.createMany({ data: rows, skipDuplicates: true });
    this.wakeups.wake('checks');
  }

  whyOff(): string | null {
    const mode = this.modes.present;
    return mode.type === 'refused' ? `The check runner is off: ${mode.why}. ${mode.wayOut}` : null;
  }

  async cancel(testRunId: string): Promise<void> {
    if (this.config.checkRunner === 'off') return;
    await this.store.cancel(testRunId, this.clock.now());
    this.wakeups.wake('checks');
  }

  private async commandsOf(clone: GitClone, request: PushRequest): Promise<ReadonlyMap<string, string>> {
    const path = `.${this.config.brand}/${this.config.brand}.yaml`;
    const file = await readBlob(clone, request.commit, path, MOST_YAML_BYTES);
    const asked = readCiCommands(file);
    if (asked.type === 'commands') return asked.commands;
    // If the commands cannot be read, no check would ever report. So for every required status, a command is run that
    // fails and writes the reason into its log.
    const complaint = `printf '%s\\n' ${shellWord(`${path}: ${asked.problem}`)} >&2; exit 1`;
    return new Map(request.requiredStatuses.map((name) => [name, complaint]));
  }
}

function checksProblemOf(configurationFile: string): string | null {
  const asked = readCiCommands(configurationFile);
  return asked.type === 'problem' ? asked.problem : null;
}
