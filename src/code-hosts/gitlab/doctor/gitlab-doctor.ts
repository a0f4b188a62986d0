import {
  type ExaminedQueue,
  type Finding,
  type HostExamination,
  ok,
  problem,
  unknown,
} from '../../../domain/host-examination';
import type { HostRepository } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import type { Verification } from '../../git/signing/examine-key';
import { at, listAt, numberAt, textAt, timeAt } from '../../reading';
import { type HostAnswer, replyOrWhyNot } from '../../forge/client/host-answer';
import { examineGitLabWebhook, type ExaminedDeliveries } from './examined-webhook';
import type { GitLabApi } from '../client/gitlab-api';
import { examinePushRules } from './push-rules';
import { matchesProtection, roleLevelIn, whoMay } from '../reading/protected-branches';
import {
  type ExaminedServer,
  examineServer,
  type SeenRepository,
  type ServerDoctor,
} from '../../forge/server-examination';

export interface GitLabDoctorParts extends ExaminedDeliveries, ExaminedServer {
  readonly api: GitLabApi;
  readonly clock: Clock;
  readonly closesWhatLanded: boolean;
}

const MAINTAINER = 40;
const DAY_MS = 24 * 60 * 60_000;
const SOON_DAYS = 14;

/** Examines a GitLab for `sluice doctor`. */
export class GitLabDoctor implements ServerDoctor {
  readonly loginField = 'username';
  readonly userScope = 'api';
  readonly unreadableAdvice = 'Check its path, and give the user of the token the role Maintainer.';

  constructor(private readonly parts: GitLabDoctorParts) {}

  examine(examination: HostExamination): Promise<readonly Finding[]> {
    return examineServer(examination, this.parts, this);
  }

  async examineToken(host: string, what: string): Promise<readonly Finding[]> {
    const token = await replyOrWhyNot(() => this.parts.api.askServer('GET', '/personal_access_tokens/self'));
    if (typeof token === 'string') return [ok(host, what), unknown(host, `when the token expires: ${token}`)];
    return [ok(host, what), this.checkScopes(host, token.body), this.checkExpiry(host, token.body)];
  }

  private checkScopes(host: string, token: unknown): Finding {
    const scopes = listAt(token, 'scopes');
    if (scopes.includes('api')) return ok(host, 'the token has the scope api');
    return problem(host, `the token has the scopes ${scopes.join(', ')}`, 'Create a token with the scope api.');
  }

  private checkExpiry(host: string, token: unknown): Finding {
    const expires = timeAt(token, 'expires_at');
    if (expires === null) return ok(host, 'the token does not expire');
    const day = expires.toISOString().slice(0, 10);
    const left = expires.getTime() - this.parts.clock.now().getTime();
    if (left > SOON_DAYS * DAY_MS)
      return ok(host, `the token expires on ${day}`, 'Create a new token before that day.');
    return problem(
      host,
      `the token expires on ${day}, and then the service stops working`,
      'Rotate the token, and give the new token to the service.',
    );
  }

  async examineRepository(
    { about, repository, queues, seen, rules }: SeenRepository,
    { brand, publicUrl, host }: HostExamination,
  ): Promise<readonly Finding[]> {
    const { api, keys } = this.parts;
    const findings = [this.checkRole(about, seen), ...this.checkProject(about, seen, brand)];
    const wanted = `${publicUrl}/webhooks/gitlab/${host}`;
    findings.push(await examineGitLabWebhook(this.parts, about, repository, wanted));
    findings.push(...(await examinePushRules(api, about, repository, { brand, signs: keys.signs })));
    const login = await this.ownUser();
    for (const queue of queues) {
      const target = `${about} ${queue.targetBranch}`;
      if (typeof rules !== 'string') findings.push(this.checkTarget(target, queue, rules, seen, login));
      findings.push(...this.checkMethod(target, queue, seen));
    }
    return findings;
  }

  askRules(repository: HostRepository): Promise<HostAnswer> {
    return this.parts.api.askAll(repository, 'protected_branches');
  }

  ruleOf(branch: string, rules: readonly unknown[]): string | null {
    const rule = rules.find((one) => matchesProtection(one, branch));
    return rule === undefined ? null : (textAt(rule, 'name') ?? '');
  }

  /** Whether GitLab verifies the signature of the commit. It answers 404 for a commit without a signature. */
  async verificationOf(repository: HostRepository, commit: string): Promise<Verification> {
    const seen = await replyOrWhyNot(() =>
      this.parts.api.ask(repository, 'GET', `repository/commits/${commit}/signature`),
    );
    if (typeof seen === 'string') return seen;
    const status = textAt(seen.body, 'verification_status');
    return { isVerified: status === 'verified', reason: status };
  }

  private async ownUser(): Promise<number | null> {
    const user = await replyOrWhyNot(() => this.parts.api.askServer('GET', '/user'));
    return typeof user === 'string' ? null : numberAt(user.body, 'id');
  }

  private checkRole(about: string, seen: unknown): Finding {
    const level = roleLevelIn(seen);
    if (level >= MAINTAINER) return ok(about, 'the service has the role Maintainer');
    const what = 'the service does not have the role Maintainer, so it cannot push to protected branches or read rules';
    return problem(about, what, 'Give the user of the token the role Maintainer.');
  }

  private checkProject(about: string, seen: unknown, brand: string): readonly Finding[] {
    const findings: Finding[] = [];
    if (at(seen, 'archived') === true)
      findings.push(problem(about, 'is archived: nothing can be merged', 'Unarchive it.'));
    if (at(seen, 'merge_trains_enabled') === true) {
      const what = 'has merge trains: two queues would merge into the same branch';
      findings.push(problem(about, what, 'Switch them off: Settings, Merge requests.'));
    }
    const isWithoutCi = textAt(seen, 'builds_access_level') === 'disabled' || at(seen, 'jobs_enabled') === false;
    if (isWithoutCi) {
      const what = 'has CI/CD switched off: no pipeline tests its testing branches';
      findings.push(problem(about, what, 'Switch it on: Settings, General, Visibility.'));
    }
    if (at(seen, 'merge_pipelines_enabled') === true) {
      const what = 'runs merge request pipelines on merged results, which are not the commits that the queue tests';
      const way = `Only pipelines of the testing branch count: let pushes to ${brand}-merge/* start one.`;
      findings.push(ok(about, what, way));
    }
    if (at(seen, 'only_allow_merge_if_pipeline_succeeds') === true)
      findings.push(ok(about, 'pipelines must succeed: the queue requires the status "pipeline" on the tested commit'));
    return findings;
  }

  private checkTarget(
    about: string,
    { targetBranch }: ExaminedQueue,
    rules: readonly unknown[],
    seen: unknown,
    userId: number | null,
  ): Finding {
    const matching = rules.filter((one) => matchesProtection(one, targetBranch));
    if (matching.length === 0) {
      const what = 'is not protected: every Developer may push to it and bypass the queue';
      return ok(about, what, 'Protect it, and let only the user of the token push and merge.');
    }
    const may = whoMay(matching, 'push_access_levels', { userId, level: roleLevelIn(seen) });
    if (may === 'yes') return ok(about, 'the service may push to it');
    if (may === 'by group') {
      const way = 'Make sure that the user of the token is a member of the group.';
      return unknown(
        about,
        'whether the service may push to it: groups may push, and GitLab does not show their members',
        way,
      );
    }
    const way = 'Add the user of the token to "Allowed to push and merge": Settings, Repository, Protected branches.';
    return problem(about, 'the service may not push to it, so nothing can be merged', way);
  }

  private checkMethod(about: string, { mergeMethod }: ExaminedQueue, seen: unknown): readonly Finding[] {
    if (mergeMethod !== 'merge_commit') {
      if (this.parts.closesWhatLanded)
        return [ok(about, `merges by ${mergeMethod}; merge requests are closed with a comment`)];
      const what = `its queue merges by ${mergeMethod}, and GitLab does not mark such merges as merged: the queue accepts no merge requests`;
      return [
        problem(about, what, 'Set mergeMethod of the queue to merge_commit, or set closesWhatLanded of the host.'),
      ];
    }
    const method = textAt(seen, 'merge_method');
    if (method !== 'ff' && method !== 'rebase_merge') return [];
    const what = `the project asks for linear history (${method}), and the queue pushes merge commits all the same`;
    return [
      ok(
        about,
        what,
        'GitLab does not refuse these pushes. Choose "Merge commit" as the merge method of the project, so that its settings match.',
      ),
    ];
  }
}
