import type {
  HeadRecord,
  HostPeople,
  HostRepository,
  LabelEvent,
  Permission,
  SeenHead,
  WrittenComment,
} from '../../../domain/code-host.port';
import type { GitHubApi } from '../client/github-api';
import { endOfSecond, listAt, textAt, timeAt } from '../../reading';
import { commentIn, labelEventIn } from '../reading/people';

const PAGE = 100;
const MOST_PAGES = 30;

/**
 * Reads actions of people at pull requests. While the two lists of a repository are unchanged, reading them does not
 * count against the rate limit.
 */
export class GitHubPeople implements HostPeople {
  constructor(private readonly api: GitHubApi) {}

  async permissionOf(repository: HostRepository, login: string): Promise<Permission> {
    const app = /^(.+)\[bot\]$/.exec(login)?.[1];
    if (app !== undefined) return this.permissionOfApp(repository, app);
    const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
    const answer = await this.api.read(repository, route, { username: login });
    const permission = textAt(answer?.body, 'permission');
    return permission === 'admin' || permission === 'write' || permission === 'read' ? permission : 'none';
  }

  async isOwnLogin(login: string): Promise<boolean | null> {
    const own = await this.api.credentials.ownLogin();
    return own === null ? null : own.toLowerCase() === login.toLowerCase();
  }

  /**
   * The record is in the activity of the branch. The newest entry counts, because a branch may have had the commit
   * before. A repository has no activity for branches in forks, and old servers store no activity: then only deliveries
   * report the push.
   */
  async headRecordOf(repository: HostRepository, { head, headBranch }: SeenHead): Promise<HeadRecord | null> {
    if (headBranch === null || headBranch.includes(':')) return null;
    const place = { ref: `refs/heads/${headBranch}`, direction: 'desc', per_page: PAGE } as const;
    const answer = await this.api.ask(repository, 'GET /repos/{owner}/{repo}/activity', place);
    const pushes = answer.type === 'answered' ? listAt(answer.body) : [];
    const push = pushes.find((one) => textAt(one, 'after') === head);
    const pushedAt = timeAt(push, 'timestamp');
    return pushedAt && { since: new Date(endOfSecond(pushedAt)), pushedBy: textAt(push, 'actor', 'login') };
  }

  async commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]> {
    const route = 'GET /repos/{owner}/{repo}/issues/comments';
    const place = { sort: 'updated', direction: 'asc', since: since.toISOString() } as const;
    const comments = await this.api.readAll(repository, route, place, (body) => listAt(body), 'later');
    return (comments ?? []).map((comment) => commentIn(comment)).filter((comment) => comment !== null);
  }

  /**
   * GitHub lists the newest events first, in whole seconds and without a filter. Pages are read until a page reaches
   * `since`.
   */
  async labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]> {
    const found: LabelEvent[] = [];
    const second = Math.floor(since.getTime() / 1000) * 1000;
    for (let page = 1; page <= MOST_PAGES; page++) {
      const route = 'GET /repos/{owner}/{repo}/issues/events';
      const answer = await this.api.read(repository, route, { per_page: PAGE, page });
      const events = listAt(answer?.body);
      const fresh = events.filter((event) => (timeAt(event, 'created_at')?.getTime() ?? second) >= second);
      found.push(...fresh.map((event) => labelEventIn(event)).filter((event) => event !== null));
      if (answer?.hasMore !== true || fresh.length < events.length) break;
    }
    return found.reverse();
  }

  async labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]> {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
    const events = await this.api.readAll(repository, route, { issue_number: number }, (body) => listAt(body));
    return (events ?? []).map((event) => labelEventIn(event, number)).filter((event) => event !== null);
  }

  /**
   * GitHub does not show the permissions of an app in a repository, only the permissions that a public app requests
   * from every owner. An app that acts in a repository is installed there, so it has these permissions. 'none' for
   * private apps, about which GitHub shows nothing.
   */
  private async permissionOfApp(repository: HostRepository, slug: string): Promise<Permission> {
    const answer = await this.api.readApp(repository, slug);
    const contents = textAt(answer?.body, 'permissions', 'contents');
    return contents === 'write' || contents === 'read' ? contents : 'none';
  }
}
