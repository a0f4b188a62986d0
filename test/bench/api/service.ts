import 'reflect-metadata';
import { Service } from '../../e2e/service';
import { BareModule } from './nest-and-prisma';

const REPO = { host: 'memory.example', owner: 'acme', name: 'widgets' };
const QUEUE = { repo: REPO, targetBranch: 'main' };
const PULL_REQUESTS = 1_000;

/**
 * Serves in a separate process, so that client and service do not share a thread. Sends its URL to the parent process.
 */
async function serve(): Promise<void> {
  const service = await Service.inMemory({ rateLimitPerMinute: 0 }, [BareModule]);
  await service.organization('acme');
  const client = await service.client('acme', 'admin');
  const host = service.memory.repository('acme', 'widgets');
  await client.post('createQueue', { ...QUEUE, requiredStatuses: ['tests'] });
  for (let number = 1; number <= PULL_REQUESTS; number++) {
    host.openPullRequest(number);
    const { status, text } = await client.post('submitPullRequest', { ...QUEUE, pr: { number } });
    if (status !== 200) throw new Error(text);
  }
  await service.settles();
  await service.prisma.$executeRaw`ANALYZE`;
  process.send?.({ url: service.url, token: client.token });
  process.once('message', () => void service.stop().then(() => process.exit(0)));
}

serve().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
