import { SystemClock } from '../../platform/clock/clock';
import { HostPreparation, NEVER_POLLED } from '../forge/host-preparation';
import { leftToDo, type Preparation, type PreparationWanted, wasSo } from '../preparation';
import { at, listAt, numberAt, textAt } from '../reading';
import { TokenGate } from '../token-gate';
import { GitLabApi } from './client/gitlab-api';
import { PRIVATE_ADDRESSES, TRIGGERS } from './doctor/examined-webhook';
import { type GitLabSettings, readGitLabSettings } from './gitlab-settings';
import { matchesProtection, roleLevelIn, whoMay } from './reading/protected-branches';

const PUSHERS = 'push_access_levels';
const NAMES_NO_USERS = 'this GitLab plan cannot name single users';

/**
 * Sets up a GitLab project before its first merge: the webhook, the right to push to the target, and the label that
 * submits. Also reports protection rules that apply to testing branches. A second run changes only what is still
 * missing. Throws ConfigError, HostUnavailable, NothingToPrepare.
 */
export function prepareProject(wanted: PreparationWanted): Promise<readonly Preparation[]> {
  const clock = new SystemClock();
  const settings = readGitLabSettings({ ...wanted.config, pollSeconds: NEVER_POLLED });
  const api = new GitLabApi({ ...settings, clock, gate: new TokenGate(settings.host, clock) });
  return new ProjectPreparation(api, wanted, settings).run();
}

/** The service's own user and role in the project. */
interface Self {
  readonly login: string;
  readonly userId: number | null;
  readonly level: number;
}

class ProjectPreparation extends HostPreparation<GitLabApi> {
  constructor(
    api: GitLabApi,
    wanted: PreparationWanted,
    private readonly settings: Pick<GitLabSettings, 'webhookSecret' | 'webhookKey'>,
  ) {
    super(api, wanted, settings.webhookSecret !== null || settings.webhookKey !== null, 'merge request');
  }

  protected urlOf(hook: unknown): string | null {
    return textAt(hook, 'url');
  }

  protected addByHand(url: string): string {
    const names = Object.values(TRIGGERS).join(', ');
    return `Add a webhook to ${url} in the settings of the project: ${names}. ${PRIVATE_ADDRESSES}`;
  }

  protected async setWebhook(url: string, known: unknown): Promise<Preparation> {
    const { webhookSecret } = this.settings;
    const byHand = this.addByHand(url);
    // GitLab itself generates the key for signatures, and shows it only on the page of the webhook.
    if (webhookSecret === null) {
      if (known !== undefined) return wasSo(`a webhook to ${url}, whose signing token GitLab does not show`);
      return leftToDo('no webhook: only webhookSigningToken is configured, which GitLab makes itself', byHand);
    }
    const on = Object.fromEntries(Object.keys(TRIGGERS).map((trigger) => [trigger, true]));
    const body = { url, token: webhookSecret, ...on };
    const id = numberAt(known, 'id');
    if (id === null)
      return this.change(`a webhook to ${url}`, byHand, () => this.api.ask(this.repository, 'POST', 'hooks', { body }));
    // An existing webhook may have another secret, which GitLab does not show, so the secret is set again.
    const what = `the webhook to ${url} sends the needed events, with the secret of the service`;
    const changed = await this.change(what, byHand, () =>
      this.api.ask(this.repository, 'PUT', `hooks/${id}`, { body }),
    );
    const alert = textAt(known, 'alert_status');
    const isOff = alert === 'disabled' || alert === 'temporarily_disabled';
    if (!isOff || changed.outcome === 'left') return changed;
    const off = `${what}, but GitLab has switched it off after failures`;
    return leftToDo(off, `Test the webhook on its page, which switches it on. ${PRIVATE_ADDRESSES}`);
  }

  protected async prepareBranch(branch: string, seen: unknown): Promise<readonly Preparation[]> {
    const user = await this.api.askServer('GET', '/user');
    const body = user.type === 'answered' ? user.body : null;
    const login = textAt(body, 'username') ?? 'the user of the service';
    const self = { login, userId: numberAt(body, 'id'), level: roleLevelIn(seen) };
    const rules = await this.api.askAll(this.repository, 'protected_branches');
    if (rules.type === 'refused')
      return [leftToDo(`who may push to ${branch}: ${rules.message}`, letPush(branch, self))];
    return [
      await this.preparePushes(branch, self, listAt(rules.body)),
      examineTestingBranches(`${this.wanted.brand}-merge/`, listAt(rules.body)),
    ];
  }

  private async preparePushes(branch: string, self: Self, rules: readonly unknown[]): Promise<Preparation> {
    const matching = rules.filter((one) => matchesProtection(one, branch));
    const rule = matching.find((one) => textAt(one, 'name') === branch) ?? matching[0];
    if (rule === undefined) return this.protect(branch, self);
    const what = `${self.login} may push to ${branch}`;
    if (whoMay(matching, PUSHERS, self) === 'yes') return wasSo(what);
    const byHand = letPush(branch, self);
    const body = { allowed_to_push: [{ user_id: self.userId }] };
    const path = `protected_branches/${encodeURIComponent(textAt(rule, 'name') ?? branch)}`;
    return this.change(
      what,
      byHand,
      () => this.api.ask(this.repository, 'PATCH', path, { body }),
      // Without a paid plan, a rule cannot name single users, and GitLab may ignore the user in the request.
      (changed) =>
        whoMay([changed], PUSHERS, self) === 'yes'
          ? null
          : leftToDo(`${self.login} may not push to ${branch}: ${NAMES_NO_USERS}`, byHand),
    );
  }

  private async protect(branch: string, self: Self): Promise<Preparation> {
    const { login, userId } = self;
    if (!this.wanted.protects) {
      const open = `no rule protects ${branch}: Developers may push to the branch and bypass the queue`;
      return wasSo(open, '--protect creates a rule.');
    }
    const alone = `a rule for ${branch}, by which only ${login} pushes to it`;
    const byHand = `Protect ${branch}, with ${login} in "Allowed to push and merge": Settings, Repository, Protected branches.`;
    const made = (body: object) => this.api.ask(this.repository, 'POST', 'protected_branches', { body });
    return this.change(
      alone,
      byHand,
      async () => {
        const answer = await made({ name: branch, allowed_to_push: [{ user_id: userId }] });
        const isOfUsers = answer.type === 'refused' && [400, 422].includes(answer.status);
        return isOfUsers ? made({ name: branch }) : answer;
      },
      (rule) => {
        const isAlone = listAt(rule, PUSHERS).every((one) => numberAt(one, 'user_id') !== null);
        const roles = `a rule for ${branch}, by which Maintainers push to it: ${NAMES_NO_USERS}`;
        if (whoMay([rule], PUSHERS, self) !== 'yes')
          return leftToDo(`a rule for ${branch}, by which ${login} may not push to it`, letPush(branch, self));
        return isAlone ? null : { outcome: 'done', what: roles, advice: null };
      },
    );
  }
}

/**
 * Reports a protection rule that applies to testing branches, because no push can remove protected branches, and only
 * users with push access can create them.
 */
function examineTestingBranches(prefix: string, rules: readonly unknown[]): Preparation {
  const rule = rules.find((one) => matchesProtection(one, `${prefix}pr-1/run`));
  if (rule === undefined) return wasSo(`no rule applies to testing branches, ${prefix}…`);
  const name = textAt(rule, 'name') ?? '';
  const inherited = at(rule, 'inherited') === true ? ' of a group' : '';
  const what = `the protection of "${name}"${inherited} also applies to testing branches, ${prefix}…, so no push can remove them`;
  return leftToDo(what, 'Change its pattern, so that it does not match testing branches.');
}

function letPush(branch: string, { login }: Self): string {
  return `Add ${login}, or its role, to "Allowed to push and merge" of ${branch}: Settings, Repository, Protected branches.`;
}
