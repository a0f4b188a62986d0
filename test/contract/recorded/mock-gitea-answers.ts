import { GiteaDouble } from '../../support/gitea/gitea-double';
import { requestName } from './request-name';

/** An answer of the mock, or of a recorded server. */
export interface MockAnswer {
  /** The request, as `requestName` writes it. */
  readonly request: string;
  readonly status: number;
  readonly body: unknown;
}

/** The mock Gitea's answers to an administrator, in a repository that has one object of each kind. */
export async function mockGiteaAnswers(): Promise<readonly MockAnswer[]> {
  const answers: MockAnswer[] = [];
  const double = await GiteaDouble.start({
    onExchange: ({ method, path, status, responseBody: body }) =>
      answers.push({ request: requestName(method, path), status, body }),
  });
  try {
    for (const [method, path, body] of prepare(double)) await ask(double, method, path, body);
  } finally {
    await double.close();
  }
  return answers;
}

type Asked = readonly [method: string, path: string, body?: object];

function prepare(double: GiteaDouble): readonly Asked[] {
  const place = double.createRepository('acme', 'widgets');
  place.changePermission(double.bot, 'admin');
  place.changePermission('grace', 'write');
  place.protect('main', { approvals: 1, pushers: [double.bot] });
  place.protect('release', { mergers: ['grace'] });
  place.pushToBranch('release', { 'release.txt': 'release\n' });
  const { sha } = place.openPullRequest({ '1.txt': '1\n' }).head;
  place.openPullRequest({ '2.txt': '2\n' }, { base: 'release' });
  place.comment(1, 'A comment');
  place.addLabel(1, 'queue');
  place.review(1, 'APPROVED');
  place.setStatus(sha, 'jenkins', 'success');
  const run = place.startWorkflow(sha, 'tests.yml');
  run.addJob('unit', 'failure');
  run.addJob('lint', 'cancelled');
  run.addJob('slow', 'in_progress');
  const hook = {
    type: 'gitea',
    active: true,
    events: ['push'],
    config: { url: 'https://sluice.example', content_type: 'json' },
  };
  const merge = { Do: 'manually-merged', MergeCommitID: sha };
  return [
    ...(['', '/hooks', '/branches/main', '/branches/release', '/branch_protections'] as const).map(reading),
    ...(['/pulls/1', '/pulls/1/reviews', '/issues/1/comments', '/issues/1/timeline', '/issues/1/labels'] as const).map(
      reading,
    ),
    ...[`/commits/${sha}/statuses`, '/actions/runs', `/actions/runs/${run.record.id}/jobs`].map(reading),
    ['POST', '/hooks', hook],
    reading('/hooks'),
    ['POST', `/statuses/${sha}`, { context: 'ci', state: 'cancelled' }],
    ['POST', '/pulls', { head: 'change-1', base: 'main', title: 'Again' }],
    ['POST', '/pulls/2/merge', merge],
    ['POST', '/pulls/1/merge', { ...merge, MergeCommitID: '1'.repeat(40) }],
  ];
}

function reading(path: string): Asked {
  return ['GET', path];
}

async function ask(double: GiteaDouble, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${double.apiUrl}/repos/acme/widgets${path}`, {
    ...{ method, body: body && JSON.stringify(body) },
    headers: { authorization: `token ${double.createToken()}`, 'content-type': 'application/json' },
  });
  await answer.text();
}
