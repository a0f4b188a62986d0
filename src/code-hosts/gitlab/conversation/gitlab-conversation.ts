import { Logger } from '@nestjs/common';
import {
  type HostRepository,
  HostUnavailable,
  type PullRequestConversation,
  type Reaction,
  type TestingPullRequest,
} from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import { numberAt, textAt } from '../../reading';
import type { HostAnswer } from '../../forge/client/host-answer';
import type { GitLabApi } from '../client/gitlab-api';
import { GitLabPeople } from './gitlab-people';
import { withoutQuickActions } from './written-text';

const DRAFT = 'Draft: ';
const EMOJI: Readonly<Record<Reaction, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown', eyes: 'eyes' };

/** What the queue shows at a GitLab. Permanent refusals are only logged, because no decision depends on it. */
export class GitLabConversation implements PullRequestConversation {
  readonly people: GitLabPeople;
  readonly branchRemovalCloses = true;
  private readonly logger = new Logger(GitLabConversation.name);

  constructor(
    private readonly api: GitLabApi,
    bots: readonly string[],
    clock: Clock,
  ) {
    this.people = new GitLabPeople(api, bots, clock);
  }

  async ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.findNote(repository, number, marker);
    if (id === null) return this.write(repository, number, body);
    const note = { body: withoutQuickActions(body) };
    const answer = await this.api.ask(repository, 'PUT', `merge_requests/${number}/notes/${id}`, { body: note });
    this.noteRefusal(`comment on !${number}`, answer);
  }

  async reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    if ((await this.findNote(repository, number, marker)) === null) await this.write(repository, number, body);
  }

  /** Never: a status becomes a job of a pipeline, and can make a merge request mergeable that is not. */
  showStatus(): Promise<void> {
    return Promise.resolve();
  }

  async openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void> {
    const { branch, targetBranch, title, body } = pullRequest;
    const wanted = {
      ...{ source_branch: branch, target_branch: targetBranch, title: `${DRAFT}${title}` },
      ...{ description: withoutQuickActions(body), remove_source_branch: true },
    };
    const answer = await this.api.ask(repository, 'POST', 'merge_requests', { body: wanted });
    // 409: an earlier try opened it already, and its answer was lost.
    if (answer.type === 'answered' || answer.status === 409) return;
    const what = `${this.api.host} did not open a merge request for ${branch}: ${answer.message}`;
    throw new HostUnavailable(this.api.host, 'server_error', what);
  }

  async closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void> {
    const query = { source_branch: branch, state: 'opened' };
    for (const one of (await this.api.readAll(repository, 'merge_requests', query)) ?? []) {
      const path = `merge_requests/${numberAt(one, 'iid') ?? 0}`;
      const answer = await this.api.ask(repository, 'PUT', path, { body: { state_event: 'close' } });
      if (answer.type === 'refused' && answer.status !== 404) this.noteRefusal(`end of ${path}`, answer);
    }
  }

  async react(repository: HostRepository, number: number, commentId: string, content: Reaction): Promise<void> {
    const path = `merge_requests/${number}/notes/${Number(commentId)}/award_emoji`;
    const answer = await this.api.ask(repository, 'POST', path, { body: { name: EMOJI[content] } });
    // 404: it is there already.
    if (answer.type === 'refused' && answer.status !== 404) this.noteRefusal(`reaction to ${commentId}`, answer);
  }

  async removeLabel(repository: HostRepository, number: number, label: string): Promise<void> {
    const body = { remove_labels: [label] };
    const answer = await this.api.ask(repository, 'PUT', `merge_requests/${number}`, { body });
    this.noteRefusal(`removal of the label ${label}`, answer);
  }

  private async write(repository: HostRepository, number: number, text: string): Promise<void> {
    const body = { body: withoutQuickActions(text) };
    this.noteRefusal(
      `comment on !${number}`,
      await this.api.ask(repository, 'POST', `merge_requests/${number}/notes`, { body }),
    );
  }

  /** The oldest one with that marker by the service itself; where its login is not known, by anybody. */
  private async findNote(repository: HostRepository, number: number, marker: string): Promise<number | null> {
    const query = { sort: 'asc', order_by: 'created_at', activity_filter: 'only_comments' };
    const notes = await this.api.readAll(repository, `merge_requests/${number}/notes`, query);
    const author = await this.api.ownLogin();
    const own = (notes ?? []).find(
      (one) =>
        textAt(one, 'body')?.includes(marker) === true &&
        (author === null || textAt(one, 'author', 'username') === author),
    );
    return numberAt(own, 'id');
  }

  private noteRefusal(what: string, answer: HostAnswer): void {
    if (answer.type === 'refused') this.logger.warn(`${this.api.host} refused the ${what}: ${answer.message}`);
  }
}
