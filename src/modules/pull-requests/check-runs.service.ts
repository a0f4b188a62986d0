import { Injectable } from '@nestjs/common';
import { type Caller, repositoriesOf } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { DomainError } from '../../platform/errors/domain-error';
import { isUuid } from '../shared/text';
import type { CheckRunRecord } from './check-run.dto';

/** Commands of the built-in check runner, and their logs. */
@Injectable()
export class CheckRunsService {
  constructor(private readonly prisma: PrismaService) {}

  /** Errors: NOT_FOUND. */
  async read(caller: Caller, id: string): Promise<CheckRunRecord> {
    const where = { id, repository: repositoriesOf(caller) };
    const row = isUuid(id)
      ? await this.prisma.checkRun.findFirst({ where, omit: { log: true }, include: { repository: true } })
      : null;
    if (!row) throw noSuchCheckRun();
    const run = await this.prisma.testRun.findUnique({
      where: { id: row.testRunId },
      select: {
        number: true,
        queue: { select: { branch: true } },
        members: { select: { number: true }, orderBy: { position: 'asc' } },
      },
    });
    const { testRunId, sha, name, command, state, exitCode, repository } = row;
    return {
      id,
      repo: { host: repository.host, owner: repository.owner, name: repository.name },
      targetBranch: run?.queue.branch ?? null,
      testRunId,
      runNumber: run?.number ?? null,
      prNumbers: run?.members.map((member) => member.number) ?? [],
      ...{ sha, name, command, state, exitCode },
      startedAt: row.startedAt?.toISOString() ?? null,
      endedAt: row.endedAt?.toISOString() ?? null,
    };
  }

  /** The stored log. Errors: NOT_FOUND. */
  async log(caller: Caller, id: string): Promise<string> {
    const where = { id, repository: repositoriesOf(caller) };
    const row = isUuid(id) ? await this.prisma.checkRun.findFirst({ where, select: { log: true } }) : null;
    if (!row) throw noSuchCheckRun();
    return row.log;
  }
}

function noSuchCheckRun(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such check run. Logs are deleted some time after their test run.');
}
