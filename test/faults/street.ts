import { setTimeout as after } from 'node:timers/promises';
import { ApiClient } from '../support/api-client';
import {
  type Forge,
  madeWhen,
  notePushedTests,
  pastOfTarget,
  pathsOf,
  pushedTests,
  testingBranches,
  treeOf,
} from './forges';

const STATUS = 'tests';
const AREAS = ['web', 'api', 'docs'];
const MOST_OPEN = 4;
const ASKED_EVERY_MS = 400;
const ANSWERS_WITHIN_MS = 15_000;
const CONCLUDED = ['merged', 'failed', 'cancelled'];
/** Reasons with which a pull request fails if it needs a push that the host refuses. */
const REFUSED_BY_HOST = ['start_test_run_refused', 'host_merge_failed'];

type Kind = 'good' | 'bad' | 'pair';

/** A pull request as its author sees it. */
interface Submitted {
  readonly number: number;
  readonly kind: Kind;
  /** The time of the submission, by the performance clock in ms. */
  readonly since: number;
}

interface SubmissionRecord {
  readonly prNumber: number;
  readonly state: string;
  readonly stateReason: string;
}

export interface Concluded extends Submitted {
  readonly state: string;
  readonly reason: string;
  readonly at: number;
}

/**
 * The promises of a queue on one kind of repository. In parallel mode, the merged tree may be a tree that no single run
 * had tested.
 */
export interface StreetRules {
  readonly name: string;
  readonly settings: object;
  readonly landsTestedTreesOnly: boolean;
  /**
   * The host's merge button cannot check the target. If somebody pushes between the last read and the merge, the push
   * ends up below the merge, as docs/security.md says.
   */
  readonly hasMergeButton?: true;
}

/**
 * The longest time between a push and a merge on top of it. In this time, the service sends one request between its
 * last read of the target and the merge.
 */
const MOMENT_MS = 1_000;

/**
 * One queue with everybody around it: authors submit without end, CI tests every candidate, and a judge reads the
 * target's reflog. The authors, CI and the judge check the service instead of trusting it. `problems` holds the
 * violations.
 */
export class Street {
  readonly open = new Map<number, Submitted>();
  readonly concluded: Concluded[] = [];
  readonly problems: string[] = [];
  /** Commits that the merge button made on top of a push which came between the last read and the merge. */
  readonly mixed: string[] = [];
  /** For each wrong tree, the time until the service noticed it. */
  readonly noticedMs: number[] = [];
  isOpening = true;
  private last = 0;
  private readonly seen = new Set<string>();
  private readonly saidAgain = new Map<number, number>();
  private readonly passedTrees = new Set<string>();
  /** Commits pushed to the target, bypassing the queue, with their times. */
  private readonly pushed = new Map<string, number>();
  private readonly forgiven = new Set<string>();
  private judged = 0;
  private isClosed = false;
  private isPaused = false;
  private isRefusing = false;
  /**
   * Pull requests that need a push which the host may have refused. The author of such a pull request reads the reason
   * and resubmits it once.
   */
  private readonly mayBeRefused = new Set<number>();
  private readonly at = new AbortController();
  private readonly work: Promise<unknown>[] = [];

  constructor(
    readonly forge: Forge,
    readonly rules: StreetRules,
    private readonly url: () => string,
    private readonly token: string,
    private readonly chance: () => number,
  ) {
    forge.bare.inBare('config', 'core.logAllRefUpdates', 'always');
    notePushedTests(forge);
  }

  get name(): string {
    return this.rules.name;
  }

  async begin(): Promise<void> {
    this.judged = 1;
    await this.ask('createQueue', { requiredStatuses: [STATUS], ...this.rules.settings });
    this.work.push(this.again(() => this.submitNext()));
    this.work.push(this.again(() => this.lookAtRecords()));
    this.work.push(this.again(() => this.runTests()));
  }

  async end(): Promise<void> {
    this.isClosed = true;
    this.at.abort();
    await Promise.all(this.work);
  }

  /** Waits until the repository is accessible, and then pushes to the target, bypassing the queue. */
  async pushFromOutside(): Promise<void> {
    await this.isThere();
    const files = { [`outside/pushed-${Math.floor(this.chance() * 1e9)}.txt`]: 'new\n' };
    this.pushed.set(this.forge.push(files), Date.now());
  }

  /** Files of pull requests that may merge next. */
  filesToCome(): readonly string[] {
    const next = Array.from({ length: MOST_OPEN * 4 }, (_, index) => this.last + 1 + index);
    return [...this.open.keys(), ...next].map(pathOf);
  }

  /** Tells the judge that the code host made this commit against the service's order. */
  forgive(commit: string): void {
    this.forgiven.add(commit);
  }

  bringBack(files: readonly string[]): void {
    if (files.length === 0) return;
    this.pushed.set(this.forge.push(Object.fromEntries(files.map((file) => [file, 'new\n']))), Date.now());
  }

  /** From now on, until `resume`, nobody accesses the repository from outside. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** From now on, until `takePushes`, the repository refuses every push. */
  refusePushes(): void {
    this.isRefusing = true;
    // The last pull request may be on its way to the service.
    for (const number of [...this.open.keys(), this.last]) this.mayBeRefused.add(number);
    this.forge.bare.installHook('pre-receive', 'echo "not now" >&2; exit 1');
  }

  takePushes(): void {
    this.forge.bare.removeHook('pre-receive');
    this.isRefusing = false;
  }

  private async isThere(): Promise<void> {
    while (this.isPaused) await after(ASKED_EVERY_MS);
  }

  async removeTestingBranches(): Promise<void> {
    await this.isThere();
    for (const name of testingBranches(this.forge)) this.forge.removeBranch(name);
  }

  /** Checks the commits that the target has received since the last call. */
  judge(): void {
    const past = pastOfTarget(this.forge);
    for (const { commit, tree } of past.slice(this.judged)) {
      if (!isGreen(pathsOf(this.forge, commit))) this.note(`${this.name}: main pointed at ${commit}, which fails`);
      const isTested = this.passedTrees.has(tree) || this.pushed.has(commit) || this.forgiven.has(commit);
      if (!this.rules.landsTestedTreesOnly || isTested) continue;
      if (this.isOnPushOfThatMoment(commit)) this.mixed.push(commit);
      else this.note(`${this.name}: main pointed at ${commit}, whose tree never passed`);
    }
    this.judged = past.length;
    const [tip] = past.slice(-1);
    if (tip === undefined) return;
    const numbers = pathsOf(this.forge, tip.commit).flatMap((path) => /\/(\d+)-/.exec(path)?.[1] ?? []);
    const landed = new Set(numbers.map(Number));
    for (const { number, state, reason, kind } of this.concluded) {
      if ((state === 'merged') !== landed.has(number))
        this.note(`${this.name}: #${number} is ${state} (${reason}), and ${landed.has(number) ? 'on' : 'not on'} main`);
      if (kind !== 'pair' && state !== (kind === 'good' ? 'merged' : 'failed'))
        this.note(`${this.name}: #${number}, which is ${kind}, is ${state} (${reason})`);
    }
    this.expectOneOfEachPair();
    this.expectOnce();
  }

  private isOnPushOfThatMoment(commit: string): boolean {
    const { parent, at } = madeWhen(this.forge, commit);
    const pushedAt = this.pushed.get(parent);
    return this.rules.hasMergeButton === true && pushedAt !== undefined && at.getTime() <= pushedAt + MOMENT_MS;
  }

  leftovers(): readonly string[] {
    return testingBranches(this.forge).map((name) => `${this.name}: ${name} is left`);
  }

  private expectOneOfEachPair(): void {
    const states = new Map(this.concluded.map(({ number, state }) => [number, state]));
    for (const { number, kind } of this.concluded) {
      const other = states.get(number - 1);
      if (kind !== 'pair' || kindOf(number - 1) !== 'pair' || other === undefined) continue;
      const merged = [states.get(number), other].filter((state) => state === 'merged').length;
      if (merged !== 1) this.note(`${this.name}: ${merged} of #${number - 1} and #${number} landed`);
    }
  }

  /** A repeated merge would show as a second commit with the same title. */
  private expectOnce(): void {
    const titles = this.forge.bare.inBare('log', '--format=%s', '--no-merges', '--first-parent', 'main').split('\n');
    const numbers = titles.flatMap((title) => /\(#(\d+)\)$/.exec(title)?.[1] ?? []);
    for (const number of new Set(numbers.filter((one, index) => numbers.indexOf(one) !== index)))
      this.note(`${this.name}: #${number} landed twice`);
  }

  note(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem);
  }

  private async again(step: () => Promise<void>): Promise<void> {
    while (!this.isClosed) {
      await step().catch((error: unknown) => {
        if (!this.isClosed) this.note(`${this.name}: ${String(error)}`);
      });
      await after(ASKED_EVERY_MS, undefined, { signal: this.at.signal }).catch(() => undefined);
    }
  }

  private async submitNext(): Promise<void> {
    if (this.isPaused || !this.isOpening || this.open.size >= MOST_OPEN) return;
    const number = ++this.last;
    if (this.isRefusing) this.mayBeRefused.add(number);
    const kind = kindOf(number);
    this.forge.open(number, { [pathOf(number)]: 'new\n' });
    const since = performance.now();
    if (this.forge.say && number % 2 === 0) this.forge.say(number, '/sluice merge');
    else await this.submit(number);
    this.open.set(number, { number, kind, since });
  }

  /** After a lost answer, the pull request may have merged before the retry, which is then refused. */
  private async submit(number: number): Promise<void> {
    await this.ask('submitPullRequest', { pr: { number } }).catch(async (error: unknown) => {
      const [record] = await this.recordsOf([number]);
      if (record?.state !== 'merged') throw error;
    });
  }

  private async lookAtRecords(): Promise<void> {
    const numbers = [...this.open.keys()];
    if (numbers.length === 0) return;
    this.sayAgain();
    for (const { prNumber, state, stateReason } of await this.recordsOf(numbers)) {
      const submitted = this.open.get(prNumber);
      if (submitted === undefined || !CONCLUDED.includes(state)) continue;
      if (REFUSED_BY_HOST.includes(stateReason) && this.mayBeRefused.has(prNumber)) {
        await this.sendAgain(prNumber);
        continue;
      }
      this.open.delete(prNumber);
      this.concluded.push({ ...submitted, state, reason: stateReason, at: performance.now() });
    }
  }

  private async sendAgain(number: number): Promise<void> {
    if (this.isRefusing) return;
    this.mayBeRefused.delete(number);
    await this.submit(number);
  }

  /**
   * Repeats the command in a new comment if the service did not know which head the author saw, for example after an
   * outage.
   */
  private sayAgain(): void {
    for (const number of this.open.keys()) {
      const [refused, said] = [this.forge.refusals?.(number) ?? 0, this.saidAgain.get(number) ?? 0];
      if (refused <= said) continue;
      this.saidAgain.set(number, refused);
      this.forge.say!(number, '/sluice merge');
    }
  }

  private async recordsOf(numbers: readonly number[]): Promise<readonly SubmissionRecord[]> {
    interface Answer {
      readonly pullRequests: readonly SubmissionRecord[];
    }
    const prs = numbers.map((number) => ({ number }));
    return (await this.ask<Answer>('getSubmittedPullRequests', { prs })).pullRequests;
  }

  /**
   * Plays CI: receives every push to a testing branch, tests the commit once, and repeats its report until the service
   * receives it.
   */
  private runTests(): Promise<void> {
    if (this.isPaused) return Promise.resolve();
    for (const commit of pushedTests(this.forge)) {
      if (this.seen.has(commit)) continue;
      this.seen.add(commit);
      const state = isGreen(pathsOf(this.forge, commit)) ? 'success' : 'failure';
      if (state === 'success') this.passedTrees.add(treeOf(this.forge, commit));
      const test = after(300 + 700 * this.chance(), undefined, { signal: this.at.signal })
        .then(() =>
          this.forge.report
            ? this.forge.report(commit, STATUS, state)
            : this.ask('reportStatus', { sha: commit, context: STATUS, state }),
        )
        .catch((error: unknown) => {
          if (!this.isClosed) this.note(`${this.name}: CI of ${commit}: ${String(error)}`);
        });
      this.work.push(test);
    }
    return Promise.resolve();
  }

  /**
   * Sends a request like a client. If there is no answer, or if the request is refused for a limited time, sends it
   * again.
   */
  async ask<Body>(operation: string, more: object): Promise<Body> {
    const about = { repo: this.forge.repo, ...(operation === 'reportStatus' ? {} : { targetBranch: 'main' }) };
    for (;;) {
      this.at.signal.throwIfAborted();
      const client = new ApiClient(this.url(), this.token, AbortSignal.timeout(ANSWERS_WITHIN_MS));
      const answer = await client.post<Body>(operation, { ...about, ...more }).catch(() => null);
      if (answer?.status === 200) return answer.body;
      const isForNow = answer === null || answer.status === 429 || answer.status >= 500;
      if (!isForNow) throw new Error(`${operation}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await after(ASKED_EVERY_MS, undefined, { signal: this.at.signal }).catch(() => undefined);
    }
  }
}

/** Among seven pull requests, one is bad, and two conflict with each other. */
function kindOf(number: number): Kind {
  return number % 7 === 3 ? 'bad' : number % 7 === 5 || number % 7 === 6 ? 'pair' : 'good';
}

/** The path determines the test result, so the tests read no file. */
function pathOf(number: number): string {
  const [folder, kind] = [AREAS[Math.floor(number / 7) % AREAS.length]!, kindOf(number)];
  const isSecond = kind === 'pair' && number % 7 === 6;
  return `${folder}/${number}-${isSecond ? `not-beside-${number - 1}-` : kind}.txt`;
}

function isGreen(paths: readonly string[]): boolean {
  const numbers = new Set(paths.flatMap((path) => /\/(\d+)-/.exec(path)?.[1] ?? []));
  return paths.every((path) => !path.endsWith('-bad.txt') && !numbers.has(/not-beside-(\d+)-/.exec(path)?.[1] ?? ''));
}
