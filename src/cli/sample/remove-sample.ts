import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { changeRecorded } from '../../platform/audit/audit-log';
import { operator } from '../../platform/audit/audit-source';
import { SystemClock } from '../../platform/clock/clock';
import type { RepositoryName } from '../../platform/repository-name';
import { ApiClient } from '../api-client';
import { describeRepository } from '../arguments';
import { CliError } from '../cli-error';
import type { Database } from '../database-session';
import type { Terminal } from '../terminal';
import { deleteRepositoryRecords } from './delete-records';
import type { LocalService } from './local-service';
import { cancelSubmitted, sampleRepository } from './run-sample';
import { findOrganization, isSampleToken, makeToken, SAMPLE_ORGANIZATION } from './sample-records';
import { SAMPLE_BRANCH } from './sample-repository';

/** Removes everything that sample runs created on disk and in the database. The rows of the audit log stay. */
export async function removeSample(service: LocalService, prisma: Database, terminal: Terminal): Promise<void> {
  const repo = sampleRepository(service);
  const organization = await findOrganization(prisma);
  if (organization === null) return terminal.out('There is no sample to remove.\n');
  const { token } = await makeToken(prisma, organization.id);
  await deleteQueue(new ApiClient({ url: service.url, token }), repo);
  await removeFolder(service.gitHost.repositoryFolder(repo.owner, repo.name));
  const left = await removeRecords(prisma, organization.id, repo);
  terminal.out(`Removed the repository, the queue and the tokens of the sample.\n`);
  terminal.out(
    left === 0
      ? `Removed the organization ${SAMPLE_ORGANIZATION}.\n`
      : `The organization ${SAMPLE_ORGANIZATION} has other tokens, repositories or webhooks, so it stays.\n`,
  );
}

/** Removes a repository, and the folder of its owner unless that folder contains another repository. */
async function removeFolder(bare: string): Promise<void> {
  await rm(bare, { recursive: true, force: true });
  const isEmpty = await readdir(dirname(bare)).then(
    (names) => names.length === 0,
    () => false,
  );
  if (isEmpty) await rmdir(dirname(bare));
}

async function deleteQueue(api: ApiClient, repo: RepositoryName): Promise<void> {
  try {
    await cancelSubmitted({ api, repo });
    await api.post('deleteQueue', { repo, targetBranch: SAMPLE_BRANCH });
  } catch (error) {
    // An interrupted run or removal may have left no queue.
    const isGone = error instanceof CliError && ['MERGE_QUEUE_NOT_FOUND', 'REPOSITORY_NOT_FOUND'].includes(error.code);
    if (!isGone) throw error;
  }
}

/** Returns the number of records that the organization still has. An empty organization is deleted too. */
function removeRecords(prisma: Database, organizationId: string, repo: RepositoryName): Promise<number> {
  const about = { organizationId, at: new SystemClock().now(), by: operator(), from: {}, to: null };
  return prisma.$transaction(async (tx) => {
    const { host, owner, name } = repo;
    const repository = await tx.repository.findFirst({ where: { organizationId, host, owner, name } });
    if (repository !== null) {
      await requireNoTestResults(tx, repository.id);
      await deleteRepositoryRecords(tx, repository.id);
      const removed = {
        repositoryId: repository.id,
        action: 'repository.removed',
        subject: describeRepository(repo),
      } as const;
      await tx.$executeRaw(changeRecorded({ ...about, ...removed }));
    }
    const tokens = (await tx.apiToken.findMany({ where: { organizationId } })).filter((token) =>
      isSampleToken(token.name),
    );
    for (const { id, name: subject } of tokens) {
      await tx.apiToken.delete({ where: { id } });
      await tx.$executeRaw(changeRecorded({ ...about, repositoryId: null, action: 'token.revoked', subject }));
    }
    const where = { organizationId };
    const left =
      (await tx.apiToken.count({ where })) +
      (await tx.repository.count({ where })) +
      (await tx.webhook.count({ where }));
    if (left > 0) return left;
    await tx.organization.delete({ where: { id: organizationId } });
    const gone = { repositoryId: null, action: 'organization.removed', subject: SAMPLE_ORGANIZATION } as const;
    await tx.$executeRaw(changeRecorded({ ...about, ...gone }));
    return 0;
  });
}

/** Refuses to remove a repository with uploaded test results, because they do not come from the sample. */
async function requireNoTestResults(
  tx: Pick<Database, 'testCase' | 'testUpload'>,
  repositoryId: string,
): Promise<void> {
  const where = { repositoryId };
  if ((await tx.testCase.count({ where })) + (await tx.testUpload.count({ where })) === 0) return;
  throw new CliError('Somebody uploaded test results for the repository of the sample, so its records stay.');
}
