import { Logger } from '@nestjs/common';
import {
  type HostPeople,
  type HostRepository,
  HostUnavailable,
  type PullRequestConversation,
  type Reaction,
  type ShownStatus,
  type TestingPullRequest,
} from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import { numberAt, textAt } from '../../reading';
import { repositoryKey } from '../../repository-path';
import type { HostAnswer, HostRefusal } from '../client/host-answer';

const MOST_KNOWN = 2_000;

/** The API calls of one kind of code host. A refusal is returned as an answer. */
export interface ConversationCalls {
  readonly host: string;
  /** The character before a pull request number. */
  readonly sign: '#' | '!';
  /** The path to the author's login in a comment. */
  readonly author: readonly string[];
  readonly people: HostPeople;
  /** The login of the service; null if the host does not say. */
  ownLogin(): Promise<string | null>;
  /** Comments under a pull request, the oldest first. */
  readComments(repository: HostRepository, number: number): Promise<readonly unknown[] | null>;
  writeComment(repository: HostRepository, number: number, body: string): Promise<HostAnswer>;
  editComment(repository: HostRepository, number: number, id: number, body: string): Promise<HostAnswer>;
  /** Sets a status; null for a host at which the queue shows no status. */
  setStatus(repository: HostRepository, commit: string, shown: ShownStatus): Promise<HostAnswer> | null;
  openDraft(repository: HostRepository, pullRequest: TestingPullRequest): Promise<HostAnswer>;
  /**
   * Whether the refusal means that the pull request is already open: an earlier attempt opened it, and its answer was
   * lost.
   */
  isOpenAlready(refusal: HostRefusal): boolean;
  findOpen(repository: HostRepository, branch: string): Promise<readonly number[]>;
  close(repository: HostRepository, number: number): Promise<HostAnswer>;
  addReaction(repository: HostRepository, number: number, comment: number, content: Reaction): Promise<HostAnswer>;
  takeLabel(repository: HostRepository, number: number, name: string): Promise<HostAnswer | null>;
}

/**
 * The queue's comments and statuses at a code host. Permanent refusals are only logged, because no decision depends on
 * them.
 */
export class HostConversation implements PullRequestConversation {
  readonly people: HostPeople;
  readonly branchRemovalCloses = true;
  private readonly logger = new Logger(HostConversation.name);
  /**
   * The ids of the service's comments, by repository, pull request and marker. A known comment is edited with one
   * request.
   */
  private readonly comments = new BoundedMap<number>(MOST_KNOWN);
  /**
   * The newest status of the service, by commit and name. Writing the same status again would add a row at the host.
   */
  private readonly statuses = new BoundedMap<string>(MOST_KNOWN);

  constructor(protected readonly calls: ConversationCalls) {
    this.people = calls.people;
  }

  async ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.findComment(repository, number, marker);
    if (id === null) return this.comment(repository, number, marker, body);
    const answer = await this.calls.editComment(repository, number, id, body);
    if (answer.type === 'answered') return;
    this.comments.delete(commentKey(repository, number, marker));
    // Somebody deleted the comment, so it is written again.
    if (answer.status === 404) return this.comment(repository, number, marker, body);
    this.note(`comment on ${this.calls.sign}${number}`, answer);
  }

  async reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.findComment(repository, number, marker);
    if (id === null) await this.comment(repository, number, marker, body);
  }

  async showStatus(repository: HostRepository, commit: string, shown: ShownStatus): Promise<void> {
    const key = `${repositoryKey(repository)} ${commit} ${shown.name}`;
    const said = JSON.stringify(shown);
    if (this.statuses.get(key) === said) return;
    const answer = await this.calls.setStatus(repository, commit, shown);
    if (answer?.type === 'answered') this.statuses.set(key, said);
    this.note(`status on ${commit}`, answer);
  }

  async openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void> {
    const { host } = this.calls;
    const answer = await this.calls.openDraft(repository, pullRequest);
    if (answer.type === 'answered' || this.calls.isOpenAlready(answer)) return;
    const what = `${host} did not open a pull request for ${pullRequest.branch}: ${answer.message}`;
    throw new HostUnavailable(host, 'server_error', what);
  }

  async closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void> {
    for (const number of await this.calls.findOpen(repository, branch))
      this.noteUnlessGone(`close ${this.calls.sign}${number}`, await this.calls.close(repository, number));
  }

  async react(repository: HostRepository, number: number, commentId: string, content: Reaction): Promise<void> {
    const answer = await this.calls.addReaction(repository, number, Number(commentId), content);
    this.noteUnlessGone(`reaction to ${commentId}`, answer);
  }

  async removeLabel(repository: HostRepository, number: number, name: string): Promise<void> {
    const answer = await this.calls.takeLabel(repository, number, name);
    this.noteUnlessGone(`removal of the label ${name}`, answer);
  }

  protected note(what: string, answer: HostAnswer | null): void {
    if (answer?.type === 'refused') this.logger.warn(`${this.calls.host} refused the ${what}: ${answer.message}`);
  }

  /**
   * Logs a refusal, except for 404, which means that nothing is left to do. GitLab also answers 404 if the reaction
   * already exists.
   */
  private noteUnlessGone(what: string, answer: HostAnswer | null): void {
    if (answer?.status !== 404) this.note(what, answer);
  }

  private async comment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const answer = await this.calls.writeComment(repository, number, body);
    this.note(`comment on ${this.calls.sign}${number}`, answer);
    const id = answer.type === 'answered' ? numberAt(answer.body, 'id') : null;
    if (id !== null) this.comments.set(commentKey(repository, number, marker), id);
  }

  /**
   * The oldest comment of the service with that marker. If the login of the service is not known, comments of anybody
   * count.
   */
  private async findComment(repository: HostRepository, number: number, marker: string): Promise<number | null> {
    const { author } = this.calls;
    const known = this.comments.get(commentKey(repository, number, marker));
    if (known !== undefined) return known;
    const listed = await this.calls.readComments(repository, number);
    const login = await this.calls.ownLogin();
    const isOwn = (one: unknown): boolean => login === null || textAt(one, ...author) === login;
    const own = (listed ?? []).find((one) => textAt(one, 'body')?.includes(marker) === true && isOwn(one));
    const id = numberAt(own, 'id');
    if (id !== null) this.comments.set(commentKey(repository, number, marker), id);
    return id;
  }
}

function commentKey(repository: HostRepository, number: number, marker: string): string {
  return `${repositoryKey(repository)}#${number} ${marker}`;
}
