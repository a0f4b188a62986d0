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
  'Gitea and Forgejo deliver to a private address only if ALLOWED_HOST_LIST in the section [webhook] of their configuration names it.';

/** Examines a Gitea or Forgejo for `sluice doctor`. */
export class GiteaDoctor implements ServerDoctor {
  readonly loginField = 'login';
  readonly userScope = 'read:user';
  readonly unreadableAdvice = 'Check its name, and give the token the scope write:repository.';

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
      const what =
        'merged pull requests are shown as closed, not as merged, because the repository does not allow manual merges';
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
      return problem(
        about,
        'the service has no write access',
        'Give its user write access, and the token write:repository.',
      );
    }
    if (at(seen, 'permissions', 'admin') === true)
      return ok(about, 'the service is an administrator, and can read the rules');
    const unread =
      'whether stale approvals count, whether rejections block merges, and which permissions people have beyond write access';
    return unknown(about, `${unread}: the service is not an administrator, and assumes the strictest rules`, null);
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
      return problem(about, 'its webhook sends forms, not JSON', 'Choose application/json as its content type.');
    }
    return ok(
      about,
      `its webhook is ${wanted}`,
      `Gitea and Forgejo do not say whether deliveries arrive. ${PRIVATE_ADDRESSES}`,
    );
  }

  private async examineTarget(
    repository: HostRepository,
    { targetBranch, mergeMethod }: ExaminedQueue,
    seen: unknown,
  ): Promise<readonly Finding[]> {
    const about = `${nameOfRepository(repository)} ${targetBranch}`;
    const { api } = this.parts;
    const page = await replyOrWhyNot(() => api.ask(repository, 'GET', `branches/${pathOf(targetBranch)}`));
    if (typeof page === 'string') return [unknown(about, `the demands of its protection: ${page}`)];
    const rule = ruleNameOf(page.body);
    const read =
      rule && (await replyOrWhyNot(() => api.ask(repository, 'GET', `branch_protections/${encodeURIComponent(rule)}`)));
    const protection = typeof read === 'object' && read !== null ? read.body : null;
    const demands = protectionDemandsOf(page.body, protection);
    const findings: Finding[] = [];
    if (this.parts.hostMerges) {
      findings.push(ok(about, 'the server merges one pull request after another, because hostMerges is set'));
    } else if (demands.mayPush === false) {
      const what =
        'the service may not push to the branch: pull requests are merged one at a time, by the statuses of their heads';
      findings.push(problem(about, what, 'Add the user of the service to the push whitelist of the rule.'));
      if (at(seen, ALLOWED_BY[mergeMethod]) === false)
        findings.push(
          problem(about, `the repository does not allow ${mergeMethod}`, 'Allow this method, or choose another.'),
        );
    } else findings.push(ok(about, 'the service may push to the branch: a whole test run is merged at once'));
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
          'CI reports these statuses only on pull requests: keep testing pull requests switched on in the queue settings.',
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
        'the service may not merge into the branch, so merged pull requests are shown as closed, not as merged';
      return [problem(about, what, 'Add the user of the service to the merge whitelist of the rule.')];
    }
    if (at(protection, 'enable_merge_whitelist') !== false) return [];
    const advice = 'A merge whitelist prevents that: `sluice gitea prepare --protect` creates one.';
    return [ok(about, 'people with write access may merge into it and bypass the queue', advice)];
  }

  private checkSignatures(about: string, mergeMethod: MergeMethod): Finding {
    if (!this.parts.keys.signs) {
      const way = 'Give the host a signing key, as docs/gitea.md says, or remove this demand from the rule.';
      return problem(about, 'demands signed commits, and the service has no key to sign them', way);
    }
    const advice = 'The queue makes merge commits, so authors must sign the commits of their pull requests.';
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
      what: 'protects files: nobody can merge pull requests that change these files, not even people who may push',
      way: 'To merge such a pull request, remove the file pattern from the rule first.',
    },
  ],
];

/** A sentence about workflows that an owner requires: no call of Gitea shows them, and a push bypasses them. */
function scopedWorkflowsOf(version: string): string | null {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)(?!.*gitea)/.exec(version)?.map(Number) ?? [];
  const hasThem = major === 1 && minor >= 27;
  return hasThem
    ? 'If the owner or the server requires its own workflows, set hostMerges of the host, because a push bypasses those workflows.'
    : null;
}

function nameOf(rule: unknown): string {
  return textAt(rule, 'rule_name') || textAt(rule, 'branch_name') || '';
}
