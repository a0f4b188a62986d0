import { expectations as expect } from '../rows/expectations';
import type { CertifyRow } from '../rows/row';
import { NotOffered } from '../servers/tested-server';

const group = 'repository and accounts';

export const REPOSITORY_STORIES: readonly CertifyRow[] = [
  {
    ...{ group, name: 'the service pushes nothing to the old name of a renamed repository' },
    run: async (stage) => {
      // The service compares the number of a registered repository, but certify registers none.
      if (stage.troupe.server.kind !== 'gitea')
        throw new NotOffered('this kind of code host redirects from the old name of a repository');
      const landing = await stage.tested([await stage.open(1)]);
      const renamed = await stage.troupe.rename(
        stage.people.repository,
        `${stage.repository.name.split('-').at(-1)}-renamed`,
      );
      expect(await stage.host.findRepository(stage.repository)).toBe('unknown');
      await expect(stage.host.readPullRequest(stage.repository, 1, 'main')).rejects.toMatchObject({
        name: 'HostUnavailable',
      });
      await expect(stage.host.land(landing)).rejects.toMatchObject({ name: 'HostUnavailable' });
      const repository = { ...stage.repository, name: renamed.name };
      expect(await stage.host.findRepository(repository)).toBe('found');
      expect(await stage.host.readBranch(repository, 'main')).toMatchObject({ commit: landing.expectedTip });
    },
  },
  {
    ...{ group, name: 'if the server does not know the token, the error names the token as the cause' },
    run: async (stage) => {
      const refused = stage.restart('0123456789abcdef0123456789abcdef01234567');
      await expect(refused.readPullRequest(stage.repository, 1, 'main')).rejects.toMatchObject({
        name: 'HostUnavailable',
        kind: 'no_access',
      });
    },
  },
  {
    ...{ group, name: 'the service knows the permissions of people', needs: ['second account'] },
    run: async (stage) => {
      const people = stage.host.conversation?.people;
      const { login } = stage.other;
      await stage.people.addReader(stage.other);
      expect(await people?.permissionOf(stage.repository, login)).toBe('read');
      await stage.people.addWriter(stage.other);
      expect(await people?.permissionOf(stage.repository, login)).toBe('write');
      expect(await people?.permissionOf(stage.repository, stage.troupe.service.login)).toBe('admin');
      expect(await people?.permissionOf(stage.repository, `${login}-nobody`)).toBe('none');
    },
  },
  {
    ...{ group, name: 'pull requests are found by their branch, open ones first' },
    run: async (stage) => {
      if (!stage.host.capabilities.findsByBranch) return;
      const { head } = await stage.open(1);
      await stage.people.editPull(1, { state: 'closed' });
      const { troupe, people } = stage;
      const pull = { head: 'change-1', base: 'main', title: 'Change 1 again', body: '', as: troupe.owner };
      expect(await people.openPull(pull)).toBe(2);
      await stage.followed(2, head);
      expect(await stage.host.findPullRequestsByBranch(stage.repository, 'change-1')).toEqual([2, 1]);
      expect(await stage.host.findPullRequestsByBranch(stage.repository, 'nothing-here')).toEqual([]);
    },
  },
  {
    ...{ group, name: 'the service reads the base branch and the draft state of open pull requests in one request' },
    run: async (stage) => {
      const { head } = await stage.open(1);
      await stage.open(2);
      await stage.people.editPull(2, { isDraft: true });
      const state = await stage.host.readState(stage.repository, ['main'], [1, 2]);
      expect(state.pullRequestHeads.get(1)).toBe(head);
      expect(state.pullRequestTraits?.get(1)).toEqual({ base: 'main', draft: false });
      expect(state.pullRequestTraits?.get(2)).toEqual({ base: 'main', draft: true });
    },
  },
];
