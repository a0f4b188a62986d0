import type { HostRepository } from '../../domain/code-host.port';
import { type Clock, SystemClock } from '../../platform/clock/clock';
import { at, listAt, numberAt, textAt } from '../reading';
import {
  leftToDo,
  NothingToPrepare,
  type Preparation,
  type PreparationWanted,
  submitLabelOf,
  wasSo,
  whyNoWebhook,
} from '../preparation';
import { TokenGate } from '../token-gate';
import { GiteaApi } from './client/gitea-api';
import { ruleNameOf } from './reading/branch-demands';
import { pathOf } from './reading/gitea-pull-requests';
import { readGiteaSettings } from './gitea-settings';

/** `pull_request` has its labels, comments, reviews and pushes with it. Servers ignore what they do not know: Gitea the last three. */
export const HOOK_EVENTS = [
  ...['push', 'create', 'delete', 'pull_request', 'status'],
  ...['action_run_success', 'action_run_failure', 'action_run_recover'],
];
/** Nothing is polled here. */
const NEVER = 0;
const LABEL_COLOR = '#1d76db';

/**
 * Does what a repository of Gitea or Forgejo needs before its first merge: the webhook, that pull requests may be marked as
 * merged, who may push, and the label that submits. What was done already stays as it is, so it can be run again. Throws
 * ConfigError, HostUnavailable, NothingToPrepare.
 */
export function prepareRepository(
  wanted: PreparationWanted,
  clock: Clock = new SystemClock(),
): Promise<readonly Preparation[]> {
  const { host, apiUrl, token, webhookSecret } = readGiteaSettings({ ...wanted.config, pollSeconds: NEVER });
  const api = new GiteaApi({ host, apiUrl, token, clock, gate: new TokenGate(host, clock) });
  return new RepositoryPreparation(api, wanted, webhookSecret).run();
}

class RepositoryPreparation {
  private readonly repository: HostRepository;

  constructor(
    private readonly api: GiteaApi,
    private readonly wanted: PreparationWanted,
    private readonly webhookSecret: string | null,
  ) {
    this.repository = { id: '', host: api.host, ...wanted.repository };
  }

  async run(): Promise<readonly Preparation[]> {
    const { owner, name } = this.repository;
    const seen = await this.api.findRepository(this.repository);
    if (seen === null)
      throw new NothingToPrepare(`${this.api.host} has no ${owner}/${name} that the service can see under that name.`);
    const branch = this.wanted.branch ?? textAt(seen, 'default_branch') ?? 'main';
    return [
      await this.prepareWebhook(),
      await this.allowMarks(),
      await this.preparePushes(branch),
      await this.prepareMerges(branch),
      await this.prepareLabel(),
    ];
  }

  private async prepareWebhook(): Promise<Preparation> {
    const { publicUrl, config } = this.wanted;
    const url = `${publicUrl}/webhooks/gitea/${config.host}`;
    const byHand = `Add a webhook to ${url} in the settings of the repository.`;
    const none = whyNoWebhook(publicUrl, this.webhookSecret !== null);
    if (none !== null) return none;
    const hooks = await this.api.askAll(this.repository, 'hooks');
    if (hooks.type === 'refused') return leftToDo(`the webhook: ${hooks.message}`, byHand);
    const settings = { url, content_type: 'json', secret: this.webhookSecret };
    const known = listAt(hooks.body).find((one) => textAt(one, 'config', 'url') === url);
    const id = numberAt(known, 'id');
    const body = { active: true, events: HOOK_EVENTS, config: settings };
    // The server does not show the secret, so that of a known one is set again: it may be another.
    if (id !== null) {
      const what = `the webhook to ${url} is active, with the secret of the service`;
      return this.change(what, byHand, () => this.api.ask(this.repository, 'PATCH', `hooks/${id}`, { body }));
    }
    const made = { type: 'gitea', ...body };
    return this.change(`a webhook to ${url}`, byHand, () =>
      this.api.ask(this.repository, 'POST', 'hooks', { body: made }),
    );
  }

  /** The server does not say whether they may, so it is set each time. */
  private allowMarks(): Promise<Preparation> {
    const what = 'pull requests may be marked as manually merged';
    const byHand = 'Allow "Mark pull request as manually merged" in the settings of the repository.';
    return this.change(what, byHand, () =>
      this.api.ask(this.repository, 'PATCH', '', { body: { allow_manual_merge: true } }),
    );
  }

  private async preparePushes(branch: string): Promise<Preparation> {
    const login = (await this.api.ownLogin()) ?? 'the user of the service';
    const byHand = `Add ${login} to the push whitelist of the rule for ${branch}.`;
    const page = await this.api.ask(this.repository, 'GET', `branches/${pathOf(branch)}`);
    if (page.type === 'refused')
      return leftToDo(`who may push to ${branch}: ${page.message}`, 'See the name of the branch.');
    if (at(page.body, 'protected') !== true) return this.protect(branch, login);
    if (at(page.body, 'user_can_push') === true) return wasSo(`${login} may push to ${branch}`);
    const rule = `branch_protections/${encodeURIComponent(ruleNameOf(page.body) ?? branch)}`;
    const read = await this.api.ask(this.repository, 'GET', rule);
    if (read.type === 'refused') return leftToDo(`${login} may not push to ${branch}: ${read.message}`, byHand);
    const listed = listAt(read.body, 'push_whitelist_usernames').filter((one) => one !== login);
    const body = {
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: [...(at(read.body, 'enable_push_whitelist') === true ? listed : []), login],
    };
    return this.change(`${login} may push to ${branch}`, byHand, () =>
      this.api.ask(this.repository, 'PATCH', rule, { body }),
    );
  }

  private protect(branch: string, login: string): Promise<Preparation> {
    const what = `a rule for ${branch}, by which only ${login} pushes to it`;
    const byHand = `Protect ${branch}, with ${login} alone in the whitelists for pushes and merges.`;
    if (!this.wanted.protects) {
      const open = `no rule is about ${branch}: people may push to it past the queue`;
      return Promise.resolve(wasSo(open, 'With --protect it gets one.'));
    }
    const body = {
      rule_name: branch,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: [login],
    };
    return this.change(what, byHand, () => this.api.ask(this.repository, 'POST', 'branch_protections', { body }));
  }

  /** A mark asks for the right to merge. A push whitelist leaves people the merge button, so that they can merge untested. */
  private async prepareMerges(branch: string): Promise<Preparation> {
    const login = (await this.api.ownLogin()) ?? 'the user of the service';
    const byHand = `Add ${login} to the merge whitelist of the rule for ${branch}.`;
    const page = await this.api.ask(this.repository, 'GET', `branches/${pathOf(branch)}`);
    const isProtected = page.type === 'answered' && at(page.body, 'protected') === true;
    const rule = `branch_protections/${encodeURIComponent((isProtected && ruleNameOf(page.body)) || branch)}`;
    const read = isProtected ? await this.api.ask(this.repository, 'GET', rule) : null;
    if (read?.type === 'refused') {
      const mayMerge = page.type === 'answered' && at(page.body, 'user_can_merge') === true;
      return mayMerge
        ? wasSo(`${login} may merge into ${branch}`)
        : leftToDo(`${login} may not merge into ${branch}: ${read.message}`, byHand);
    }
    const isLimited = at(read?.body, 'enable_merge_whitelist') === true;
    const listed = isLimited ? listAt(read?.body, 'merge_whitelist_usernames') : [];
    const wanted = [login, ...(this.wanted.protects ? this.wanted.keepsButton : [])];
    const missing = wanted.filter((one) => !listed.includes(one));
    if (isLimited && missing.length === 0) return wasSo(`${wanted.join(', ')} may merge into ${branch}`);
    if (!isLimited && !this.wanted.protects) {
      const what = `whoever may write may merge into ${branch} past the queue`;
      return wasSo(what, 'With --protect only the service may, and whom --keep-button names.');
    }
    const body = { enable_merge_whitelist: true, merge_whitelist_usernames: [...listed, ...missing] };
    const what = `${isLimited ? '' : 'only '}${[...listed, ...missing].join(', ')} may merge into ${branch} by the button`;
    const done = await this.change(what, byHand, () => this.api.ask(this.repository, 'PATCH', rule, { body }));
    return isLimited || done.outcome === 'left' ? done : { ...done, advice: withoutButton(branch) };
  }

  private async prepareLabel(): Promise<Preparation> {
    const name = submitLabelOf(this.wanted.brand);
    const what = `the label ${name}, which submits a pull request`;
    const labels = await this.api.readAll(this.repository, 'labels');
    if ((labels ?? []).some((one) => textAt(one, 'name') === name)) return wasSo(what);
    const body = { name, color: LABEL_COLOR, description: 'Submits the pull request to the merge queue' };
    const byHand = `Make the label ${name}, if people are to submit by it.`;
    return this.change(what, byHand, () => this.api.ask(this.repository, 'POST', 'labels', { body }));
  }

  private async change(what: string, byHand: string, ask: () => ReturnType<GiteaApi['ask']>): Promise<Preparation> {
    if (this.wanted.isDryRun) return { outcome: 'to do', what, advice: null };
    const answer = await ask();
    return answer.type === 'answered'
      ? { outcome: 'done', what, advice: null }
      : leftToDo(`${what}: ${answer.message}`, byHand);
  }
}

function withoutButton(branch: string): string {
  const who = 'All others lose the merge button, administrators and bots as well.';
  return `${who} If the service is down, switch the merge whitelist off in the rule for ${branch}.`;
}
