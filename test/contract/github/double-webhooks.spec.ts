import { GitHubClient } from '../../support/github/github-client';
import { GitHubDouble } from '../../support/github/github-double';
import type { RepositoryDouble } from '../../support/github/repository-double';
import { DELIVERIES, WebhookContract } from './webhook-contract';

describe("every delivery of the mock GitHub matches GitHub's description", () => {
  const contract = WebhookContract.load();
  let github: GitHubDouble;
  let repository: RepositoryDouble;

  beforeEach(async () => {
    github = await GitHubDouble.start();
    github.webhooks.deliverToNobody();
    repository = github.createRepository('acme', 'widgets');
  });

  afterEach(() => github.close());

  const checkAll = (): { names: string[]; errors: string[] } => {
    const seen = github.webhooks.deliveries.map(({ event, action, body }) => ({
      name: action === null ? event : `${event}.${action}`,
      payload: JSON.parse(body) as unknown,
    }));
    return {
      names: [...new Set(seen.map(({ name }) => name))].sort(),
      errors: seen.flatMap(({ name, payload }) => contract.errorsOf(name, payload)),
    };
  };

  it('through the life of a pull request and of the app', async () => {
    const fork = github.fork(repository, 'grace');
    repository.openPullRequest({ 'a.txt': 'a\n' }, { fork, by: 'grace', body: 'Because.' });
    repository.push(1, { 'a.txt': 'b\n' });
    repository.convertToDraft(1);
    repository.markReady(1);
    repository.rename(1, 'Better');
    repository.addLabel(1, 'merge me');
    repository.removeLabel(1, 'Merge me');
    repository.closePullRequest(1);
    repository.reopenPullRequest(1);
    repository.setBranch('release', repository.tip('main'));
    repository.changeBase(1, 'release');
    repository.review(1, 'APPROVED');
    repository.discuss(1);
    repository.resolveConversations(1);
    repository.reopenConversations(1);
    const comment = repository.comment(1, 'hello');
    repository.editComment(comment, 'good evening');
    const tip = repository.tip('main');
    repository.setStatus(tip, 'ci', 'success', { description: 'good', targetUrl: 'https://ci.example/1' });
    repository.setStatus(tip, 'ci', 'pending');
    repository.setCheckRun(tip, 'lint', 'in_progress');
    repository.setCheckRun(tip, 'lint', 'success');
    repository.merge(1);
    repository.removeBranch('release');
    const client = new GitHubClient(github, 'acme/widgets');
    github.setPermission('acme', 'checks', 'write');
    await client.ask('POST', 'check-runs', { body: { name: 'queue', head_sha: tip } });
    await client.ask('DELETE', `issues/comments/${comment.id}`);
    github.setPermission('acme', 'checks', 'read');
    github.uninstall('acme');
    expect(checkAll()).toEqual({ names: [...DELIVERIES].sort(), errors: [] });
  });

  it('which this spec proves with a delivery that does not match', () => {
    const [created] = github.webhooks.deliveries;
    const payload = JSON.parse(created?.body ?? '') as { installation: Record<string, unknown> };
    delete payload.installation.account;
    expect(contract.errorsOf('installation.created', payload).join()).toContain(
      "must have required property 'account'",
    );
    expect(() => contract.errorsOf('installation.suspended', payload)).toThrow('no description');
  });
});
