import type { HostRepository } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { HostAnswer } from '../../forge/client/host-answer';
import type { ConversationCalls } from '../../forge/conversation/host-conversation';
import { listAt, numberAt, textAt } from '../../reading';
import type { GiteaApi } from '../client/gitea-api';
import { findIn } from '../reading/open-pull-requests';
import { GiteaPeople } from './gitea-people';

/** The title prefix that makes a pull request a draft at Gitea and Forgejo. */
const DRAFT = 'WIP: ';

export function giteaCalls(api: GiteaApi, bots: readonly string[], clock: Clock): ConversationCalls {
  return {
    ...{ host: api.host, sign: '#', author: ['user', 'login'] },
    people: new GiteaPeople(api, bots, clock),
    ownLogin: () => api.ownLogin(),
    readComments: async (repository, number) => listAt((await api.read(repository, `issues/${number}/comments`))?.body),
    writeComment: (repository, number, body) =>
      api.ask(repository, 'POST', `issues/${number}/comments`, { body: { body } }),
    editComment: (repository, _number, id, body) =>
      api.ask(repository, 'PATCH', `issues/comments/${id}`, { body: { body } }),
    setStatus: (repository, commit, { name, state, description, url }) => {
      const body = { context: name, state, description, ...(url !== null && { target_url: url }) };
      return api.ask(repository, 'POST', `statuses/${commit}`, { body });
    },
    openDraft: (repository, { branch: head, targetBranch: base, title, body }) =>
      api.ask(repository, 'POST', 'pulls', { body: { head, base, title: `${DRAFT}${title}`, body } }),
    isOpenAlready: ({ status }) => status === 409,
    findOpen: (repository, branch) => findIn(api, repository, branch, 'open', Infinity),
    close: (repository, number) => api.ask(repository, 'PATCH', `pulls/${number}`, { body: { state: 'closed' } }),
    addReaction: (repository, _number, comment, content) =>
      api.ask(repository, 'POST', `issues/comments/${comment}/reactions`, { body: { content } }),
    takeLabel: (repository, number, name) => takeLabel(api, repository, number, name),
  };
}

/**
 * Removes a label. Gitea accepts only the id of a label. Forgejo tries the name first, and the name of a label may
 * equal the id of another label.
 */
async function takeLabel(
  api: GiteaApi,
  repository: HostRepository,
  number: number,
  name: string,
): Promise<HostAnswer | null> {
  const listed = listAt((await api.read(repository, `issues/${number}/labels`))?.body);
  const label = listed.find((one) => textAt(one, 'name')?.toLowerCase() === name.toLowerCase());
  const id = numberAt(label, 'id');
  if (id === null) return null;
  const remove = (which: string | number): Promise<HostAnswer> =>
    api.ask(repository, 'DELETE', `issues/${number}/labels/${which}`);
  const isAmbiguous = listed.some((one) => textAt(one, 'name') === String(id));
  const byName = isAmbiguous ? await remove(encodeURIComponent(textAt(label, 'name') ?? '')) : null;
  return byName?.type === 'answered' ? byName : remove(id);
}
