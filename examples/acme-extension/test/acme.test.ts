import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestService } from '@sluice-queue/sluice/testing';
import { AcmeModule } from '../src/acme.module';

const REPO = { host: 'memory.example', owner: 'shop', name: 'widgets' };
const MAIN = { repo: REPO, targetBranch: 'main' };

describe('Acme', () => {
  let service: TestService;
  let token: string;
  before(async () => {
    service = await TestService.start({ extensions: [AcmeModule] });
    token = await service.createToken({ organization: 'shop', role: 'admin' });
    service.memory.repository('shop', 'widgets').openPullRequest(1);
    await service.post('createQueue', { ...MAIN, requiredStatuses: ['test'] }, token);
  });
  after(() => service.stop());

  it('submits a hotfix ahead of all other entries', async () => {
    const request = { ...MAIN, pr: { number: 1 }, because: 'The shop is down.' };
    const { status, body } = await service.post('acme/hotfix', request, token);
    assert.deepEqual([status, body.number, body.left], [200, 1, 2]);
    const record = await service.post('getSubmittedPullRequest', { ...MAIN, pr: { number: 1 } }, token);
    assert.equal(record.body.skipTheLine, true);
  });

  it('refuses a hotfix without a reason', async () => {
    const { status, body } = await service.post('acme/hotfix', { ...MAIN, pr: { number: 1 }, because: 'now' }, token);
    assert.deepEqual([status, (body.error as { code: string }).code], [400, 'VALIDATION_FAILED']);
  });

  it('keeps a journal', async () => {
    const moves = await service.eventually(async () => {
      const { body } = await service.get('acme/journal', token);
      const found = body.moves as { number: number; state: string }[];
      return found.some(({ state }) => state === 'testing') && found;
    });
    assert.deepEqual(
      moves
        .map(({ state }) => state)
        .reverse()
        .slice(0, 3),
      ['not_ready', 'pending', 'testing'],
    );
  });

  it('shows the journal as a page in the layout of the service', async () => {
    const address = '/ui/x/acme-journal?repo=memory.example/shop/widgets&branch=main';
    const text = await service.eventually(async () => {
      const page = await service.page(address, token);
      return page.text.includes('st-testing') && page.text;
    });
    assert.match(text, /<h1>The latest moves<\/h1>/);
    assert.match(text, /aria-label="This repository">[^]*>Queue<[^]*>Journal</);
  });

  describe('with a token that is limited to another repository', () => {
    let limited: string;
    before(async () => {
      service.memory.repository('shop', 'gadgets');
      const gadgets = { owner: 'shop', name: 'gadgets' };
      const queue = { repo: { ...REPO, ...gadgets }, targetBranch: 'main', requiredStatuses: ['test'] };
      await service.post('createQueue', queue, token);
      limited = await service.createToken({ organization: 'shop', role: 'submit', repositories: [gadgets] });
    });

    it('shows no data of this repository', async () => {
      const { body } = await service.get('acme/journal', limited);
      assert.deepEqual(body, { moves: [] });
      const page = await service.page('/ui/x/acme-journal?repo=memory.example/shop/widgets&branch=main', limited);
      assert.equal(page.status, 404);
    });

    it('refuses a hotfix for this repository', async () => {
      const request = { ...MAIN, pr: { number: 1 }, because: 'The shop is down.' };
      const { status, body } = await service.post('acme/hotfix', request, limited);
      assert.deepEqual([status, (body.error as { code: string }).code], [404, 'REPOSITORY_NOT_FOUND']);
    });
  });
});
