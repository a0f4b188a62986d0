import { Injectable } from '@nestjs/common';
import { FailedTestsReader, type PushedTestingBranch } from '../../domain/failed-tests.port';
import type { FailedTestsOfRun } from '../../engine/pull-request-view-facts';
import { PrismaService } from '../../platform/database/prisma.service';
import { failedTestsOf, uploadedRuns } from './storage/queries/failed-tests';

/**
 * Gives the queue the results that CI uploaded for its test runs, for comments and records that people read. No
 * decision depends on these results.
 */
@Injectable()
export class UploadedFailures extends FailedTestsReader {
  constructor(private readonly prisma: PrismaService) {
    super();
  }

  async of(repositoryId: string, runs: readonly PushedTestingBranch[]): Promise<ReadonlyMap<string, FailedTestsOfRun>> {
    const uploaded = runs.length === 0 ? [] : await uploadedRuns(this.prisma, repositoryId, runs);
    if (uploaded.length === 0) return new Map();
    const rows = await failedTestsOf(this.prisma, repositoryId, runs);
    return new Map(
      uploaded.map(({ branch, areMachinesLikely }) => {
        const own = rows.filter((row) => row.branch === branch);
        const tests = own.map(({ id, name, classname, parent, file, variant, status, quarantined, since, owners }) => ({
          ...{ id, name, classname, parent, file, variant, status, quarantined, owners },
          since: since.toISOString(),
        }));
        const said = own.flatMap(({ quarantined, message, stack }, index) =>
          quarantined || (message === '' && stack === '') ? [] : [{ test: tests[index]!, message, stack }],
        );
        return [branch, { total: own[0]?.total ?? 0, tests, areMachinesLikely, said }];
      }),
    );
  }
}
