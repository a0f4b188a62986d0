import { createToken } from '../../src/platform/auth/tokens';
import { Client, codeOf } from './client';
import { ALL_ROLES } from './operations';
import { Rows } from './rows';
import { NOW, Service } from './service';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

describe('GET /v1/token', () => {
  let service: Service;
  let organizationId: string;

  beforeAll(async () => {
    service = await Service.inMemory({ rateLimitPerMinute: 0 });
    organizationId = await service.organization('acme');
  });
  afterAll(() => service.stop());

  it.each(ALL_ROLES)(
    'describes the role and capabilities of a token with the role %s, but not its secret',
    async (role) => {
      const client = await service.client('acme', role);
      const { status, text } = await client.get('token');
      expect(status).toBe(200);
      const answer = JSON.parse(text) as { capabilities: string[] };
      expect(answer).toMatchObject({ organization: 'acme', name: `${role} of acme`, role, repositories: null });
      expect(answer.capabilities.includes('submit')).toBe(['submit', 'admin'].includes(role));
      expect(text).not.toContain(client.token);
    },
  );

  it('names the repositories and the highest priority to which a token is limited', async () => {
    const id = await new Rows(service.prisma, NOW).repository(organizationId, 'widgets', 'acme', 'memory.example');
    const request = { organizationSlug: 'acme', name: 'limited', role: 'submit' } as const;
    const limits = { repositoryIds: [id], bestPriority: 100 };
    const { token } = await createToken(service.prisma, { ...request, ...limits }, service.clock.now());
    const { text } = await new Client(service.url, token).get('token');
    expect(JSON.parse(text)).toMatchObject({ repositories: [REPO], bestPriority: 100 });
  });

  it('refuses callers without a valid token', async () => {
    expect(codeOf(await service.anonymous().get('token'))).toBe('401 AUTHENTICATION_REQUIRED');
    expect(codeOf(await new Client(service.url, 'slc_wrong').get('token'))).toBe('401 INVALID_TOKEN');
  });

  it('the header x-sluice-channel is in the audit log if its value is "mcp"; other values are ignored', async () => {
    const request = { organizationSlug: 'acme', name: 'agent', role: 'admin' } as const;
    const { token } = await createToken(service.prisma, request, service.clock.now());
    service.memory.repository('acme', 'widgets').openPullRequest(1);
    const send = (operation: string, body: object, channel: string) =>
      new Client(service.url, token).send('POST', operation, JSON.stringify(body), {
        'content-type': 'application/json',
        'x-sluice-channel': channel,
      });
    const asked = { ...MAIN, pr: { number: 1 } };
    expect((await send('createQueue', { ...MAIN, requiredStatuses: ['unit'] }, 'page')).status).toBe(200);
    expect((await send('submitPullRequest', asked, 'service')).status).toBe(200);
    expect((await send('cancelPullRequest', asked, 'mcp')).status).toBe(200);
    expect((await send('updateQueue', { ...MAIN, state: 'paused' }, 'mcp')).status).toBe(200);
    const events = await service.prisma.auditEvent.findMany({ where: { actor: 'agent' }, orderBy: { id: 'asc' } });
    expect(events.map(({ channel, action }) => `${channel} ${action}`)).toEqual([
      'api queue.created',
      'mcp pull_request.cancelled',
      'mcp queue.updated',
    ]);
  });
});
