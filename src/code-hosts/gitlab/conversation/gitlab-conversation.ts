import type { HostRepository, Reaction } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { HostAnswer } from '../../forge/client/host-answer';
import type { ConversationCalls } from '../../forge/conversation/host-conversation';
import { numberAt } from '../../reading';
import type { GitLabApi } from '../client/gitlab-api';
import { GitLabPeople } from './gitlab-people';

const DRAFT = 'Draft: ';
const EMOJI: Readonly<Record<Reaction, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown', eyes: 'eyes' };
const OLDEST_FIRST = { sort: 'asc', order_by: 'created_at', activity_filter: 'only_comments' };

export function gitLabCalls(api: GitLabApi, bots: readonly string[], clock: Clock): ConversationCalls {
  const change = (repository: HostRepository, number: number, body: object): Promise<HostAnswer> =>
    api.ask(repository, 'PUT', `merge_requests/${number}`, { body });
  return {
    ...{ host: api.host, sign: '!', author: ['author', 'username'] },
    people: new GitLabPeople(api, bots, clock),
    ownLogin: () => api.ownLogin(),
    readComments: (repository, number) => api.readAll(repository, `merge_requests/${number}/notes`, OLDEST_FIRST),
    writeComment: (repository, number, text) => {
      const body = { body: withoutQuickActions(text) };
      return api.ask(repository, 'POST', `merge_requests/${number}/notes`, { body });
    },
    editComment: (repository, number, id, text) => {
      const body = { body: withoutQuickActions(text) };
      return api.ask(repository, 'PUT', `merge_requests/${number}/notes/${id}`, { body });
    },
    /**
     * Sets no status, because a status becomes a job of a pipeline, and could make an unmergeable merge request
     * mergeable.
     */
    setStatus: () => null,
    openDraft: (repository, { branch, targetBranch, title, body: text }) => {
      const body = {
        ...{ source_branch: branch, target_branch: targetBranch, title: `${DRAFT}${title}` },
        ...{ description: withoutQuickActions(text), remove_source_branch: true },
      };
      return api.ask(repository, 'POST', 'merge_requests', { body });
    },
    isOpenAlready: ({ status }) => status === 409,
    findOpen: async (repository, branch) => {
      const rows = await api.readAll(repository, 'merge_requests', { source_branch: branch, state: 'opened' });
      return (rows ?? []).map((one) => numberAt(one, 'iid') ?? 0);
    },
    close: (repository, number) => change(repository, number, { state_event: 'close' }),
    addReaction: (repository, number, comment, content) => {
      const body = { name: EMOJI[content] };
      return api.ask(repository, 'POST', `merge_requests/${number}/notes/${comment}/award_emoji`, { body });
    },
    takeLabel: (repository, number, label) => change(repository, number, { remove_labels: [label] }),
  };
}

/**
 * Text without quick actions. Otherwise GitLab would carry out lines that begin with a slash, such as `/merge`, with
 * the rights of the service. Such lines may come from strangers, who choose titles and names of checks.
 */
export function withoutQuickActions(text: string): string {
  return text.replaceAll(/^([^\S\r\n]*)\/(?=\S)/gm, '$1\\/');
}
