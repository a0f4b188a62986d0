import type { HostRepository } from '../../domain/code-host.port';
import { listAt, textAt } from '../reading';
import {
  leftToDo,
  NothingToPrepare,
  type Preparation,
  type PreparationWanted,
  submitLabelOf,
  wasSo,
  whyNoWebhook,
} from '../preparation';
import type { HostAnswer } from './client/host-answer';
import type { TokenApi } from './client/token-api';

/** The poll interval for a preparation, which does not poll. */
export const NEVER_POLLED = 0;
const LABEL_COLOR = '#1d76db';

/**
 * Sets up a repository before its first merge. A preparation can run again, because steps that are done already change
 * nothing.
 */
export abstract class HostPreparation<Api extends TokenApi> {
  protected readonly repository: HostRepository;

  constructor(
    protected readonly api: Api,
    protected readonly wanted: PreparationWanted,
    /** Whether the host is configured with a webhook secret. */
    private readonly hasSecret: boolean,
    /** The words of the host for "pull request". */
    private readonly request: string,
  ) {
    this.repository = { id: '', host: api.host, ...wanted.repository };
  }

  /** Carries out all steps. Throws HostUnavailable, NothingToPrepare. */
  async run(): Promise<readonly Preparation[]> {
    const { owner, name } = this.repository;
    const seen = await this.api.findRepository(this.repository);
    if (seen === null)
      throw new NothingToPrepare(`${this.api.host} has no ${owner}/${name} that the service can see under that name.`);
    const branch = this.wanted.branch ?? textAt(seen, 'default_branch') ?? 'main';
    return [await this.prepareWebhook(), ...(await this.prepareBranch(branch, seen)), await this.prepareLabel()];
  }

  /**
   * Prepares the right to push to the target, and what else its rules need. `seen`: the repository as the host shows
   * it.
   */
  protected abstract prepareBranch(branch: string, seen: unknown): Promise<readonly Preparation[]>;

  /** The URL of a webhook. `hook`: an item of the host's list. */
  protected abstract urlOf(hook: unknown): string | null;

  /** Instructions for adding the webhook manually. */
  protected abstract addByHand(url: string): string;

  /** Sets the webhook. `known`: the existing webhook, or undefined. */
  protected abstract setWebhook(url: string, known: unknown): Promise<Preparation>;

  /**
   * Requests a change, and checks the answer. `flawOf`: the requested change that the answer does not show; null if it
   * shows all.
   */
  protected async change(
    what: string,
    byHand: string,
    ask: () => Promise<HostAnswer>,
    flawOf: (body: unknown) => Preparation | null = () => null,
  ): Promise<Preparation> {
    if (this.wanted.isDryRun) return { outcome: 'to do', what, advice: null };
    const answer = await ask();
    if (answer.type === 'refused') return leftToDo(`${what}: ${answer.message}`, byHand);
    return flawOf(answer.body) ?? { outcome: 'done', what, advice: null };
  }

  private async prepareWebhook(): Promise<Preparation> {
    const { publicUrl, config } = this.wanted;
    const none = whyNoWebhook(publicUrl, this.hasSecret);
    if (none !== null) return none;
    const url = `${publicUrl}/webhooks/${config.kind}/${config.host}`;
    const hooks = await this.api.askAll(this.repository, 'hooks');
    if (hooks.type === 'refused') return leftToDo(`the webhook: ${hooks.message}`, this.addByHand(url));
    return this.setWebhook(
      url,
      listAt(hooks.body).find((one) => this.urlOf(one) === url),
    );
  }

  private async prepareLabel(): Promise<Preparation> {
    const name = submitLabelOf(this.wanted.brand);
    const what = `the label ${name}, which submits a ${this.request}`;
    const byHand = `Make the label ${name}, if people are to submit by it.`;
    const labels = await this.api.askAll(this.repository, 'labels');
    if (labels.type === 'refused') return leftToDo(`${what}: ${labels.message}`, byHand);
    if (listAt(labels.body).some((one) => textAt(one, 'name') === name)) return wasSo(what);
    const body = { name, color: LABEL_COLOR, description: `Submits the ${this.request} to the merge queue` };
    return this.change(what, byHand, () => this.api.ask(this.repository, 'POST', 'labels', { body }));
  }
}
