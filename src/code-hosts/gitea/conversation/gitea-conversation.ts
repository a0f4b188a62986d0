import { Logger } from '@nestjs/common';
import {
  type HostRepository,
  HostUnavailable,
  type PullRequestConversation,
  type Reaction,
  type ShownStatus,
  type TestingPullRequest,
} from '../../../domain/code-host.port';
import { BoundedMap } from '../../bounded-map';
import { listAt, numberAt, textAt } from '../../reading';
import { repositoryKey } from '../../repository-path';
import type { HostAnswer } from '../../forge/client/host-answer';
import type { GiteaApi } from '../client/gitea-api';
import { findIn } from '../reading/open-pull-requests';
import type { Clock } from '../../../platform/clock/clock';
import { GiteaPeople } from './gitea-people';

const MOST_KNOWN = 2_000;
/** What makes a pull request a draft there. */
const DRAFT = 'WIP: ';

/** What the queue shows at a Gitea. Permanent refusals are only logged, because no decision depends on it. */
export class GiteaConversation implements PullRequestConversation {
  readonly people: GiteaPeople;
  readonly branchRemovalCloses = true;
  private readonly logger = new Logger(GiteaConversation.name);
  /** Comments of ours, by repository, pull request and marker: an edit is one request. */
  private readonly comments = new BoundedMap<number>(MOST_KNOWN);
  /** The newest status of ours by commit and name: the same one again would be one more row. */
  private readonly statuses = new BoundedMap<string>(MOST_KNOWN);

  constructor(
    private readonly api: GiteaApi,
    bots: readonly string[],
    clock: Clock,
  ) {
    this.people = new GiteaPeople(api, bots, clock);
  }

  async ensureComment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.findComment(repository, number, marker);
    if (id === null) return this.comment(repository, number, marker, body);
    const answer = await this.api.ask(repository, 'PATCH', `issues/comments/${id}`, { body: { body } });
    if (answer.type === 'answered') return;
    this.comments.delete(commentKey(repository, number, marker));
    // Somebody deleted it.
    if (answer.status === 404) return this.comment(repository, number, marker, body);
    this.note(`comment on #${number}`, answer);
  }

  async reply(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const id = await this.findComment(repository, number, marker);
    if (id === null) await this.comment(repository, number, marker, body);
  }

  async showStatus(repository: HostRepository, commit: string, shown: ShownStatus): Promise<void> {
    const { name, state, description, url } = shown;
    const key = `${repositoryKey(repository)} ${commit} ${name}`;
    const said = JSON.stringify(shown);
    if (this.statuses.get(key) === said) return;
    const body = { context: name, state, description, ...(url === null ? {} : { target_url: url }) };
    const answer = await this.api.ask(repository, 'POST', `statuses/${commit}`, { body });
    if (answer.type === 'answered') this.statuses.set(key, said);
    else this.note(`status on ${commit}`, answer);
  }

  async openTestingPullRequest(repository: HostRepository, pullRequest: TestingPullRequest): Promise<void> {
    const { branch: head, targetBranch: base, title, body } = pullRequest;
    const wanted = { head, base, title: `${DRAFT}${title}`, body };
    const answer = await this.api.ask(repository, 'POST', 'pulls', { body: wanted });
    // 409: an earlier try opened it already, and its answer was lost.
    if (answer.type === 'answered' || answer.status === 409) return;
    const what = `${this.api.host} did not open a pull request for ${head}: ${answer.message}`;
    throw new HostUnavailable(this.api.host, 'server_error', what);
  }

  async closeTestingPullRequest(repository: HostRepository, branch: string): Promise<void> {
    for (const number of await findIn(this.api, repository, branch, 'open', Infinity)) {
      const answer = await this.api.ask(repository, 'PATCH', `pulls/${number}`, { body: { state: 'closed' } });
      this.noteRefusal(`close #${number}`, answer);
    }
  }

  async react(repository: HostRepository, _number: number, commentId: string, content: Reaction): Promise<void> {
    const path = `issues/comments/${Number(commentId)}/reactions`;
    this.noteRefusal(`reaction to ${commentId}`, await this.api.ask(repository, 'POST', path, { body: { content } }));
  }

  /** Gitea takes only the id of a label. Forgejo takes a name first, and a label may have the id of another one as its name. */
  async removeLabel(repository: HostRepository, number: number, name: string): Promise<void> {
    const listed = listAt((await this.api.read(repository, `issues/${number}/labels`))?.body);
    const label = listed.find((one) => textAt(one, 'name')?.toLowerCase() === name.toLowerCase());
    const id = numberAt(label, 'id');
    if (id === null) return;
    const remove = (which: string | number): Promise<HostAnswer> =>
      this.api.ask(repository, 'DELETE', `issues/${number}/labels/${which}`);
    const isAmbiguous = listed.some((one) => textAt(one, 'name') === String(id));
    const byName = isAmbiguous ? await remove(encodeURIComponent(textAt(label, 'name') ?? '')) : null;
    if (byName?.type === 'answered') return;
    const answer = await remove(id);
    if (answer.type === 'refused' && answer.status !== 404) this.note(`removal of the label ${name}`, answer);
  }

  private async comment(repository: HostRepository, number: number, marker: string, body: string): Promise<void> {
    const answer = await this.api.ask(repository, 'POST', `issues/${number}/comments`, { body: { body } });
    this.noteRefusal(`comment on #${number}`, answer);
    const id = answer.type === 'answered' ? numberAt(answer.body, 'id') : null;
    if (id !== null) this.comments.set(commentKey(repository, number, marker), id);
  }

  /** The oldest one with that marker by the service itself; where its login is not known, by anybody. */
  private async findComment(repository: HostRepository, number: number, marker: string): Promise<number | null> {
    const known = this.comments.get(commentKey(repository, number, marker));
    if (known !== undefined) return known;
    const listed = await this.api.read(repository, `issues/${number}/comments`);
    const author = await this.api.ownLogin();
    const own = listAt(listed?.body).find(
      (one) =>
        textAt(one, 'body')?.includes(marker) === true && (author === null || textAt(one, 'user', 'login') === author),
    );
    const id = numberAt(own, 'id');
    if (id !== null) this.comments.set(commentKey(repository, number, marker), id);
    return id;
  }

  private noteRefusal(what: string, answer: HostAnswer): void {
    if (answer.type === 'refused') this.note(what, answer);
  }

  private note(what: string, { message }: { readonly message: string }): void {
    this.logger.warn(`${this.api.host} refused the ${what}: ${message}`);
  }
}

function commentKey(repository: HostRepository, number: number, marker: string): string {
  return `${repositoryKey(repository)}#${number} ${marker}`;
}
