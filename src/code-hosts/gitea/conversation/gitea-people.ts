import { Logger } from '@nestjs/common';
import type {
  HostPeople,
  HostRepository,
  LabelEvent,
  Permission,
  WrittenComment,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { listAt, numberAt, textAt, unlessTooLong, unreadable } from '../../reading';
import { repositoryKey } from '../../repository-path';
import { SettledReadings } from '../../settled-readings';
import type { GiteaApi } from '../client/gitea-api';
import { giteaCommentIn, timelineEventIn } from './people';

const PERMISSIONS: Readonly<Record<string, Permission>> = {
  owner: 'admin',
  admin: 'admin',
  write: 'write',
  read: 'read',
};

/** Reads actions of people at pull requests, and their permissions. */
export class GiteaPeople implements HostPeople {
  private readonly logger = new Logger(GiteaPeople.name);
  private readonly readings: SettledReadings<LabelEvent>;

  constructor(
    private readonly api: GiteaApi,
    private readonly bots: readonly string[],
    clock: Clock,
  ) {
    this.readings = new SettledReadings(clock, ({ at }) => at);
  }

  /**
   * Only an administrator of the repository may ask for the permissions of other people. A service that is no
   * administrator can list the people who may write.
   */
  async permissionOf(repository: HostRepository, login: string): Promise<Permission> {
    const path = `collaborators/${encodeURIComponent(login)}/permission`;
    const answer = await this.api.ask(repository, 'GET', path);
    if (answer.type === 'answered') {
      const permission = textAt(answer.body, 'permission');
      if (permission === null) throw unreadable(this.api.host, `what ${login} may do`, 'without permission');
      return PERMISSIONS[permission] ?? 'none';
    }
    if (answer.status !== 403) return 'none';
    const writers = await this.api.read(repository, 'assignees');
    const isWriter = listAt(writers?.body).some((one) => isLogin(textAt(one, 'login'), login));
    return isWriter ? 'write' : 'none';
  }

  isOwnLogin(login: string): Promise<boolean | null> {
    return this.api.isOwnLogin(login);
  }

  /** The list of the server also contains comments under issues, which are left out. */
  async commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]> {
    const rows = await this.api.readAll(repository, 'issues/comments', { since: since.toISOString() });
    const comments = (rows ?? []).map((row) => giteaCommentIn(row, this.bots)).filter((comment) => comment !== null);
    return comments.toSorted((a, b) => a.changedAt.getTime() - b.changedAt.getTime() || Number(a.id) - Number(b.id));
  }

  async labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]> {
    const query = { type: 'pulls', state: 'all', since: since.toISOString() };
    const changed = await this.api.readAll(repository, 'issues', query);
    const events: LabelEvent[] = [];
    for (const one of changed ?? []) {
      const number = numberAt(one, 'number');
      if (number === null) continue;
      const key = `${repositoryKey(repository)}#${number}`;
      const read = (): Promise<readonly LabelEvent[]> =>
        unlessTooLong(
          () => this.readLabelEvents(repository, number, since),
          (message) => this.logger.warn(message),
        );
      events.push(...(await this.readings.itemsSince(key, textAt(one, 'updated_at'), since, read)));
    }
    return events.toSorted((a, b) => Number(a.id) - Number(b.id));
  }

  labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]> {
    return this.readLabelEvents(repository, number, null);
  }

  private async readLabelEvents(
    repository: HostRepository,
    number: number,
    since: Date | null,
  ): Promise<readonly LabelEvent[]> {
    const query: Record<string, string> = since === null ? {} : { since: since.toISOString() };
    // The server counts comments on code, but leaves them out of its pages.
    const commentsOnCode = async (): Promise<number> => {
      const pull = await this.api.read(repository, `pulls/${number}`);
      return numberAt(pull?.body, 'review_comments') ?? 0;
    };
    const rows = await this.api.readAllWithHidden(repository, `issues/${number}/timeline`, query, commentsOnCode);
    const events = (rows ?? []).map((row) => timelineEventIn(row, number, this.bots)).filter((event) => event !== null);
    return events.toSorted((a, b) => Number(a.id) - Number(b.id));
  }
}

function isLogin(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
