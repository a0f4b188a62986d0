import { SystemClock } from '../../platform/clock/clock';
import { HostPreparation, NEVER_POLLED } from '../forge/host-preparation';
import { leftToDo, type Preparation, type PreparationWanted, wasSo } from '../preparation';
import { at, listAt, numberAt, textAt } from '../reading';
import { TokenGate } from '../token-gate';
import { GiteaApi } from './client/gitea-api';
import { ruleNameOf } from './reading/branch-demands';
import { pathOf } from './reading/gitea-pull-requests';
import { readGiteaSettings } from './gitea-settings';

/**
 * The events of the webhook. `pull_request` includes labels, comments, reviews and pushes of pull requests. Servers
 * ignore unknown events; Gitea ignores the last three.
 */
export const HOOK_EVENTS = [
  ...['push', 'create', 'delete', 'pull_request', 'status'],
  ...['action_run_success', 'action_run_failure', 'action_run_recover'],
];
/**
 * Sets up a Gitea or Forgejo repository before its first merge: the webhook, the permission to mark pull requests as
 * merged, the right to push, and the label that submits. The preparation can run again, because steps that are done
 * already change nothing. Throws ConfigError, HostUnavailable, NothingToPrepare.
 */
export function prepareRepository(wanted: PreparationWanted): Promise<readonly Preparation[]> {
  const clock = new SystemClock();
  const settings = readGiteaSettings({ ...wanted.config, pollSeconds: NEVER_POLLED });
  const api = new GiteaApi({ ...settings, clock, gate: new TokenGate(settings.host, clock) });
  return new RepositoryPreparation(api, wanted, settings.webhookSecret).run();
}

class RepositoryPreparation extends HostPreparation<GiteaApi> {
  constructor(
    api: GiteaApi,
    wanted: PreparationWanted,
    private readonly webhookSecret: string | null,
  ) {
    super(api, wanted, webhookSecret !== null, 'pull request');
  }

  protected async prepareBranch(branch: string): Promise<readonly Preparation[]> {
    return [await this.allowMarks(), await this.preparePushes(branch), await this.prepareMerges(branch)];
  }

  protected urlOf(hook: unknown): string | null {
    return textAt(hook, 'config', 'url');
  }

  protected addByHand(url: string): string {
    return `Add a webhook to ${url} in the settings of the repository.`;
  }

  protected setWebhook(url: string, known: unknown): Promise<Preparation> {
    const byHand = this.addByHand(url);
    const settings = { url, content_type: 'json', secret: this.webhookSecret };
    const id = numberAt(known, 'id');
    const body = { active: true, events: HOOK_EVENTS, config: settings };
    // The server does not show the secret of an existing webhook, which may differ, so the secret is set again.
    if (id !== null) {
      const what = `the webhook to ${url} is active, with the secret of the service`;
      return this.change(what, byHand, () => this.api.ask(this.repository, 'PATCH', `hooks/${id}`, { body }));
    }
    const made = { type: 'gitea', ...body };
    return this.change(`a webhook to ${url}`, byHand, () =>
      this.api.ask(this.repository, 'POST', 'hooks', { body: made }),
    );
  }

  /** The server does not show whether marks are allowed, so the permission is set each time. */
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
      return leftToDo(`who may push to ${branch}: ${page.message}`, 'Check the name of the branch.');
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
      const open = `no rule protects ${branch}: people may push to the branch and bypass the queue`;
      return Promise.resolve(wasSo(open, '--protect creates a rule.'));
    }
    const body = {
      rule_name: branch,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: [login],
    };
    return this.change(what, byHand, () => this.api.ask(this.repository, 'POST', 'branch_protections', { body }));
  }

  /**
   * Restricts the merge button. The service needs the right to merge to mark pull requests as merged, and a push
   * whitelist leaves people the button, with which they could merge untested pull requests.
   */
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
      const what = `everybody with write access may merge into ${branch} and bypass the queue`;
      return wasSo(what, 'With --protect, only the service and the people named by --keep-button may.');
    }
    const body = { enable_merge_whitelist: true, merge_whitelist_usernames: [...listed, ...missing] };
    const what = `${isLimited ? '' : 'only '}${[...listed, ...missing].join(', ')} may merge into ${branch} by the button`;
    const done = await this.change(what, byHand, () => this.api.ask(this.repository, 'PATCH', rule, { body }));
    return isLimited || done.outcome === 'left' ? done : { ...done, advice: withoutButton(branch) };
  }
}

function withoutButton(branch: string): string {
  const who = 'Everybody else loses the merge button, including administrators and bots.';
  return `${who} If the service is down, switch the merge whitelist off in the rule for ${branch}.`;
}
