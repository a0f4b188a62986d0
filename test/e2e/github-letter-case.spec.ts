import { CodeHostRegistry } from '../../src/code-hosts/code-host.registry';
import { createRepository, removeRepository } from '../../src/platform/auth/repositories';
import { createToken } from '../../src/platform/auth/tokens';
import { newId } from '../../src/platform/ids';
import { LookupNames } from '../../src/modules/shared/lookup-names';
import { GitHubTeam } from './github-team';

const OTHERWISE = { host: 'GitHub.Example', owner: 'Acme', name: 'WIDGETS' };

describe('a repository on GitHub with its name in another letter case', () => {
  let team: GitHubTeam;

  beforeAll(async () => {
    team = await GitHubTeam.start();
  });
  afterAll(() => team.close());

  const ask = (operation: string, more: object = {}) =>
    team.world.api.post(operation, { repo: OTHERWISE, targetBranch: 'main', ...more });
  const organization = () => team.world.prisma.organization.findUniqueOrThrow({ where: { slug: 'acme' } });
  const names = async (): Promise<readonly string[]> => {
    const rows = await team.world.prisma.repository.findMany({ orderBy: { createdAt: 'asc' } });
    return rows.map(({ owner, name, lookupName }) => `${owner}/${name} as ${lookupName}`);
  };

  it('is the same repository for the API: it has one queue, and its submissions merge', async () => {
    expect(await ask('createQueue')).toMatchObject({ status: 409, body: { error: { code: 'QUEUE_ALREADY_EXISTS' } } });
    const number = team.open();
    expect(await ask('submitPullRequest', { pr: { number } })).toMatchObject({ status: 200 });
    await team.world.settles();
    await team.finish(number);
    expect(await ask('getSubmittedPullRequest', { pr: { number } })).toMatchObject({ body: { state: 'merged' } });
    expect(await names()).toEqual(['acme/widgets as acme/widgets']);
  });

  it('has metrics under its registered name', async () => {
    const query = new URLSearchParams({ repo: 'ACME/widgets', repoHost: 'github.example' });
    const { prisma, clock, url } = team.world;
    const { token } = await createToken(
      prisma,
      { organizationSlug: 'acme', name: 'graphs', role: 'read' },
      clock.now(),
    );
    const asked = `${url}/v1/getMergeQueueMetrics?${query.toString()}`;
    const text = await (await fetch(asked, { headers: { 'x-api-token': token } })).text();
    expect(text).toContain('repo="acme/widgets"');
    expect(text).not.toContain('ACME');
  });

  it('cannot be registered a second time, and is removed under any spelling', async () => {
    const { prisma, clock, app } = team.world;
    const ignoring = app.get(CodeHostRegistry).hostsIgnoringCase();
    const gadgets = { organizationSlug: 'acme', host: OTHERWISE.host, owner: 'Acme', name: 'Gadgets' };
    await createRepository(prisma, gadgets, clock.now(), ignoring);
    const again = createRepository(prisma, { ...gadgets, name: 'gadgets' }, clock.now(), ignoring);
    await expect(again).rejects.toThrow('belongs to an organization already');
    await removeRepository(prisma, { ...gadgets, owner: 'ACME' }, clock.now(), ignoring);
    expect(await names()).toEqual(['acme/widgets as acme/widgets']);
  });

  it('gets its lookup name at the next start if a command did not know its host; of two, the older gets the name', async () => {
    const { prisma, clock, app } = team.world;
    const { id: organizationId } = await organization();
    const rows = ['Shop/One', 'Shop/Two', 'shop/TWO'].map((lookupName, age) => {
      const [owner, name] = lookupName.split('/') as [string, string];
      const createdAt = new Date(clock.now().getTime() + 1 + age);
      return { id: newId(), organizationId, host: 'github.example', owner, name, lookupName, createdAt };
    });
    await prisma.repository.createMany({ data: rows });
    await app.get(LookupNames).onApplicationBootstrap();
    expect((await names()).slice(1)).toEqual(['Shop/One as shop/one', 'Shop/Two as shop/two', 'shop/TWO as shop/TWO']);
  });
});
