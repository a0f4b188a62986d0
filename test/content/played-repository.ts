import type {
  CandidateOutcome,
  LandedCommit,
  MergedBelow,
  MergeMethod,
  PullRequestAtHead,
} from '../../src/domain/code-host.port';
import type { GitHost } from '../../src/code-hosts/git/git-host';
import { makeGitHost, WIDGETS } from '../contract/hosts';
import { Dice } from '../simulation/oracle/random';
import { ContentRepository, type Pull } from './content-repository';
import { Judge, type Verdict } from './judge';
import { People } from './people';

const FIRST_LANDING = Date.UTC(2026, 2, 1);
const LANDINGS = 4;
const DEEDS_BETWEEN = 5;

/** A random repository: people work in it, and the real builder and merger merge their pull requests. */
export class PlayedRepository {
  private readonly repository = new ContentRepository();
  private readonly dice: Dice;
  private readonly people: People;
  private readonly judge: Judge;
  private readonly host: GitHost;
  landed = 0;

  constructor(
    private readonly seed: number,
    private readonly method: MergeMethod,
  ) {
    this.dice = new Dice(seed);
    this.people = new People(this.repository, this.dice, method);
    this.judge = new Judge(this.repository, method);
    this.host = makeGitHost(this.repository.world);
  }

  /** Plays the repository. Returns the problem of the first wrong merge; null if every merge is right. */
  async play(): Promise<string | null> {
    try {
      for (let landing = 0; landing < LANDINGS; landing++) {
        for (let deeds = 0; deeds < DEEDS_BETWEEN; deeds++) this.people.act();
        const problem = await this.land(new Date(FIRST_LANDING + landing * 60_000));
        if (problem !== null) return `seed ${this.seed}, ${this.method}, landing ${landing + 1}: ${problem}`;
      }
      return null;
    } finally {
      this.repository.close();
    }
  }

  private async land(committedAt: Date): Promise<string | null> {
    const batch = this.drawBatch();
    if (batch.length === 0) return null;
    const tip = this.repository.tip;
    const verdicts = this.judgeChain(tip, batch);
    const pullRequests = batch.map((pull, at) => this.atHead(pull, [...this.landedPulls, ...batch.slice(0, at)]));
    const fixed = { repository: WIDGETS, targetBranch: 'main', mergeMethod: this.method, committedAt, pullRequests };
    const built = await this.host.buildCandidate({ ...fixed, onto: tip, targetTip: tip, alreadyMerged: [] });
    const problem = objectionTo(batch, this.asBuilt(tip, batch, verdicts), built);
    if (problem !== null) return problem;
    if (built.type !== 'built') return this.drop(batch, verdicts);
    const tested = { testedCommit: built.commit, testedTree: built.tree, testingBranches: [] };
    const outcome = await this.host.land({ ...fixed, ...tested, onto: tip, expectedTip: tip });
    if (outcome.type !== 'landed') return `built, and then ${JSON.stringify(outcome)}`;
    return this.objectionToLanded(tip, batch, verdicts, outcome.commits) ?? this.settle(tip, batch, outcome.commits);
  }

  private get landedPulls(): readonly Pull[] {
    return this.repository.pulls.filter(({ state }) => state === 'landed');
  }

  /** Draws one to three pull requests; in a stack, the lower ones come first. */
  private drawBatch(): readonly Pull[] {
    const open = this.repository.pulls.filter(({ state }) => state === 'open');
    const count = Math.min(open.length, 1 + this.dice.below(3));
    const drawn = new Set<Pull>();
    while (drawn.size < count) drawn.add(open[this.dice.below(open.length)]!);
    return open.filter((pull) => drawn.has(pull));
  }

  /** The verdicts on the batch, up to and including the first pull request that cannot be merged. */
  private judgeChain(tip: string, batch: readonly Pull[]): readonly Verdict[] {
    const verdicts: Verdict[] = [];
    let below = tip;
    for (const [at, pull] of batch.entries()) {
      const verdict = this.judge.judge(below, pull, this.belowIn(pull, [...this.landedPulls, ...batch.slice(0, at)]));
      verdicts.push(verdict);
      if (verdict.type === 'conflict' || verdict.type === 'refused') break;
      if (verdict.type === 'merged') below = verdict.commit;
    }
    return verdicts;
  }

  /**
   * The verdicts as the builder gives them. The builder refuses a pull request that is refused on the target alone,
   * even if the pull request first conflicts with another one of the batch.
   */
  private asBuilt(tip: string, batch: readonly Pull[], verdicts: readonly Verdict[]): readonly Verdict[] {
    const pull = batch[verdicts.length - 1]!;
    if (verdicts.at(-1)!.type !== 'conflict') return verdicts;
    const alone = this.judge.judge(tip, pull, this.belowIn(pull, this.landedPulls));
    return alone.type === 'refused' ? [...verdicts.slice(0, -1), alone] : verdicts;
  }

  private belowIn(pull: Pull, others: readonly Pull[]): readonly Pull[] {
    const head = this.repository.headOf(pull);
    return others.filter((pull) => this.repository.headBelow(pull, head) !== null);
  }

  private atHead(pull: Pull, others: readonly Pull[]): PullRequestAtHead {
    const head = this.repository.headOf(pull);
    const mergedBelow = this.belowIn(pull, others).flatMap((other): MergedBelow[] => {
      const { landed } = other;
      const commit = this.repository.headBelow(other, head);
      if (commit === null) return [];
      return landed === null
        ? [{ commit, landed, ahead: other.number }]
        : [{ commit, landed: { below: landed.from, commit: landed.to } }];
    });
    return {
      ...{ number: pull.number, head, title: `Pull request ${pull.number}`, body: '' },
      ...{ author: 'Ada', authorEmail: 'ada@example.com', headBranch: null, mergedBelow },
    };
  }

  /** Each pull request that cannot be merged stays open or is closed, at random. */
  private drop(batch: readonly Pull[], verdicts: readonly Verdict[]): null {
    const failed = batch[verdicts.length - 1];
    if (failed !== undefined && this.dice.happens(0.5)) failed.state = 'closed';
    return null;
  }

  private objectionToLanded(
    tip: string,
    batch: readonly Pull[],
    verdicts: readonly Verdict[],
    commits: readonly LandedCommit[],
  ): string | null {
    let below = tip;
    for (const [at, pull] of batch.entries()) {
      const verdict = verdicts[at]!;
      const { commit, tree, isNothing = false } = commits[at]!;
      const expected = verdict.type === 'merged' ? verdict.tree : this.repository.treeOf(below);
      if (tree !== expected || this.repository.treeOf(commit) !== expected)
        return `#${pull.number} landed as tree ${tree} instead of ${expected}`;
      if (isNothing !== (verdict.type === 'nothing'))
        return `#${pull.number} is ${verdict.type}, and the landing says ${isNothing ? 'nothing' : 'merged'}`;
      const problem = verdict.type === 'merged' ? this.objectionToSubjects(below, commit, verdict.subjects) : null;
      if (problem !== null) return `#${pull.number}: ${problem}`;
      below = commit;
    }
    return this.repository.tip === below ? null : `the target is at ${this.repository.tip} instead of ${below}`;
  }

  private objectionToSubjects(below: string, commit: string, expected: readonly string[]): string | null {
    if (this.method !== 'rebase') return null;
    const subjects = this.repository.git(['log', '--format=%s', `${below}..${commit}`]).split('\n');
    const isSame = subjects.join('\n') === expected.join('\n');
    return isSame ? null : `rebased to ${subjects.join(', ')} instead of ${expected.join(', ')}`;
  }

  private settle(tip: string, batch: readonly Pull[], commits: readonly LandedCommit[]): null {
    let from = tip;
    for (const [at, pull] of batch.entries()) {
      const { commit, isNothing } = commits[at]!;
      pull.state = isNothing || commit === from ? 'closed' : 'landed';
      pull.landed = pull.state === 'landed' ? { from, to: commit } : null;
      if (pull.state === 'landed') this.landed++;
      from = commit;
    }
    return null;
  }
}

function objectionTo(batch: readonly Pull[], verdicts: readonly Verdict[], built: CandidateOutcome): string | null {
  const last = verdicts.at(-1)!;
  const number = batch[verdicts.length - 1]?.number;
  const isStopped = last.type === 'conflict' || last.type === 'refused';
  if (built.type !== 'built') {
    const isRight = isStopped && built.type === last.type && 'number' in built && built.number === number;
    return isRight ? null : `expected ${last.type} of #${number}, and got ${JSON.stringify(built)}`;
  }
  if (isStopped) return `expected ${last.type} of #${number}, and it was built as ${built.tree}`;
  const numbers = (type: Verdict['type']): string =>
    batch.flatMap((pull, at) => (verdicts[at]!.type === type ? [pull.number] : [])).join(' ');
  const { alreadyThere = [], contained = [] } = built;
  if (alreadyThere.join(' ') !== numbers('nothing') || contained.join(' ') !== numbers('contained'))
    return `nothing left of [${alreadyThere.join(' ')}], contained [${contained.join(' ')}]; expected [${numbers('nothing')}], [${numbers('contained')}]`;
  return null;
}
