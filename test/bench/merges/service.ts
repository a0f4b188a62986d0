import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { register } from 'prom-client';
import { CodeHostRegistry } from '../../../src/code-hosts/code-host.registry';
import { createMergeQueue } from '../../../src/create-merge-queue';
import { HostInbox } from '../../../src/domain/code-host.port';
import { createOrganization } from '../../../src/platform/auth/organizations';
import { readConfig } from '../../../src/platform/config/read-config';
import { applyMigrations } from '../../../src/platform/migrations/migrations';
import { PrismaService } from '../../../src/platform/database/prisma.service';
import { newId } from '../../../src/platform/ids';
import { collectGarbageEarly } from '../../../src/platform/lifecycle/collect-early';
import { Submissions } from '../../../src/processing/decisions/submissions';
import { QueueCreationService } from '../../../src/modules/queues/queue-creation.service';
import type { LocatedQueue } from '../../../src/domain/located-queue';
import { HOST, OWNER, queueNamed, queueOf } from '../load/places';
import { SimulatedHostModule } from '../load/remote-host';
import type { Figures, Said, Told } from './messages';

/**
 * One process of the service as deployed, but without HTTP: requests arrive as messages. This file also runs in the
 * source tree of the earlier version, so it only uses exports that the earlier version has, too.
 */
const QUEUE = { requiredStatuses: ['tests'], concurrency: 1, batch: false };
const STATUS = { kind: 'status', name: 'tests', state: 'success', url: null, description: null } as const;

/**
 * The most requests that are handled at a time. Connections are left for workers, as the route limits ensure in a
 * deployment.
 */
const PLACES = 4;

let app: INestApplication;
let sign = (): Promise<void> => Promise.reject(new Error('Merges are signed by themselves.'));
let queues: readonly LocatedQueue[];
let free = PLACES;
const waiting: (() => void)[] = [];

process.on('message', (told: Told) => {
  follow(told).catch((error: Error) => say({ type: 'failed', message: error.stack ?? error.message }));
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => void app.close().then(() => process.exit(0)));

async function follow(told: Told): Promise<void> {
  switch (told.type) {
    case 'open':
      await open(told.database === 'new' ? told.queues : 0, told.signs);
      return say({ type: 'open' });
    case 'submit':
      return inPlace(() => submit(queues[told.queue]!, told.number));
    case 'passed':
      return inPlace(() => pass(queues[told.queue]!, told.commit));
    case 'sign':
      await sign();
      return say({ type: 'signed' });
    case 'figures':
      return say({ type: 'figures', figures: await readFigures() });
  }
}

async function open(queuesToMake: number, signs: boolean): Promise<void> {
  collectGarbageEarly();
  const config = readConfig();
  if (queuesToMake > 0) await applyMigrations(config.databaseUrl!);
  app = await createMergeQueue({ config, extensions: [SimulatedHostModule] });
  if (!signs) sign = takeSigning();
  await app.init();
  const prisma = app.get(PrismaService);
  if (queuesToMake > 0) await makeQueues(queuesToMake);
  const rows = await prisma.queue.findMany({ include: { repository: true } });
  queues = rows
    .map(
      (row) =>
        ({ id: row.id, branch: row.branch, mergeMethod: methodOf(row), repository: row.repository }) as LocatedQueue,
    )
    .sort((a, b) => queueNamed(a.repository.name) - queueNamed(b.repository.name));
}

/** In the earlier version, the row of a queue may have a column for each setting. */
function methodOf(row: object): string | undefined {
  const { mergeMethod, settings } = row as {
    readonly mergeMethod?: string;
    readonly settings?: { mergeMethod: string };
  };
  return mergeMethod ?? settings?.mergeMethod;
}

type Attestations = typeof import('../../../src/modules/attestations/attestation-keeper');

/** Not called in the earlier version, which has no signed statements. */
function takeSigning(): () => Promise<void> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { AttestationKeeper } = require('../../../src/modules/attestations/attestation-keeper') as Attestations;
  const keeper = app.get(AttestationKeeper, { strict: false });
  const own = keeper.sign.bind(keeper);
  keeper.sign = () => Promise.resolve();
  return own;
}

async function makeQueues(count: number): Promise<void> {
  const { id, slug } = await createOrganization(app.get(PrismaService), { slug: OWNER }, new Date());
  const caller = { organizationId: id, organizationSlug: slug, tokenId: newId(), tokenName: 'bench', role: 'admin' };
  const may = { capabilities: [], repositoryIds: null, bestPriority: null, address: null };
  for (let queue = 0; queue < count; queue++)
    await app.get(QueueCreationService).create({ ...caller, ...may }, { ...queueOf(queue), ...QUEUE });
}

async function inPlace(request: () => Promise<void>): Promise<void> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free--;
  try {
    await request();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

async function submit(queue: LocatedQueue, number: number): Promise<void> {
  const host = app.get(CodeHostRegistry).hostFor(HOST)!;
  const seen = await host.readPullRequest(queue.repository, number, queue.branch, queue.mergeMethod);
  const result = await app.get(Submissions).submit(queue, seen!, {}, { via: 'api', actor: 'bench' });
  if (result.type !== 'decided') throw new Error(`#${number} was not taken: ${JSON.stringify(result)}`);
}

async function pass({ repository }: LocatedQueue, sha: string): Promise<void> {
  const report = { ...STATUS, repositoryId: repository.id, sha, hostTime: new Date(), hostId: '1' };
  await app.get(HostInbox).append(HOST, newId(), { type: 'status_reported', report });
}

async function readFigures(): Promise<Figures> {
  const { values } = await register.getSingleMetric('sluice_decision_duration_seconds')!.get();
  const sumOf = (name: string): number =>
    values
      .filter((one) => (one as { metricName?: string }).metricName === `sluice_decision_duration_seconds_${name}`)
      .reduce((sum, { value }) => sum + value, 0);
  return { decisions: sumOf('count'), decisionSeconds: sumOf('sum') };
}

function say(said: Said): void {
  process.send!(said);
}
