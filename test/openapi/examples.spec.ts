import { BareRepository } from '../support/bare-repository';
import { type Client } from '../e2e/client';
import { Service } from '../e2e/service';
import type { Document } from './document';
import { sendExamples } from './send-examples';

/** The world of the demo: host `local`, repository demo/widgets, pull requests 1 to 10 submitted, 11 and 12 open. */
describe('The examples of /openapi.json, sent to a service as the demo leaves it', () => {
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

  it('are each answered 200, or with a refusal that the document names', async () => {
    const { sent, successes, surprises } = await sendExamples(document, admin);
    expect(surprises).toEqual([]);
    // createQueue and deleteQueue meet a queue in use; what is promoted or restarted was cancelled by an example before.
    // The test that is asked about, linked, quarantined, muted, unmuted and moved is none of the demo's;
    // nor is the webhook that is changed, deleted, tested, rotated, sent again and looked at.
    expect(sent - successes).toBe(19);
  });

  it('are there for every operation that takes JSON', () => {
    const without = Object.entries(document.paths)
      .filter(
        ([, { post }]) =>
          post && Object.keys(post.requestBody?.content['application/json']?.examples ?? {}).length === 0,
      )
      .map(([path]) => path);
    expect(without).toEqual(['/v1/flaky-tests/upload-results']);
  });

  it('work for what is asked by GET', async () => {
    const [repo, repoHost] = document.paths['/v1/getMergeQueueMetrics']!.get!.parameters.map(
      ({ example, schema }) => example ?? (schema as { example?: string }).example ?? '',
    );
    const answer = await admin.get(`getMergeQueueMetrics?repo=${repo}&repoHost=${repoHost}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('mq_depth_current{repo="demo/widgets"');
    expect((await admin.get('checkRuns/c0a8012e-7b1f-4d7a-9c3e-2f4b6d8e0a1c/log')).status).toBe(404);
  });
});
