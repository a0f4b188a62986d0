import type {
  HeadRecord,
  HostRepository,
  LabelEvent,
  HostPeople,
  Permission,
  PullRequestConversation,
  Reaction,
  SeenHead,
  ShownStatus,
  StateLabel,
  TestingPullRequest,
  WrittenComment,
} from '../../domain/code-host.port';
import type { MemoryFaults } from './memory-faults';
import type { MemoryRepository } from './memory-repository';

/** The login of the service. */
export const MEMORY_LOGIN = 'sluice[bot]';

export interface MemoryComment {
  readonly marker: string;
  body: string;
  /** How often the comment was written: one creation, and all changes. */
  writes: number;
}

export interface MemoryTestingPullRequest extends TestingPullRequest {
  state: 'open' | 'closed';
}

/** Comments and statuses of the service in one repository, and the actions and permissions of people there. */
export class MemoryShown {
  /** The comments of each pull request, by its number. The oldest comment comes first. */
  readonly comments = new Map<number, MemoryComment[]>();
  /** By commit, all reports of statuses. The oldest report comes first. */
  readonly statuses = new Map<string, ShownStatus[]>();
  readonly testingPullRequests: MemoryTestingPullRequest[] = [];
  /** The reactions to each comment, by the id of the comment. */
  readonly reactions = new Map<string, Reaction[]>();
  readonly permissions = new Map<string, Permission>();
  /** The state label of each pull request, by its number. */
  readonly stateLabels = new Map<number, string>();
  /** Comments of people. The comment whose last change is oldest comes first. */
  readonly written: WrittenComment[] = [];
  /** Label events of people, oldest first. */
  readonly labelEvents: LabelEvent[] = [];
  /** The labels that the service removed, by number of the pull request. */
  readonly labelsRemoved = new Map<number, string[]>();

  /** The comment under the pull request that contains the text. Throws when there are several. */
  comment(number: number, text: string): MemoryComment | undefined {
    const found = (this.comments.get(number) ?? []).filter(({ body }) => body.includes(text));
    if (found.length > 1) throw new Error(`#${number} has ${found.length} comments with ${text}`);
    return found[0];
  }

  status(commit: string): ShownStatus | undefined {
    return this.statuses.get(commit)?.at(-1);
  }
}

/**
 * Comments, statuses and labels of a memory host. Every request takes effect at once, unless a fault is planned for it.
 */
export class MemoryConversation implements PullRequestConversation, HostPeople {
  readonly people = this;
  private readonly shown = new Map<string, MemoryShown>();

  constructor(
    private readonly faults: MemoryFaults,
    private readonly repositoryOf: (repository: HostRepository) => MemoryRepository,
  ) {}

  of({ owner, name }: Pick<HostRepository, 'owner' | 'name'>): MemoryShown {
    const key = `${owner}/${name}`;
    const shown = this.shown.get(key) ?? new MemoryShown();
    this.shown.set(key, shown);
    return shown;
  }

  ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    return this.faults.around('ensureComment', () => {
      const { comments } = this.of(repository);
      const there = comments.get(number) ?? [];
      const ours = there.find((comment) => comment.body.includes(marker));
      if (ours === undefined) comments.set(number, [...there, { marker, body, writes: 1 }]);
      else Object.assign(ours, { body, writes: ours.writes + 1 });
    });
  }

  showStatus(repository: HostRepository, commit: string, status: ShownStatus): Promise<void> {
    return this.faults.around('showStatus', () => {
      if (status.description.length > 140)
        throw new Error(`The description has ${status.description.length} characters; 140 are allowed`);
      const { statuses } = this.of(repository);
      statuses.set(commit, [...(statuses.get(commit) ?? []), status]);
    });
  }

  openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void> {
    return this.faults.around('openTestingPullRequest', () => {
      const all = this.of(repository).testingPullRequests;
      const isThere = all.some(({ branch, state }) => branch === pullRequest.branch && state === 'open');
      if (!isThere) all.push({ ...pullRequest, state: 'open' });
    });
  }

  closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void> {
    return this.faults.around('closeTestingPullRequest', () => {
      for (const one of this.of(repository).testingPullRequests) if (one.branch === branch) one.state = 'closed';
    });
  }

  react(repository: HostRepository, _number: number, commentId: string, reaction: Reaction): Promise<void> {
    return this.faults.around('react', () => {
      const { reactions } = this.of(repository);
      reactions.set(commentId, [...new Set([...(reactions.get(commentId) ?? []), reaction])]);
    });
  }

  reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    return this.faults.around('reply', () => {
      const { comments } = this.of(repository);
      const there = comments.get(number) ?? [];
      if (there.some((comment) => comment.body.includes(marker))) return;
      comments.set(number, [...there, { marker, body, writes: 1 }]);
    });
  }

  removeLabel(repository: HostRepository, number: number, label: string): Promise<void> {
    return this.faults.around('removeLabel', () => {
      const { labelsRemoved } = this.of(repository);
      labelsRemoved.set(number, [...new Set([...(labelsRemoved.get(number) ?? []), label])]);
    });
  }

  headRecordOf(repository: HostRepository, { number, head }: SeenHead): Promise<HeadRecord | null> {
    return this.faults.around('headRecordOf', () => {
      const { pushes } = this.repositoryOf(repository);
      const push = pushes.findLast((one) => one.number === number && one.head === head);
      return push === undefined ? null : { since: push.at, pushedBy: push.by };
    });
  }

  showStateLabel(repository: HostRepository, number: number, { name }: StateLabel): Promise<void> {
    return this.faults.around('showStateLabel', () => {
      const { stateLabels } = this.of(repository);
      if (name === null) stateLabels.delete(number);
      else stateLabels.set(number, name);
    });
  }

  isOwnLogin(login: string): Promise<boolean> {
    return Promise.resolve(login === MEMORY_LOGIN);
  }

  commentsSince(repository: HostRepository, since: Date): Promise<readonly WrittenComment[]> {
    const { written } = this.of(repository);
    return this.faults.around('commentsSince', () => written.filter(({ changedAt }) => changedAt >= since));
  }

  labelEventsSince(repository: HostRepository, since: Date): Promise<readonly LabelEvent[]> {
    const { labelEvents } = this.of(repository);
    return this.faults.around('labelEventsSince', () => labelEvents.filter(({ at }) => at >= since));
  }

  labelEventsOf(repository: HostRepository, number: number): Promise<readonly LabelEvent[]> {
    const { labelEvents } = this.of(repository);
    return this.faults.around('labelEventsOf', () => labelEvents.filter((event) => event.number === number));
  }

  permissionOf(repository: HostRepository, login: string): Promise<Permission> {
    return this.faults.around('permissionOf', () => this.of(repository).permissions.get(login) ?? 'none');
  }
}
