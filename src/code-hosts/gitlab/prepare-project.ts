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
import type { HostAnswer } from '../forge/client/host-answer';
import { GitLabApi } from './client/gitlab-api';
import { PRIVATE_ADDRESSES, TRIGGERS } from './doctor/examined-webhook';
import { type GitLabSettings, readGitLabSettings } from './gitlab-settings';
import { matchesProtection, roleLevelIn, whoMay } from './reading/protected-branches';

/** Nothing is polled here. */
const NEVER = 0;
const LABEL_COLOR = '#1d76db';
const PUSHERS = 'push_access_levels';
const NAMES_NO_USERS = 'this plan of GitLab names no single users';

/**
 * Does what a project of GitLab needs before its first merge: the webhook, who may push to the target, and the label that submits;
 * and says when a rule is about testing branches. What was done already stays as it is, so it can be run again. Throws ConfigError,
 * HostUnavailable, NothingToPrepare.
 */
export function prepareProject(
  wanted: PreparationWanted,
  clock: Clock = new SystemClock(),
): Promise<readonly Preparation[]> {
  const settings = readGitLabSettings({ ...wanted.config, pollSeconds: NEVER });
  const { host, apiUrl, token } = settings;
  const api = new GitLabApi({ host, apiUrl, token, clock, gate: new TokenGate(host, clock) });
  return new ProjectPreparation(api, wanted, settings).run();
}

/** Who the service is in the project. */
interface Self {
  readonly login: string;
  readonly userId: number | null;
  readonly level: number;
}

class ProjectPreparation {
  private readonly project: HostRepository;

  constructor(
    private readonly api: GitLabApi,
    private readonly wanted: PreparationWanted,
    private readonly settings: Pick<GitLabSettings, 'webhookSecret' | 'webhookKey'>,
  ) {
    this.project = { id: '', host: api.host, ...wanted.repository };
  }

  async run(): Promise<readonly Preparation[]> {
    const { owner, name } = this.project;
    const seen = await this.api.findRepository(this.project);
    if (seen === null)
      throw new NothingToPrepare(`${this.api.host} has no ${owner}/${name} that the service can see under that name.`);
    const branch = this.wanted.branch ?? textAt(seen, 'default_branch') ?? 'main';
    const user = await this.api.askServer('GET', '/user');
    const body = user.type === 'answered' ? user.body : null;
    const login = textAt(body, 'username') ?? 'the user of the service';
    const self = { login, userId: numberAt(body, 'id'), level: roleLevelIn(seen) };
    return [await this.prepareWebhook(), ...(await this.prepareBranches(branch, self)), await this.prepareLabel()];
  }

  private async prepareWebhook(): Promise<Preparation> {
    const { publicUrl, config } = this.wanted;
    const { webhookSecret, webhookKey } = this.settings;
    const none = whyNoWebhook(publicUrl, webhookSecret !== null || webhookKey !== null);
    if (none !== null) return none;
    const url = `${publicUrl}/webhooks/gitlab/${config.host}`;
    const names = Object.values(TRIGGERS).join(', ');
    const byHand = `Add a webhook to ${url} in the settings of the project: ${names}. ${PRIVATE_ADDRESSES}`;
    const hooks = await this.api.askAll(this.project, 'hooks');
    if (hooks.type === 'refused') return leftToDo(`the webhook: ${hooks.message}`, byHand);
    const known = listAt(hooks.body).find((one) => textAt(one, 'url') === url);
    // The host makes such a key itself, and shows it nowhere but on the page of the webhook.
    if (webhookSecret === null) {
      if (known !== undefined) return wasSo(`a webhook to ${url}, whose signing token GitLab does not show`);
      return leftToDo('no webhook: only webhookSigningToken is configured, which GitLab makes itself', byHand);
    }
    const on = Object.fromEntries(Object.keys(TRIGGERS).map((trigger) => [trigger, true]));
    const body = { url, token: webhookSecret, ...on };
    const id = numberAt(known, 'id');
    if (id === null)
      return this.change(`a webhook to ${url}`, byHand, () => this.api.ask(this.project, 'POST', 'hooks', { body }));
    // The host does not show the secret, so that of a known one is set again: it may be another.
    const what = `the webhook to ${url} tells what it must, with the secret of the service`;
    const changed = await this.change(what, byHand, () => this.api.ask(this.project, 'PUT', `hooks/${id}`, { body }));
    const alert = textAt(known, 'alert_status');
    const isOff = alert === 'disabled' || alert === 'temporarily_disabled';
    if (!isOff || changed.outcome === 'left') return changed;
    const off = `${what}, but GitLab has switched it off after failures`;
    return leftToDo(off, `Test it on its page, which switches it on. ${PRIVATE_ADDRESSES}`);
  }

  private async prepareBranches(branch: string, self: Self): Promise<readonly Preparation[]> {
    const rules = await this.api.askAll(this.project, 'protected_branches');
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
      () => this.api.ask(this.project, 'PATCH', path, { body }),
      // A plan that names no users may leave out what it does not know.
      (changed) =>
        whoMay([changed], PUSHERS, self) === 'yes'
          ? null
          : leftToDo(`${self.login} may not push to ${branch}: ${NAMES_NO_USERS}`, byHand),
    );
  }

  private async protect(branch: string, self: Self): Promise<Preparation> {
    const { login, userId } = self;
    if (!this.wanted.protects) {
      const open = `no rule is about ${branch}: Developers may push to it past the queue`;
      return wasSo(open, 'With --protect it gets one.');
    }
    const alone = `a rule for ${branch}, by which only ${login} pushes to it`;
    const byHand = `Protect ${branch}, with ${login} in "Allowed to push and merge": Settings, Repository, Protected branches.`;
    const made = (body: object) => this.api.ask(this.project, 'POST', 'protected_branches', { body });
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

  private async prepareLabel(): Promise<Preparation> {
    const name = submitLabelOf(this.wanted.brand);
    const what = `the label ${name}, which submits a merge request`;
    const byHand = `Make the label ${name}, if people are to submit by it.`;
    const labels = await this.api.askAll(this.project, 'labels');
    if (labels.type === 'refused') return leftToDo(`${what}: ${labels.message}`, byHand);
    if (listAt(labels.body).some((one) => textAt(one, 'name') === name)) return wasSo(what);
    const body = { name, color: LABEL_COLOR, description: 'Submits the merge request to the merge queue' };
    return this.change(what, byHand, () => this.api.ask(this.project, 'POST', 'labels', { body }));
  }

  /** `flawOf`: what the answer does not have of what was asked for; null: nothing. */
  private async change(
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
}

/** Such branches can be removed by no push, and made only by who may push there. */
function examineTestingBranches(prefix: string, rules: readonly unknown[]): Preparation {
  const rule = rules.find((one) => matchesProtection(one, `${prefix}pr-1/run`));
  if (rule === undefined) return wasSo(`no rule is about testing branches, ${prefix}…`);
  const name = textAt(rule, 'name') ?? '';
  const inherited = at(rule, 'inherited') === true ? ' of a group' : '';
  const what = `the protection of "${name}"${inherited} is about testing branches, ${prefix}…, which then no push can remove`;
  return leftToDo(what, 'Let it name the branches that it is meant for.');
}

function letPush(branch: string, { login }: Self): string {
  return `Add ${login}, or its role, to "Allowed to push and merge" of ${branch}: Settings, Repository, Protected branches.`;
}
