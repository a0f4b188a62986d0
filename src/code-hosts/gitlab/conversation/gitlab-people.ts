import { Logger } from '@nestjs/common';
import type {
  HostPeople,
  HostRepository,
  LabelEvent,
  Permission,
  WrittenComment,
} from '../../../domain/code-host.port';
import { labelEventOf, writtenCommentIn } from '../../forge/conversation/written';
import { at, listAt, numberAt, textAt, unlessTooLong } from '../../reading';
import type { Clock } from '../../../platform/clock/clock';
import { repositoryKey } from '../../repository-path';
import { SettledReadings } from '../../settled-readings';
import type { GitLabApi } from '../client/gitlab-api';
import { whoMay } from '../reading/protected-branches';

/** Matches the logins that GitLab creates for project and group access tokens. */
const TOKEN_USER = /^(project|group)_\d+_bot(_|$|\d)/;
const REPORTER = 20;
const DEVELOPER = 30;
const MAINTAINER = 40;

/** Actions of people at merge requests, and their permissions. */
export class GitLabPeople implements HostPeople {
  private readonly logger = new Logger(GitLabPeople.name);
  private readonly comments: SettledReadings<WrittenComment>;
  private readonly labels: SettledReadings<LabelEvent>;

  constructor(
    private readonly api: GitLabApi,
    private readonly bots: readonly string[],
    clock: Clock,
  ) {
    this.comments = new SettledReadings(clock, ({ changedAt }) => changedAt);
    this.labels = new SettledReadings(clock, ({ at }) => at);
  }

  /**
   * Developers may write only if they may merge into every protected branch. A login that the host does not know has no
   * permission.
   */
  async permissionOf(repository: HostRepository, login: string): Promise<Permission> {
    const found = await this.api.askServer('GET', '/users', { query: { username: login } });
    const id = found.type === 'answered' ? numberAt(listAt(found.body)[0], 'id') : null;
    if (id === null) return 'none';
    const member = await this.api.ask(repository, 'GET', `members/all/${id}`);
    const level = member.type === 'answered' ? (numberAt(member.body, 'access_level') ?? 0) : 0;
    if (level >= MAINTAINER) return 'admin';
    if (level < DEVELOPER) return level >= REPORTER ? 'read' : 'none';
    const rules = await this.api.askAll(repository, 'protected_branches');
    const isLet =
      rules.type === 'answered' &&
      listAt(rules.body).every((rule) => whoMay([rule], 'merge_access_levels', { userId: id, level }) === 'yes');
    return isLet ? 'write' : 'read';
  }

  isOwnLogin(login: string): Promise<boolean | null> {
    return this.api.isOwnLogin(login);
  }

  /** Reads the notes of each changed merge request, because the host has no list of the notes of a whole project. */
  commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]> {
    return this.changedSince(this.comments, repository, since, async (number) => {
      const query = { sort: 'desc', order_by: 'updated_at', activity_filter: 'only_comments' };
      const notes = await this.api.readAll(repository, `merge_requests/${number}/notes`, query);
      return (notes ?? []).map((note) => gitLabCommentIn(note, number, this.bots)).filter((one) => one !== null);
    });
  }

  labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]> {
    return this.changedSince(this.labels, repository, since, (number) => this.labelEventsOf(repository, number));
  }

  async labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]> {
    const rows = await this.api.readAll(repository, `merge_requests/${number}/resource_label_events`);
    const events = (rows ?? []).map((row) => this.labelEventIn(row, number)).filter((one) => one !== null);
    return events.toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  /** The comments or label events since then, oldest first, of the merge requests that have changed since then. */
  private async changedSince<Item extends WrittenComment | LabelEvent>(
    readings: SettledReadings<Item>,
    repository: HostRepository,
    since: Date,
    read: (number: number) => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const query = { state: 'all', scope: 'all', order_by: 'updated_at', updated_after: since.toISOString() };
    const readOne = (number: number): Promise<readonly Item[]> =>
      unlessTooLong(
        () => read(number),
        (message) => this.logger.warn(message),
      );
    const items: Item[] = [];
    for (const one of (await this.api.readAll(repository, 'merge_requests', query)) ?? []) {
      const number = numberAt(one, 'iid');
      if (number === null) continue;
      const key = `${repositoryKey(repository)}!${number}`;
      const from = new Date(floorOf(since));
      items.push(...(await readings.itemsSince(key, textAt(one, 'updated_at'), from, () => readOne(number))));
    }
    const timeOf = (item: Item): number => ('changedAt' in item ? item.changedAt : item.at).getTime();
    const found = items.filter((item) => timeOf(item) >= floorOf(since));
    return found.toSorted((a, b) => timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id));
  }

  private labelEventIn(row: unknown, number: number): LabelEvent | null {
    const login = textAt(row, 'user', 'username');
    const type = textAt(row, 'action') === 'add' ? 'set' : 'removed';
    return labelEventOf(row, number, type, { login, isBot: isGitLabProgram(login ?? '', this.bots) });
  }
}

/** The beginning of that second, in milliseconds since 1970. Some times of the host are whole seconds. */
function floorOf(since: Date): number {
  return Math.floor(since.getTime() / 1000) * 1000;
}

/** Whether the login belongs to a bot. `bots`: logins of further bots, in lower case. */
export function isGitLabProgram(login: string, bots: readonly string[]): boolean {
  return TOKEN_USER.test(login) || bots.includes(login.toLowerCase());
}

/** The comment in a note under a merge request; null if the note lacks something, or is a system note. */
export function gitLabCommentIn(note: unknown, number: number, bots: readonly string[]): WrittenComment | null {
  if (at(note, 'system') === true) return null;
  const login = textAt(note, 'author', 'username');
  return writtenCommentIn(note, number, { login, isBot: isGitLabProgram(login ?? '', bots) });
}
