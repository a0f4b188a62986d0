import { Injectable } from '@nestjs/common';
import type { PushRequest } from '../../../domain/code-host.port';
import { Clock } from '../../../platform/clock/clock';
import { Config } from '../../../platform/config/config';
import { PrismaService } from '../../../platform/database/prisma.service';
import { newId } from '../../../platform/ids';
import { Wakeups } from '../../../platform/wakeups/wakeups';
import type { GitClone } from '../git-clone';
import type { TestingChecks } from '../git-host';
import { CheckStore } from './check-book';
import { readCiCommands } from './ci-commands';

/** Asks for the checks that a testing commit names, and takes them back when its run ends. */
@Injectable()
export class CheckRuns implements TestingChecks {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly prisma: PrismaService,
    private readonly book: CheckStore,
    private readonly wakeups: Wakeups,
  ) {}

  /** Before the push, so that a branch which the host has is a branch whose checks are known. Again: changes nothing. */
  async prepare(clone: GitClone, order: PushRequest): Promise<void> {
    if (this.config.checkRunner === 'off') return;
    const commands = await this.commandsOf(clone, order);
    if (commands.size === 0) return;
    const common = {
      repositoryId: order.repository.id,
      testRunId: order.testRunId,
      sha: order.commit,
      state: 'queued',
      createdAt: this.clock.now(),
    };
    const rows = [...commands].map(([name, command]) => ({ id: newId(), name, command, ...common }));
    await this.prisma.checkRun.createMany({ data: rows, skipDuplicates: true });
    this.wakeups.wake('checks');
  }

  async cancel(testRunId: string): Promise<void> {
    if (this.config.checkRunner === 'off') return;
    await this.book.cancel(testRunId, this.clock.now());
    this.wakeups.wake('checks');
  }

  private async commandsOf(clone: GitClone, order: PushRequest): Promise<ReadonlyMap<string, string>> {
    const path = `.${this.config.brand}/${this.config.brand}.yaml`;
    const [file] = await clone.read([`${order.commit}:${path}`]);
    const asked = readCiCommands(file?.type === 'blob' ? file.content.toString('utf8') : null);
    if (asked.type === 'commands') return asked.commands;
    // Nobody would ever report: every required status fails, and its log says why.
    const complaint = `printf '%s\\n' ${shellWord(`${path}: ${asked.problem}`)} >&2; exit 1`;
    return new Map(order.requiredStatuses.map((name) => [name, complaint]));
  }
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
