import { BareRepository } from '../support/bare-repository';
import { type Client } from '../e2e/client';
import { Service } from '../e2e/service';
import type { Document } from './document';
import { sendExamples } from './send-examples';

/**
 * The examples are about the world of the demo: host `local`, repository demo/widgets, pull requests 1 to 10 submitted,
 * 11 and 12 open.
 */
describe('The examples of /openapi.json, sent to a service after the demo', () => {
  let git: BareRepository;
  let service: Service;
  let admin: Client;
  let document: Document;

  beforeAll(async () => {
    git = BareRepository.create('demo', 'widgets');
    for (let number = 1; number <= 12; number++)
      git.openPullRequest(number, { [`widget-${number}.txt`]: `${number}\n` });
    service = await Service.onGit(git);
    await service.organization('demo');
    admin = await service.client('demo', 'admin');
    const queue = { repo: { host: 'local', owner: 'demo', name: 'widgets' }, targetBranch: 'main' };
    await admin.post('createQueue', { ...queue, requiredStatuses: ['tests'] });
    for (let number = 1; number <= 10; number++) await admin.post('submitPullRequest', { ...queue, pr: { number } });
    await service.settles();
    document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  });

  afterAll(async () => {
    await service.stop();
    git.close();
  });

  it('are each answered with 200, or with an error that the document names', async () => {
    const { sent, successes, surprises } = await sendExamples(document, admin);
    expect(surprises).toEqual([]);
    // Nineteen examples cannot succeed. createQueue and deleteQueue find a queue in use, and the entries to promote and
    // to restart are cancelled by an earlier example. The remaining examples read or change a test or a webhook that
    // the demo does not have.
    expect(sent - successes).toBe(19);
  });

  it('exist for every operation with a JSON body', () => {
    const without = Object.entries(document.paths)
      .filter(
        ([, { post }]) =>
          post && Object.keys(post.requestBody?.content['application/json']?.examples ?? {}).length === 0,
      )
      .map(([path]) => path);
    expect(without).toEqual(['/v1/flaky-tests/upload-results']);
  });

  it('work also for GET operations', async () => {
    const [repo, repoHost] = document.paths['/v1/getMergeQueueMetrics']!.get!.parameters.map(
      ({ example, schema }) => example ?? (schema as { example?: string }).example ?? '',
    );
    const answer = await admin.get(`getMergeQueueMetrics?repo=${repo}&repoHost=${repoHost}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('mq_depth_current{repo="demo/widgets"');
    expect((await admin.get('checkRuns/c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c/log')).status).toBe(404);
  });
});
