import { Injectable } from '@nestjs/common';
import { CodeHostRegistry } from '../../../../code-hosts/code-host.registry';
import { type CodeHost, HostUnavailable } from '../../../../domain/code-host.port';
import { Clock } from '../../../../platform/clock/clock';
import { Config } from '../../../../platform/config/config';
import { PrismaService } from '../../../../platform/database/prisma.service';
import type { HostRepository } from '../../../../domain/host-repository';
import { isTestingBranch } from '../../rules/branches';
import type { OwnersDialect } from '../../rules/code-owners';
import { HostQuestions } from './host-questions';
import {
  openPullRequestOf,
  type SaidOfRun,
  testedAsSaid,
  type TestedBranch,
  testedForPullRequest,
  testedOnBranch,
  type TestingRun,
  testingRunOf,
} from '../../storage/uploads/tested-branch';

/** How long an answer that may change is cached, because the shards of a job upload together. */
const HOLDS_MS = 15_000;
const MOST_REMEMBERED = 10_000;

type HostAnswer =
  | { readonly type: 'branches'; readonly branches: readonly string[] }
  | { readonly type: 'no repository' | 'unanswered' };

interface RememberedAnswer {
  readonly answer: Promise<HostAnswer>;
  holdsUntil: number;
}

/**
 * Finds out what an upload tested. A queue knows its test runs, and the code host knows the commits of its branches.
 * The branch in the upload counts only without a code host, because a pull request could claim to be main.
 */
@Injectable()
export class UploadClassifier {
  private readonly answers = new Map<string, RememberedAnswer>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly prisma: PrismaService,
    private readonly hosts: CodeHostRegistry,
    private readonly questions: HostQuestions,
  ) {}

  /** For a host that is not configured, the name of the host decides. */
  ownersDialectOf({ host }: HostRepository): OwnersDialect {
    const kind = this.hosts.kindOf(host);
    const isGitLab = kind === undefined ? /gitlab/i.test(host) : kind === 'gitlab';
    return isGitLab ? 'gitlab' : 'github';
  }

  async classify(repository: HostRepository, said: SaidOfRun): Promise<TestedBranch> {
    const { prisma, config } = this;
    const { branch, commit, prNumber } = said;
    const run = await testingRunOf(prisma, repository.id, said);
    if (run?.commit === commit && (branch === null || run.branch === branch)) return run.tested;
    const host = this.hosts.hostFor(repository.host);
    const asSaid = (): Promise<TestedBranch> => testedAsSaid(prisma, repository.id, config.brand, said);
    if (host?.findBranchesWith === undefined) return asSaid();
    if (run?.branch === branch && (await this.isMergeOf(host, repository, run, commit))) return run.tested;
    const ofRun = run?.commit === commit ? run.tested : null;
    // A false pull request number has no advantage for the uploader, so the code host is not queried about it.
    if (prNumber !== null && !(branch !== null && isTestingBranch(config.brand, branch)))
      return ofRun ?? testedForPullRequest(branch, prNumber);
    const answer = await this.branchesWith(host, repository, commit);
    if (answer.type === 'no repository') return asSaid();
    if (answer.type === 'branches' && answer.branches.length > 0) {
      const line = answer.branches.find((one) => one === branch) ?? answer.branches[0]!;
      return testedOnBranch(line, line);
    }
    if (ofRun !== null) return ofRun;
    return testedForPullRequest(branch, prNumber ?? (await openPullRequestOf(prisma, repository.id, branch)));
  }

  /** CI may test a testing branch as a pull request, on a merge commit of the code host that changes nothing. */
  private async isMergeOf(host: CodeHost, repository: HostRepository, { tested }: TestingRun, commit: string) {
    if (tested.tree === null) return false;
    const tree = await this.questions.answer(repository, () => host.readTree(repository, commit));
    return tree === tested.tree;
  }

  private branchesWith(host: CodeHost, repository: HostRepository, commit: string): Promise<HostAnswer> {
    const key = `${repository.id} ${commit}`;
    const now = this.clock.now().getTime();
    const known = this.answers.get(key);
    if (known !== undefined && now < known.holdsUntil) return known.answer;
    const remembered = { answer: this.askHost(host, repository, commit), holdsUntil: now + HOLDS_MS };
    if (this.answers.size >= MOST_REMEMBERED) this.answers.clear();
    this.answers.set(key, remembered);
    void remembered.answer.then((answer) => {
      if (answer.type === 'branches' && answer.branches.length > 0) remembered.holdsUntil = Infinity;
    });
    return remembered.answer;
  }

  private async askHost(host: CodeHost, repository: HostRepository, commit: string): Promise<HostAnswer> {
    const branches = await this.questions.answer(repository, async () => {
      const where = { repositoryId: repository.id, liveBranch: { not: null } };
      const queues = await this.prisma.queue.findMany({
        where,
        select: { branch: true },
        orderBy: { createdAt: 'asc' },
      });
      const targets = queues.map((queue) => queue.branch);
      try {
        return await host.findBranchesWith!(repository, commit, targets);
      } catch (error) {
        // The code host knows a repository with a queue, because the queue could not be created otherwise.
        const mayBeUnknown = error instanceof HostUnavailable && targets.length === 0;
        if (mayBeUnknown && (await host.findRepository(repository)) === 'unknown') return 'no repository' as const;
        throw error;
      }
    });
    if (branches === 'no repository') return { type: branches };
    return branches === null ? { type: 'unanswered' } : { type: 'branches', branches };
  }
}
