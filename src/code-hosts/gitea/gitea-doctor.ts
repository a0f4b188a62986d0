import {
  type ExaminedQueue,
  type Finding,
  type HostExamination,
  nameOfRepository,
  ok,
  problem,
  unknown,
} from '../../domain/host-examination';
import type { HostRepository, MergeMethod } from '../../domain/code-host.port';
import { matchesGlob } from '../../domain/glob-set';
import type { Verification } from '../git/signing/examine-key';
import { at, listAt, textAt } from '../reading';
import type { GiteaApi } from './client/gitea-api';
import { type HostAnswer, replyOrWhyNot } from '../forge/client/host-answer';
import { examineRuns, examineWorkflows } from './examine-actions';
import { protectionDemandsOf, ruleNameOf } from './reading/branch-demands';
import { pathOf } from './reading/gitea-pull-requests';
import { isPattern } from './reading/status-patterns';
import {
  type ExaminedServer,
  examineServer,
  type SeenRepository,
  type ServerDoctor,
} from '../forge/server-examination';

export interface GiteaDoctorParts extends ExaminedServer {
  readonly api: GiteaApi;
  readonly hasSecret: boolean;
  readonly hostMerges: boolean;
  readonly pollSeconds: number;
}

/** For each merge method, the field of the repository that allows this method in the merge call. */
const ALLOWED_BY = {
  merge_commit: 'allow_merge_commits',
  squash: 'allow_squash_merge',
  rebase: 'allow_rebase',
} as const;
const PRIVATE_ADDRESSES =
  'Servers do not deliver to private addresses unless ALLOWED_HOST_LIST in the section [webhook] of their configuration names them.';

/** Examines a Gitea or Forgejo for `sluice doctor`. */
export class GiteaDoctor implements ServerDoctor {
  readonly loginField = 'login';
  readonly userScope = 'read:user';
  readonly unreadableAdvice = 'See its name, and give the token the scope write:repository.';

  constructor(private readonly parts: GiteaDoctorParts) {}

  examine(examination: HostExamination): Promise<readonly Finding[]> {
    return examineServer(examination, this.parts, this);
  }

  examineToken(host: string, what: string, version: string): Promise<readonly Finding[]> {
    return Promise.resolve([ok(host, what, this.parts.hostMerges ? null : scopedWorkflowsOf(version))]);
  }

  async examineRepository(
    { about, repository, queues, seen }: SeenRepository,
    { brand, publicUrl, host }: HostExamination,
  ): Promise<readonly Finding[]> {
    const findings = [this.checkPermissions(about, seen), await examineRuns(this.parts.api, about, repository)];
    if (at(seen, 'allow_manual_merge') === false) {
      const what = 'pull requests that have landed are closed, and not shown as merged: the repository allows no marks';
      findings.push(
        problem(about, what, 'Run `sluice gitea prepare`, or allow "Mark pull request as manually merged".'),
      );
    }
    findings.push(await this.examineWebhook(about, repository, `${publicUrl}/webhooks/gitea/${host}`));
    for (const queue of queues) {
      findings.push(...(await this.examineTarget(repository, queue, seen)));
      const testingBranch = `${brand}-merge/pr-1/run`;
      findings.push(...(await examineWorkflows(this.parts.api, repository, queue.targetBranch, testingBranch)));
    }
    return findings;
  }

  /** Gitea sends all rules at once. */
  askRules(repository: HostRepository): Promise<HostAnswer> {
    return this.parts.api.ask(repository, 'GET', 'branch_protections');
  }

  /** The first matching rule is in force. */
  ruleOf(branch: string, rules: readonly unknown[]): string | null {
    return rules.map(nameOf).find((name) => matchesGlob(name, branch, 'gitea-branch')) ?? null;
  }

  async verificationOf(repository: HostRepository, commit: string): Promise<Verification> {
    const seen = await replyOrWhyNot(() => this.parts.api.ask(repository, 'GET', `git/commits/${commit}`));
    if (typeof seen === 'string') return seen;
    const isVerified = at(seen.body, 'commit', 'verification', 'verified') === true;
    return { isVerified, reason: textAt(seen.body, 'commit', 'verification', 'reason') };
  }

  private checkPermissions(about: string, seen: unknown): Finding {
    if (at(seen, 'permissions', 'push') !== true) {
      return problem(about, 'the service may not write', 'Give its user write access, and the token write:repository.');
    }
    if (at(seen, 'permissions', 'admin') === true) return ok(about, 'the service administers it, and reads its rules');
    const unread = 'whether stale approvals count, rejections block, and who may do what other than write';
    return unknown(about, `${unread}: the service does not administer it, and takes the strictest`, null);
  }

  private async examineWebhook(about: string, repository: HostRepository, wanted: string): Promise<Finding> {
    const { api, hasSecret, pollSeconds } = this.parts;
    const polls = `changes are found by polling, every ${pollSeconds} s`;
    if (!hasSecret) return ok(about, `no webhook secret is configured: ${polls}`);
    const hooks = await replyOrWhyNot(() => api.askAll(repository, 'hooks'));
    if (typeof hooks === 'string') return unknown(about, `whether there is a webhook: ${hooks}`);
    const hook = listAt(hooks.body).find((one) => textAt(one, 'config', 'url') === wanted);
    if (hook === undefined) {
      return problem(about, `has no webhook to ${wanted}: ${polls}`, `Add one. ${PRIVATE_ADDRESSES}`);
    }
    if (at(hook, 'active') !== true) return problem(about, 'its webhook is switched off', 'Make it active.');
    if (textAt(hook, 'config', 'content_type') !== 'json') {
      return problem(about, 'its webhook sends forms', 'Choose application/json as its content type.');
    }
    return ok(about, `its webhook is ${wanted}`, `Whether deliveries arrive is not told. ${PRIVATE_ADDRESSES}`);
  }

  private async examineTarget(
    repository: HostRepository,
    { targetBranch, mergeMethod }: ExaminedQueue,
    seen: unknown,
  ): Promise<readonly Finding[]> {
    const about = `${nameOfRepository(repository)} ${targetBranch}`;
    const { api } = this.parts;
    const page = await replyOrWhyNot(() => api.ask(repository, 'GET', `branches/${pathOf(targetBranch)}`));
    if (typeof page === 'string') return [unknown(about, `what its protection demands: ${page}`)];
    const rule = ruleNameOf(page.body);
    const read =
      rule && (await replyOrWhyNot(() => api.ask(repository, 'GET', `branch_protections/${encodeURIComponent(rule)}`)));
    const protection = typeof read === 'object' && read !== null ? read.body : null;
    const demands = protectionDemandsOf(page.body, protection);
    const findings: Finding[] = [];
    if (this.parts.hostMerges) {
      findings.push(ok(about, 'the server merges one pull request after another, as hostMerges says'));
    } else if (demands.mayPush === false) {
      const what = 'the service may not push to it: pull requests land one by one, with the statuses of their heads';
      findings.push(problem(about, what, 'Add its user to the push whitelist of the rule.'));
      if (at(seen, ALLOWED_BY[mergeMethod]) === false)
        findings.push(problem(about, `the repository does not allow ${mergeMethod}`, 'Allow it, or choose another.'));
    } else findings.push(ok(about, 'the service may push to it: whole runs land at once'));
    findings.push(...this.checkButton(about, page.body, protection));
    if (at(protection, 'require_signed_commits') === true) findings.push(this.checkSignatures(about, mergeMethod));
    for (const [field, advice] of FIELDS) {
      if (typeof at(protection, field) === 'string' ? textAt(protection, field) !== '' : at(protection, field) === true)
        findings.push(problem(about, advice.what, advice.way));
    }
    const events = demands.contexts.filter((context) => /\(pull_request\)$/.test(context));
    if (events.length > 0) {
      const names = events.map((name) => `"${name}"`).join(', ');
      findings.push(
        ok(
          about,
          `demands ${names}`,
          'Such statuses come only while the queue opens testing pull requests: leave them on.',
        ),
      );
    }
    const patterns = demands.contexts.filter(isPattern);
    if (patterns.length > 0) findings.push(ok(about, `demands statuses by patterns: ${patterns.join(', ')}`));
    return findings;
  }

  /**
   * A finding about the merge button. The service needs the right to merge to mark pull requests as merged, and a push
   * whitelist leaves people the button.
   */
  private checkButton(about: string, branch: unknown, protection: unknown): readonly Finding[] {
    if (at(branch, 'user_can_merge') === false) {
      const what =
        'the service may not merge into it, so pull requests that have landed are closed, and not shown as merged';
      return [problem(about, what, 'Add its user to the merge whitelist of the rule.')];
    }
    if (at(protection, 'enable_merge_whitelist') !== false) return [];
    const advice = 'A merge whitelist prevents it: `sluice gitea prepare --protect` makes one.';
    return [ok(about, 'people with write access may merge into it and bypass the queue', advice)];
  }

  private checkSignatures(about: string, mergeMethod: MergeMethod): Finding {
    if (!this.parts.keys.signs) {
      const way = 'Give the host a signing key, as docs/gitea.md says, or take that out of the rule.';
      return problem(about, 'demands signed commits, and the service has no key to sign them', way);
    }
    const advice = 'With merge commits, the commits of pull requests need signatures of their authors.';
    return ok(
      about,
      'demands signed commits: the service signs its own',
      mergeMethod === 'merge_commit' ? advice : null,
    );
  }
}

const FIELDS: readonly (readonly [string, { readonly what: string; readonly way: string }])[] = [
  [
    'protected_file_patterns',
    {
      what: 'protects files: pull requests that change them land by nobody, also not by who may push',
      way: 'Merge those by hand after taking the pattern out.',
    },
  ],
];

/** A sentence about workflows that an owner requires: no call of Gitea shows them, and a push bypasses them. */
function scopedWorkflowsOf(version: string): string | null {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)(?!.*gitea)/.exec(version)?.map(Number) ?? [];
  const hasThem = major === 1 && minor >= 27;
  return hasThem
    ? 'If the owner or the server requires workflows of its own, set hostMerges of the host: a push passes them.'
    : null;
}

function nameOf(rule: unknown): string {
  return textAt(rule, 'rule_name') || textAt(rule, 'branch_name') || '';
}
