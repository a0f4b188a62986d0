import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../../platform/clock/clock';
import { childEnvironment } from '../../platform/config/child-environment';
import { Config } from '../../platform/config/config';
import { DatabaseOutage } from '../../platform/database/database-outage';
import { PrismaService } from '../../platform/database/prisma.service';
import { type Statements, statementsIn } from '../../platform/database/statements';
import { BackgroundJob } from '../../platform/lifecycle/background-job';
import { Lifecycle } from '../../platform/lifecycle/lifecycle';
import { MetricSources } from '../../platform/metrics/metric-sources';
import { runProgram } from '../../platform/processes/run-program';
import { serviceVersion } from '../../platform/service-version';
import { landingOf, type LandingFacts, mergesStated } from './landings-stated';
import {
  countUnstated,
  type UnsignedMerge,
  readLanded,
  readOrders,
  readProvingRuns,
  readReported,
  readUnstatedQueues,
  type UnstatedQueue,
} from './read-landings';
import { SigningKeys } from './signing-keys';
import { type SigningKey, signed } from './statement/envelope';
import { payloadDigest, PAYLOAD_TYPE, payloadOf } from './statement/landing-statement';

const EVERY_MS = 5_000;
const AT_ONCE = 100;
/** The number that distinguishes these locks from all other advisory locks of the database. */
const BRANCH_LOCKS = 0x61_74_74_73;

interface Chain {
  readonly number: number;
  readonly digest: string | null;
  /** LandedChange.seq of the queue's newest signed merge. */
  readonly landedSeq: number;
}

/**
 * Looks every few seconds for new merges, and stores a signed statement about each. Decisions do not wait for a
 * statement. If the process dies before it stores the statements, the next run signs the same merges.
 */
@Injectable()
export class AttestationKeeper implements OnApplicationBootstrap {
  private readonly logger = new Logger(AttestationKeeper.name);
  private inProgress?: Promise<void>;
  private git?: Promise<string>;
  private toldOf = '';

  constructor(
    private readonly prisma: PrismaService,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly outage: DatabaseOutage,
    private readonly lifecycle: Lifecycle,
    private readonly metrics: MetricSources,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.register('attestations', async (registry) => {
      const help = 'Merges that have no signed statement yet.';
      new Gauge({ name: 'sluice_unsigned_merges', help, registers: [registry] }).set(
        await countUnstated(statementsIn(this.prisma)),
      );
    });
    this.lifecycle.onDrain('attestations', async () => this.inProgress);
  }

  /** Signs all new merges. A call during a run joins that run. */
  @BackgroundJob({ name: 'attestations', everyMs: EVERY_MS })
  sign(): Promise<void> {
    this.inProgress ??= this.signAll().finally(() => (this.inProgress = undefined));
    return this.inProgress;
  }

  private async signAll(): Promise<void> {
    const queues = await readUnstatedQueues(statementsIn(this.prisma));
    if (queues.length === 0) return;
    const usable = await this.keys.usable();
    if (usable.type === 'another') return this.tellOfKey(usable.current);
    for (const queue of queues) {
      if (this.lifecycle.isStopping) return;
      try {
        await this.prisma.$transaction((tx) => this.signQueue(statementsIn(tx), queue, usable.key));
      } catch (error) {
        // The loop continues with the other queues, and the next run retries this queue.
        this.outage.report(this.logger, `Merges into ${queue.branch} of queue ${queue.id} could not be signed`, error);
      }
    }
  }

  private async signQueue(tx: Statements, queue: UnstatedQueue, key: SigningKey): Promise<void> {
    const name = `${queue.repositoryId} ${queue.branch}`;
    const [lock] = await tx.rows<{ is: boolean }>`/* attestation-keeper signQueue */
      SELECT pg_try_advisory_xact_lock(${BRANCH_LOCKS}, hashtext(${name})) AS "is"`;
    // Another process is signing for this branch.
    if (!lock?.is) return;
    const chain = await readChain(tx, queue);
    const landed = await readLanded(tx, queue, chain.landedSeq, AT_ONCE);
    if (landed.length === 0) return;
    const facts = await this.read(tx, queue, landed);
    let { number, digest: previous } = chain;
    const rows = mergesStated(landed, AT_ONCE).map((merge) => {
      number += 1;
      const row = merge.top;
      const payload = payloadOf({ ...landingOf(merge, facts), number, previous });
      const { signature } = signed(PAYLOAD_TYPE, payload, key);
      previous = payloadDigest(payload);
      return {
        ...{ number, landedSeq: row.seq, head: row.head, commit: row.commit, landedAt: row.landedAt.toISOString() },
        layers: merge.layers.flatMap(({ head, commit }) => [head, commit]),
        ...{ payload, digest: previous, keyId: key.id, signature: signature.toString('base64') },
      };
    });
    await tx.execute`/* attestation-keeper signQueue 2 */
      INSERT INTO "Attestation" ("repositoryId", "branch", "number", "queueId", "landedSeq", "head", "commit", "layers", "landedAt",
        "payload", "digest", "keyId", "signature")
      SELECT ${queue.repositoryId}::uuid, ${queue.branch}, r."number", ${queue.id}::uuid, r."landedSeq", r."head", r."commit", r."layers",
        r."landedAt", r."payload", r."digest", r."keyId", r."signature"
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("number" int, "landedSeq" bigint, "head" text, "commit" text,
        "layers" text[], "landedAt" timestamptz, "payload" text, "digest" text, "keyId" text, "signature" text)`;
  }

  private async read(tx: Statements, queue: UnstatedQueue, landed: readonly UnsignedMerge[]): Promise<LandingFacts> {
    const landings = new Set(landed.flatMap(({ landing }) => landing ?? []));
    const orders = await readOrders(tx, queue.id, [...landings]);
    const runs = await readProvingRuns(
      tx,
      queue.id,
      orders.flatMap((order) => order.runs.at(-1) ?? []),
    );
    const direct = landed.filter(({ landing }) => orders.some((order) => order.landing === landing && order.direct));
    const tested = [...runs.flatMap(({ testedCommit }) => testedCommit ?? []), ...direct.map(({ head }) => head)];
    const reported = tested.length === 0 ? [] : await readReported(tx, queue.repositoryId, tested);
    const service = { name: this.config.brand, version: serviceVersion() };
    this.git ??= versionOfGit();
    return { queue, orders, runs, reported, git: await this.git, service, signedAt: this.clock.now() };
  }

  /** Logs each missing key once, because it stays missing until an operator acts. */
  private tellOfKey(current: string): void {
    if (this.toldOf === current) return;
    this.toldOf = current;
    this.logger.warn(
      `Merges are not signed: the service signs with the key ${current.slice(0, 12)}, and this process has another key. ` +
        'Give all processes the same key in SLUICE_ATTESTATION_KEY_FILE, or rotate with `sluice attestation rotate-key`.',
    );
  }
}

/** Merges are numbered by queue, statements by branch, because a branch may have had several queues. */
async function readChain(tx: Statements, { id, repositoryId, branch }: UnstatedQueue): Promise<Chain> {
  const [row] = await tx.rows<Chain>`/* attestation-keeper readChain */
    SELECT coalesce(newest."number", 0) AS "number", newest."digest", coalesce((
        SELECT a."landedSeq" FROM "Attestation" a WHERE a."queueId" = ${id}::uuid ORDER BY a."landedSeq" DESC LIMIT 1), 0)::int AS "landedSeq"
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT a."number", a."digest" FROM "Attestation" a
      WHERE a."repositoryId" = ${repositoryId}::uuid AND a."branch" = ${branch} ORDER BY a."number" DESC LIMIT 1) newest ON true`;
  return row ?? { number: 0, digest: null, landedSeq: 0 };
}

async function versionOfGit(): Promise<string> {
  const { stdout } = await runProgram('git', ['--version'], { env: childEnvironment() });
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown';
}
