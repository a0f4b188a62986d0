import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../code-hosts/code-host.registry';
import type { AttestationKey, Attestation } from '../../generated/prisma/client';
import type { Caller } from '../../platform/requests/caller';
import { PrismaService } from '../../platform/database/prisma.service';
import { type Statements, statementsIn } from '../../platform/database/statements';
import { DomainError } from '../../platform/errors/domain-error';
import { parseRepositoryPath } from '../../platform/repository-name';
import { noSuchRepository, QueueLocator } from '../shared/queue-locator';
import type { RepositoryReference } from '../shared/repository-reference.dto';
import { answerOfHost } from '../shared/host-answer';
import type {
  AttestationBundleQuery,
  AttestationItem,
  AttestationKeyItem,
  AttestationKeysAnswer,
  AttestationsAnswer,
  AttestationsQuery,
} from './dto/attestations.dto';
import { KEYS_FILE, statementFile } from './bundle-files';
import { asSigstoreBundle } from './statement/envelope';
import { PAYLOAD_TYPE } from './statement/landing-statement';
import type { HostRepository } from '../../domain/host-repository';

const ON_A_PAGE = 100;
/** The next bundle begins with the statement after the last one of this bundle. */
const MOST_IN_A_BUNDLE = 10_000;
/** The limit is this long because heads of pull requests may have to be fetched first. */
const LIMIT_MS = 10 * 60_000;

type StoredStatement = Pick<
  Attestation,
  'branch' | 'number' | 'head' | 'commit' | 'landedAt' | 'payload' | 'digest' | 'keyId' | 'signature'
>;

interface AskedStatements extends Pick<AttestationsQuery, 'commit' | 'targetBranch' | 'cursor'> {
  readonly repo: RepositoryReference;
}

/** The caller removes the file. */
export interface BundleFile {
  readonly path: string;
  remove(): Promise<void>;
}

@Injectable()
export class AttestationsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly locator: QueueLocator,
    private readonly hosts: CodeHostRegistry,
  ) {}

  /** Errors: REPOSITORY_NOT_FOUND. */
  list(caller: Caller, { repo, repoHost, ...asked }: AttestationsQuery): Promise<AttestationsAnswer> {
    return this.of(caller, { repo: repositoryIn(repo, repoHost), ...asked });
  }

  /** Statements about a commit, a branch, or both. Errors: REPOSITORY_NOT_FOUND. */
  async of(caller: Caller, asked: AskedStatements): Promise<AttestationsAnswer> {
    const repository = await this.locator.repository(caller, asked.repo);
    const { commit = null, targetBranch = null, cursor } = asked;
    const below = cursor === undefined ? null : Number(cursor);
    const rows = await this.prisma.$queryRaw<StoredStatement[]>`/* attestations.service of */
      SELECT a.* FROM "Attestation" a
      WHERE a."repositoryId" = ${repository.id}::uuid
        AND (${targetBranch}::text IS NULL OR a."branch" = ${targetBranch}::text)
        AND (${commit}::text IS NULL OR a."commit" = lower(${commit}::text) OR a."head" = lower(${commit}::text)
          OR a."layers" @> ARRAY[lower(${commit}::text)])
        AND (${below}::bigint IS NULL OR a."number" < ${below}::bigint)
      ORDER BY a."number" DESC, a."branch" LIMIT ${ON_A_PAGE + 1}`;
    const items = rows.slice(0, ON_A_PAGE);
    const last = items.at(-1);
    return { items: items.map(itemOf), nextCursor: rows.length > ON_A_PAGE && last ? String(last.number) : null };
  }

  async keys(): Promise<AttestationKeysAnswer> {
    return { keys: await listKeys(statementsIn(this.prisma)) };
  }

  /**
   * A file with statements, keys and the heads of pull requests, with which `sluice verify` works without the service.
   * Errors: REPOSITORY_NOT_FOUND, ATTESTATION_NOT_FOUND, UPSTREAM_ERROR.
   */
  async bundle(caller: Caller, query: AttestationBundleQuery): Promise<BundleFile> {
    const { targetBranch, from = 1 } = query;
    const repository = await this.locator.repository(caller, repositoryIn(query.repo, query.repoHost));
    const rows = await this.prisma.$queryRaw<StoredStatement[]>`/* attestations.service bundle */
      SELECT a.* FROM "Attestation" a
      WHERE a."repositoryId" = ${repository.id}::uuid AND a."branch" = ${targetBranch} AND a."number" >= ${from}
      ORDER BY a."number" LIMIT ${MOST_IN_A_BUNDLE}`;
    const newest = rows.at(-1);
    if (newest === undefined) {
      throw new DomainError(
        'ATTESTATION_NOT_FOUND',
        `There is no attestation for ${targetBranch} from number ${from} on.`,
      );
    }
    const folder = await mkdtemp(join(tmpdir(), 'attestations-'));
    const file = { path: join(folder, 'bundle'), remove: () => rm(folder, { recursive: true, force: true }) };
    try {
      await this.write(repository, rows, newest.commit, file.path);
      return file;
    } catch (error) {
      await file.remove();
      throw error;
    }
  }

  private async write(
    repository: HostRepository,
    rows: readonly StoredStatement[],
    have: string,
    into: string,
  ): Promise<void> {
    const host = this.hosts.hostFor(repository.host);
    if (host?.writeBundle === undefined) {
      throw new DomainError('UPSTREAM_ERROR', `${repository.host} has no git commits to put into a bundle.`);
    }
    const files = new Map(rows.map((row) => [statementFile(row.number), JSON.stringify(bundleOf(row))]));
    files.set(KEYS_FILE, JSON.stringify(await this.keys()));
    const heads = [...new Set(rows.map(({ head }) => head))];
    const written = await answerOfHost(
      repository.host,
      () => host.writeBundle!({ repository, heads, have, files, into }),
      LIMIT_MS,
    );
    if (written.type === 'missing') {
      throw new DomainError('UPSTREAM_ERROR', `${repository.host} has lost the commit ${written.commit}.`);
    }
  }
}

function repositoryIn(repo: string, host: string): RepositoryReference {
  const path = parseRepositoryPath(repo);
  if (path === null) throw noSuchRepository({ host, owner: repo, name: '' });
  return { host, ...path };
}

function itemOf(row: StoredStatement): AttestationItem {
  const { number, branch: targetBranch, commit, head, landedAt, digest } = row;
  return { number, targetBranch, commit, head, mergedAt: landedAt.toISOString(), digest, bundle: bundleOf(row) };
}

function bundleOf({ payload, signature, keyId }: StoredStatement): object {
  const bytes = { payload: Buffer.from(payload), signature: Buffer.from(signature, 'base64') };
  return asSigstoreBundle({ payloadType: PAYLOAD_TYPE, keyId, ...bytes });
}

interface KeyRow extends Omit<AttestationKey, 'rotation'> {
  readonly rotation: object | null;
}

/** Newest first. */
async function listKeys(tx: Statements): Promise<AttestationKeyItem[]> {
  const rows = await tx.rows<KeyRow>`/* attestations.service listKeys */
    SELECT "id", "publicKey", "since", "until", "revokedFrom", "rotation" FROM "AttestationKey" ORDER BY "since" DESC, "id"`;
  return rows.map(({ id, publicKey, since, until, revokedFrom, rotation }) => ({
    ...{ id, publicKey, since: since.toISOString(), until: until?.toISOString() ?? null },
    ...{ revokedFrom: revokedFrom?.toISOString() ?? null, rotation },
  }));
}
