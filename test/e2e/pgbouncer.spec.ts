import { setTimeout as after } from 'node:timers/promises';
import { findWrongLandings } from '../../src/cli/demo/target-proof';
import { createOrganization } from '../../src/platform/auth/organizations';
import { createToken } from '../../src/platform/auth/tokens';
import { connectPrisma } from '../../src/platform/database/prisma.service';
import { ApiClient } from '../support/api-client';
import { BareRepository } from '../support/bare-repository';
import { MovablePostgres } from '../support/movable-postgres';
import { describeWithPgBouncer, PgBouncer } from './stop/pgbouncer';
import { StartedService } from './stop/started-service';

const REPO = { host: 'local', owner: 'acme', name: 'widgets' };
const QUEUE = { repo: REPO, targetBranch: 'main' };
const NUMBERS = [1, 2, 3, 4, 5, 6];
/** Fewer connections than one process of the service opens. */
const SERVER_CONNECTIONS = 4;

describeWithPgBouncer('Two processes behind a real PgBouncer in transaction mode', () => {
  const services: StartedService[] = [];
  let world: BareRepository;
  let postgres: MovablePostgres;
  let pooler: PgBouncer;

  beforeAll(async () => {
    world = BareRepository.create();
    postgres = await MovablePostgres.create();
    await postgres.start();
    pooler = await PgBouncer.start(postgres.url, SERVER_CONNECTIONS);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await pooler.stop();
    await postgres.stop();
    world.close();
  });

  const log = () => services.map((service) => service.log()).join('\n');

  async function start(): Promise<StartedService> {
    const service = await StartedService.start({
      DATABASE_URL: pooler.url,
      PORT: '0',
      SLUICE_DATA_DIR: world.dataDirectory,
      SLUICE_HOSTS: JSON.stringify([{ host: 'local', kind: 'git', url: world.urlTemplate, pollSeconds: 1 }]),
      SLUICE_LOG_LEVEL: 'info',
    });
    services.push(service);
    return service;
  }

  async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 1_200; tries++) {
      if (await isSo()) return;
      await after(50);
    }
    throw new Error(`Never: ${what}\n${log()}`);
  }

  it('migrate an empty database, merge each pull request once, accept uploads, and survive an outage', async () => {
    // Both instances start at the same time, so that one of them migrates while the other waits.
    const [one, two] = await Promise.all([start(), start()]);
    const prisma = connectPrisma(pooler.url);
    const now = new Date();
    await createOrganization(prisma, { slug: 'acme' }, now);
    const { token } = await createToken(prisma, { organizationSlug: 'acme', name: 'test', role: 'admin' }, now);
    await prisma.$disconnect();
    const apis = [new ApiClient(one.url, token), new ApiClient(two.url, token)] as const;
    const [api] = apis;

    const settings = { requiredStatuses: ['test'], concurrency: 3 };
    await api.mustPost('createQueue', { ...QUEUE, ...settings });
    for (const number of NUMBERS) world.openPullRequest(number, { [`${number}.txt`]: `${number}\n` });
    const askFor = (number: number) => apis[number % 2]!;
    const submit = (number: number) => askFor(number).mustPost('submitPullRequest', { ...QUEUE, pr: { number } });
    const hasMerged = async (number: number): Promise<boolean> => {
      const pr = { ...QUEUE, pr: { number } };
      const { body } = await askFor(number).post<{ testBranchSha?: string }>('getMergeQueueTestingDetails', pr);
      if (body.testBranchSha) {
        const report = { repo: REPO, sha: body.testBranchSha, context: 'test', state: 'success' };
        await askFor(number).mustPost('reportStatus', report);
      }
      return (await askFor(number).mustPost<{ state: string }>('getSubmittedPullRequest', pr)).state === 'merged';
    };
    const allHaveMerged = async (numbers: readonly number[]) =>
      (await Promise.all(numbers.map(hasMerged))).every((merged) => merged);
    const [last, ...first] = NUMBERS.toReversed();

    await Promise.all(first.map(submit));
    await eventually('they have merged', () => allHaveMerged(first));
    const query = { repo: 'local/acme/widgets', org_url_slug: 'acme', commit: '1'.repeat(40) };
    await api.uploadReport(query, '<testsuite name="a"><testcase name="b" classname="C"/></testsuite>');
    // No instance found a prepared statement or a lock of another session.
    expect(log()).not.toMatch(/"level":"(warn|error|fatal)"/);

    await postgres.stop();
    // Each instance must notice the outage by its own request. A pooler holds requests for seconds, and answers them if
    // the database is back by then. So an instance may see no outage although a request of the other instance was
    // refused.
    await eventually('both refuse for now, and say why', async () => {
      const answers = await Promise.all(apis.map((each) => each.post('listQueues', {})));
      const haveSaid = services.every((service) => service.log().includes('The database does not answer'));
      return haveSaid && answers.every(({ status }) => status === 503);
    });
    await postgres.start();
    await eventually('both are ready', async () => {
      const seen = await Promise.all(services.map((service) => service.readiness()));
      return seen.every((answer) => answer !== 'refused' && answer.status === 200);
    });
    await submit(last!);
    await eventually('the last has merged', () => allHaveMerged([last!]));
    expect(await findWrongLandings(world.bare, 'main', NUMBERS)).toEqual([]);
    for (const service of services) {
      expect(service.log().match(/The database does not answer/g)).toHaveLength(1);
      expect(service.log().match(/The database answers again/g)).toHaveLength(1);
      expect(service.log()).not.toMatch(/"level":"(error|fatal)"/);
    }
  }, 180_000);
});
