import type { HostRepository } from '../../../domain/code-host.port';
import type { Clock } from '../../../platform/clock/clock';
import {
  type ExaminedRepository,
  type Finding,
  type HostExamination,
  nameOfRepository,
  unknown,
} from '../../../domain/host-examination';
import { examineGit } from '../../git/git-examination';
import type { Verification } from '../../git/signing/examine-key';
import { examineGroups } from '../../concurrency-groups';
import { at, textAt } from '../../reading';
import type { AppFacts, Read, RepositoryFacts } from './facts';
import { checkApp, checkClock, checkEvents, checkInstallation, checkLogin, checkRate } from './check-app';
import { checkMergeMethod, checkRepository, checkTarget, checkTestingBranches } from './check-rules';
import { checkDeliveries, checkWebhook, usesWebhook } from './check-webhook';
import { asFacts, type GitHubQuestions } from './questions';
import { appIn, branchIn, deliveriesIn, installationIn, rateIn, repositoryIn, webhookIn } from './read-facts';
import { readRules } from './read-rules';
import type { HostGit } from '../../forge/host-git';

const NEWEST_DELIVERIES = 30;

export interface GitHubDoctorParts extends Pick<HostGit, 'git' | 'keys'> {
  readonly questions: GitHubQuestions;
  readonly clock: Clock;
  /** The URL of GitHub's pages, without a slash at the end. */
  readonly web: string;
  readonly hasSecret: boolean;
  readonly pollSeconds: number;
}

/** Reads the facts for `sluice doctor` from GitHub. The checks themselves are the pure functions of `check-*.ts`. */
export class GitHubDoctor {
  constructor(private readonly parts: GitHubDoctorParts) {}

  async examine(examination: HostExamination): Promise<readonly Finding[]> {
    const { host } = examination;
    const findings: Finding[] = [await examineGit(host, this.parts.git)];
    const { questions } = this.parts;
    const app = questions.hasApp ? await this.examineApp(examination, findings) : null;
    if (!questions.hasApp) findings.push(checkLogin(host, await questions.ownLogin()));
    for (const one of examination.repositories) findings.push(...(await this.examineRepository(one, examination, app)));
    return findings;
  }

  private async examineApp(examination: HostExamination, findings: Finding[]): Promise<AppFacts | null> {
    const { host, publicUrl } = examination;
    const { questions, clock, web, hasSecret, pollSeconds } = this.parts;
    const { read, answeredAt } = await questions.asApp('GET /app', {});
    const app = asFacts(read, (body) => appIn(body, web));
    findings.push(checkApp(host, app));
    if (app.type !== 'no_answer') findings.push(checkClock(host, answeredAt, clock.now()));
    if (app.type !== 'read') return null;
    const { read: config } = await questions.asApp('GET /app/hook/config', {});
    const webhook = asFacts(config, webhookIn);
    findings.push(...checkWebhook({ host, publicUrl, hasSecret, pollSeconds }, webhook));
    if (!usesWebhook({ hasSecret }, webhook)) return app.fact;
    findings.push(checkEvents(host, app.fact));
    const sent = await questions.asApp('GET /app/hook/deliveries', { per_page: NEWEST_DELIVERIES });
    findings.push(checkDeliveries(host, asFacts(sent.read, deliveriesIn)));
    return app.fact;
  }

  private async examineRepository(
    examined: ExaminedRepository,
    { brand }: HostExamination,
    app: AppFacts | null,
  ): Promise<readonly Finding[]> {
    const { questions, keys } = this.parts;
    const { signs } = keys;
    const { repository, queues } = examined;
    const about = nameOfRepository(repository);
    const place = { owner: repository.owner, repo: repository.name };
    const findings: Finding[] = [];
    if (questions.hasApp && app === null)
      return [unknown(about, 'whether the repository is set up: fix the app first')];
    if (app !== null) {
      const installation = await questions.asApp('GET /repos/{owner}/{repo}/installation', place);
      findings.push(...checkInstallation(about, asFacts(installation.read, installationIn), app));
      if (installation.read.type !== 'read') return findings;
    }
    const { read } = await questions.about(repository, 'GET /repos/{owner}/{repo}', place);
    const seen = asFacts(read, repositoryIn);
    if (seen.type !== 'read') return [...findings, unreadable(about, seen)];
    findings.push(...checkRepository(about, seen.fact));
    const rate = await questions.about(repository, 'GET /rate_limit', {});
    findings.push(checkRate(about, asFacts(rate.read, rateIn)));
    const ask = (commit: string): Promise<Verification> => this.verificationOf(repository, commit);
    findings.push(...(await keys.examine(repository, { about, brand, ask })));
    if (queues.length === 0) return findings;
    const pattern = `${brand}-merge/**`;
    const rules = await readRules(questions, repository, `${brand}-merge/pr-1/doctor`);
    const methods = queues.map(({ mergeMethod }) => mergeMethod);
    if (rules.type === 'read') findings.push(...checkTestingBranches(about, pattern, rules.fact, { methods, signs }));
    else findings.push(unknown(about, `the rulesets for testing branches ${pattern}`));
    return [...findings, ...(await this.examineTargets(examined, seen.fact, brand))];
  }

  private async verificationOf(repository: HostRepository, ref: string): Promise<Verification> {
    const place = { owner: repository.owner, repo: repository.name, ref };
    const { read } = await this.parts.questions.about(repository, 'GET /repos/{owner}/{repo}/commits/{ref}', place);
    if (read.type !== 'read') return read.type === 'no_answer' ? read.why : read.message;
    const isVerified = at(read.fact, 'commit', 'verification', 'verified') === true;
    return { isVerified, reason: textAt(read.fact, 'commit', 'verification', 'reason') };
  }

  private async examineTargets(
    { repository, queues }: ExaminedRepository,
    facts: RepositoryFacts,
    brand: string,
  ): Promise<readonly Finding[]> {
    const { questions } = this.parts;
    const place = { owner: repository.owner, repo: repository.name };
    const findings: Finding[] = [];
    for (const queue of queues) {
      const { targetBranch: branch } = queue;
      const about = `${nameOfRepository(repository)} ${branch}`;
      findings.push(checkMergeMethod(about, queue, facts));
      const rules = await readRules(questions, repository, branch);
      const page = await questions.about(repository, 'GET /repos/{owner}/{repo}/branches/{branch}', {
        ...place,
        branch,
      });
      const classic = page.read.type === 'read' ? branchIn(page.read.fact) : null;
      if (rules.type === 'read')
        findings.push(...checkTarget(about, queue, rules.fact, { classic, signs: this.parts.keys.signs }));
      else findings.push(unknown(about, 'the rulesets for the branch'));
      findings.push(...(await this.examineGroups(repository, branch, `${brand}-merge/pr-1/run`)));
    }
    return findings;
  }

  private examineGroups(repository: HostRepository, ref: string, testingBranch: string): Promise<readonly Finding[]> {
    const place = { owner: repository.owner, repo: repository.name, ref };
    return examineGroups(`${nameOfRepository(repository)} ${ref}`, testingBranch, {
      folders: ['.github/workflows'],
      read: async (path) => {
        const route = 'GET /repos/{owner}/{repo}/contents/{path}';
        const { read } = await this.parts.questions.about(repository, route, { ...place, path });
        if (read.type === 'read') return { body: read.fact };
        if (read.type === 'refused' && read.status === 404) return null;
        return read.type === 'refused' ? read.message : read.why;
      },
    });
  }
}

function unreadable(about: string, seen: Exclude<Read<unknown>, { type: 'read' }>): Finding {
  const why = seen.type === 'no_answer' ? seen.why : seen.message;
  return unknown(
    about,
    `the repository cannot be read: ${why}`,
    'Check its name, and which repositories the token can read.',
  );
}
