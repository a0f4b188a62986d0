import type { Account } from '../forge/accounts';
import { readBranches } from '../bare-repository';
import { NO_COMMIT, resolveCommit } from '../forge/git';
import { mergeCommits, type MergeMethod } from '../forge/merge-commits';
import { runGit } from '../bare-repository';
import { GiteaRefusal, textIn } from './refusal';
import {
  commentShape,
  contains,
  issueShape,
  mayMerge,
  pullShape,
  repositoryShape,
  statusShape,
  userShape,
} from './shapes';
import {
  type Comment,
  type GiteaState,
  isDraft,
  type Label,
  mayWrite,
  type Pull,
  type Repository,
  type Review,
  ruleFor,
  type Status,
  type WorkflowRunRecord,
} from './state';

/** Changes on the server, with the webhook deliveries that report them. */
export class Happenings {
  constructor(readonly state: GiteaState) {}

  /** Finds moved branches and does the server's work after a push. */
  noticeBranches(repository: Repository, by: Account): void {
    const before = repository.branches;
    const after = readBranches(repository.world.bare);
    repository.branches = after;
    const moved = [...new Set([...before.keys(), ...after.keys()])].filter((one) => before.get(one) !== after.get(one));
    for (const branch of moved.toSorted((a, b) => Number(!after.has(a)) - Number(!after.has(b)))) {
      this.tellBranch(repository, branch, before.get(branch) ?? null, after.get(branch) ?? null, by);
      const commit = after.get(branch);
      if (commit !== undefined) this.state.onPush(repository, branch, commit);
      for (const home of this.state.repositories.values())
        for (const pull of home.pulls.values())
          if (pull.state === 'open') this.followBranch(home, pull, repository, branch, by);
    }
  }

  private followBranch(home: Repository, pull: Pull, repository: Repository, branch: string, by: Account): void {
    const tip = repository.branches.get(branch);
    if (pull.head.repository === repository && pull.head.branch === branch) {
      if (tip === undefined) return this.close(home, pull, by);
      this.setHead(home, pull, tip);
      for (const review of home.reviews) if (review.number === pull.number) this.turnStale(home, pull, review);
      this.tellPull(home, pull, 'synchronized', by);
    }
    if (home !== repository || pull.base !== branch) return;
    if (tip === undefined) this.close(home, pull, by);
    else if (home.detectsManualMerge && contains(home, tip, pull.head.sha)) this.markMerged(home, pull, tip, by);
  }

  private turnStale(home: Repository, pull: Pull, review: Review): void {
    review.stale = true;
    if (ruleFor(home, pull.base)?.dismissesStale === true && review.state === 'APPROVED') review.dismissed = true;
  }

  setHead(home: Repository, pull: Pull, sha: string): void {
    const from = pull.head.repository.world.bare;
    if (resolveCommit(home.world.bare, sha) === null) home.world.inBare('fetch', '--quiet', '--no-tags', from, sha);
    pull.head = { ...pull.head, sha };
    pull.updatedAt = this.state.now();
    home.world.setRef(`refs/pull/${pull.number}/head`, sha);
  }

  open(
    home: Repository,
    wanted: {
      readonly title: string;
      readonly body: string;
      readonly author: Account;
      readonly head: { readonly repository: Repository; readonly branch: string };
      readonly base: string;
      readonly number?: number;
    },
  ): Pull {
    const { head, base, author, title, body } = wanted;
    const sha = head.repository.branches.get(head.branch);
    const tip = home.branches.get(base);
    if (sha === undefined || tip === undefined) throw new GiteaRefusal(404, 'The target couldn’t be found.');
    const twin = [...home.pulls.values()].find(
      (pull) =>
        pull.state === 'open' &&
        pull.head.branch === head.branch &&
        pull.head.repository === head.repository &&
        pull.base === base,
    );
    if (twin !== undefined)
      throw new GiteaRefusal(409, `pull request already exists for these targets [id: ${twin.id}]`);
    const number = wanted.number ?? home.highestNumber + 1;
    home.highestNumber = Math.max(home.highestNumber, number);
    const now = this.state.now();
    const pull: Pull = {
      ...{ number, id: this.state.nextId(), author, title, body, state: 'open', base },
      ...{
        createdAt: now,
        updatedAt: now,
        closedAt: null,
        merged: null,
        labels: [],
        reads: new Map(),
        commentsOnCode: 0,
      },
      head: { ...head, sha },
    };
    home.pulls.set(number, pull);
    this.setHead(home, pull, sha);
    this.tellPull(home, pull, 'opened', author);
    return pull;
  }

  close(home: Repository, pull: Pull, by: Account): void {
    if (pull.state === 'closed') return;
    const now = this.state.now();
    Object.assign(pull, { state: 'closed', closedAt: now, updatedAt: now });
    this.tellPull(home, pull, 'closed', by);
  }

  reopen(home: Repository, pull: Pull, by: Account): void {
    Object.assign(pull, { state: 'open', closedAt: null, updatedAt: this.state.now() });
    this.tellPull(home, pull, 'reopened', by);
  }

  edit(home: Repository, pull: Pull, edit: { title?: string; body?: string; base?: string }, by: Account): void {
    const changes: Record<string, unknown> = {};
    if (edit.title !== undefined) changes.title = { from: pull.title };
    if (edit.body !== undefined) changes.body = { from: pull.body };
    if (edit.base !== undefined) changes.ref = { from: pull.base };
    Object.assign(pull, Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined)));
    pull.updatedAt = this.state.now();
    this.tellPull(home, pull, 'edited', by, { changes });
  }

  markMerged(home: Repository, pull: Pull, commit: string, by: Account): void {
    pull.merged = { at: this.state.now(), by, commit };
    this.close(home, pull, by);
  }

  /** Carries out the merge operation, which merges a pull request or marks it as merged manually. */
  merge(home: Repository, pull: Pull, asked: Readonly<Record<string, unknown>>, by: Account): void {
    const style = textIn(asked, 'Do');
    if (pull.merged !== null) throw new GiteaRefusal(405, '');
    if (pull.state === 'closed') throw new GiteaRefusal(404, '');
    if (!mayMerge(home, pull.base, by)) throw new GiteaRefusal(405, 'User not allowed to merge PR');
    if (style === 'manually-merged') return this.mergeByHand(home, pull, textIn(asked, 'MergeCommitID'), by);
    if (isDraft(pull)) throw new GiteaRefusal(405, 'Work in progress PRs cannot be merged');
    const problem = this.demandOn(home, pull);
    if (problem !== null) throw new GiteaRefusal(405, problem);
    if (!home.mergeMethods.includes(style as MergeMethod))
      throw new GiteaRefusal(405, `${style} is not allowed an allowed merge style for this repository`);
    const base = home.branches.get(pull.base) ?? '';
    if (asked.head_commit_id !== undefined && asked.head_commit_id !== pull.head.sha)
      throw new GiteaRefusal(409, 'head out of date');
    const [title, message] = [textIn(asked, 'MergeTitleField'), textIn(asked, 'MergeMessageField')];
    const who = { name: by.name, email: by.email, date: `${Math.floor(this.state.now().getTime() / 1000)} +0000` };
    const commit = mergeCommits({
      ...{ bare: home.world.bare, base, head: pull.head.sha, method: style as MergeMethod },
      ...{
        message: [title || pull.title, message].filter((text) => text !== '').join('\n\n'),
        author: who,
        committer: who,
      },
    });
    if (commit === null) throw new GiteaRefusal(409, 'merge conflict');
    runGit(home.world.bare, ['update-ref', `refs/heads/${pull.base}`, commit, base]);
    this.markMerged(home, pull, commit, by);
    this.noticeBranches(home, by);
  }

  private mergeByHand(home: Repository, pull: Pull, commit: string, by: Account): void {
    if (!home.allowsManualMerge)
      throw new GiteaRefusal(405, 'manually-merged is not allowed an allowed merge style for this repository');
    const tip = home.branches.get(pull.base) ?? NO_COMMIT;
    if (resolveCommit(home.world.bare, commit) === null || !contains(home, tip, commit))
      throw new GiteaRefusal(409, 'Wrong commit ID');
    this.markMerged(home, pull, commit, by);
  }

  private demandOn(home: Repository, pull: Pull): string | null {
    const rule = ruleFor(home, pull.base);
    if (rule === null) return null;
    const { sha } = pull.head;
    const all = [...new Set(home.statuses.filter((one) => one.sha === sha).map(({ context }) => context))];
    const demanded = rule.asksStatuses && rule.contexts.length === 0 ? all : rule.contexts;
    const lacksAny = rule.asksStatuses && all.length === 0;
    const passed = demanded.every((context) => this.newest(home, sha, context)?.status === 'success');
    if (!passed || lacksAny) return 'not all required status checks successful';
    const reviews = home.reviews.filter((one) => one.number === pull.number && one.official && !one.dismissed);
    const approved = reviews.filter((one) => one.state === 'APPROVED' && !(rule.ignoresStale && one.stale)).length;
    if (approved < rule.approvals) return 'Does not have enough approvals';
    const isRejected = rule.blocksOnRejection && reviews.some((one) => one.state === 'REQUEST_CHANGES');
    return isRejected ? 'There are requested changes' : null;
  }

  newest(home: Repository, sha: string, context: string): Status | undefined {
    return home.statuses.findLast((status) => status.sha === sha && status.context === context);
  }

  addStatus(home: Repository, facts: Omit<Status, 'id' | 'at'>): Status {
    const status = { ...facts, id: this.state.nextId(), at: this.state.now() };
    home.statuses.push(status);
    if (!this.state.isForgejo) {
      const { status: said, ...shape } = statusShape(this.state, status);
      // Only the API has a relative URL for a job; deliveries have an absolute URL.
      const target_url = status.targetUrl.startsWith('/')
        ? `${this.state.origin}${status.targetUrl}`
        : status.targetUrl;
      const told = { ...shape, target_url, state: said, sha: facts.sha, commit: { id: facts.sha } };
      this.send(home, 'status', null, told, facts.creator ?? this.state.accounts.of('gitea-actions'));
    }
    return status;
  }

  addComment(home: Repository, number: number, body: string, author: Account): Comment {
    const now = this.state.now();
    const comment = { id: this.state.nextId(), number, author, body, createdAt: now, updatedAt: now, reactions: [] };
    home.comments.push(comment);
    this.tellComment(home, comment, 'created', author);
    return comment;
  }

  editComment(home: Repository, comment: Comment, body: string, by: Account): void {
    const changes = { body: { from: comment.body } };
    Object.assign(comment, { body, updatedAt: this.state.now() });
    this.tellComment(home, comment, 'edited', by, { changes });
  }

  setLabel(home: Repository, pull: Pull, name: string, isSet: boolean, actor: Account): void {
    const known = home.labels.find((one) => one.name === name);
    const label: Label = known ?? { id: this.state.nextId(), name };
    if (known === undefined) home.labels.push(label);
    if (pull.labels.includes(label) === isSet) return;
    pull.labels = isSet ? [...pull.labels, label] : pull.labels.filter((one) => one !== label);
    pull.updatedAt = this.state.now();
    home.labelEvents.push({ id: this.state.nextId(), number: pull.number, label, isSet, actor, at: pull.updatedAt });
    this.tellPull(home, pull, pull.labels.length === 0 ? 'label_cleared' : 'label_updated', actor);
  }

  /** A newer review by a person replaces the person's older review. */
  review(home: Repository, pull: Pull, state: Review['state'], author: Account): Review {
    for (const other of home.reviews)
      if (other.number === pull.number && other.author === author && state !== 'COMMENT') other.official = false;
    const review: Review = {
      ...{ id: this.state.nextId(), number: pull.number, author, state, commit: pull.head.sha, at: this.state.now() },
      ...{ official: mayWrite(home, author), stale: false, dismissed: false },
    };
    home.reviews.push(review);
    const type = state === 'APPROVED' ? 'pull_request_review_approved' : 'pull_request_review_rejected';
    this.send(home, type, 'reviewed', this.pullPayload(home, pull), author);
    return review;
  }

  /**
   * Reports the end of a run, which only Forgejo does. In this delivery the repository is inside the run, unlike in all
   * other deliveries.
   */
  tellEndOfRun(home: Repository, run: WorkflowRunRecord, isGood: boolean): void {
    if (!this.state.isForgejo) return;
    const action = isGood ? 'success' : 'failure';
    const repository = repositoryShape(this.state, home, null);
    const { id, index, sha: commit_sha, file: workflow_id, event } = run;
    const shown = { id, index_in_repo: index, commit_sha, workflow_id, event, status: action, repository };
    const whole = { action, run: shown, last_run: null, prior_status: 'running' };
    const told = { event: `action_run_${action}`, action, repositoryId: home.id, installationId: null };
    this.state.webhooks.send({ ...told, payload: () => whole });
  }

  private tellPull(home: Repository, pull: Pull, action: string, by: Account, more: object = {}): void {
    const type = { synchronized: 'pull_request_sync', label_updated: 'pull_request_label' }[action] ?? 'pull_request';
    this.send(home, type, action, { ...this.pullPayload(home, pull), ...more }, by);
  }

  private pullPayload(home: Repository, pull: Pull): object {
    return { number: pull.number, pull_request: pullShape(this.state, home, pull) };
  }

  private tellComment(home: Repository, comment: Comment, action: string, by: Account, more: object = {}): void {
    const pull = home.pulls.get(comment.number);
    if (pull === undefined) return;
    const issue = issueShape(this.state, home, pull);
    const payload = { issue, comment: commentShape(this.state, home, comment), is_pull: true, ...more };
    this.send(home, 'pull_request_comment', action, payload, by);
  }

  private tellBranch(home: Repository, branch: string, before: string | null, after: string | null, by: Account): void {
    if (after === null) {
      return this.send(home, 'delete', null, { ref: branch, ref_type: 'branch', pusher_type: 'user' }, by);
    }
    if (before === null) this.send(home, 'create', null, { ref: branch, ref_type: 'branch', sha: after }, by);
    const payload = { ref: `refs/heads/${branch}`, before: before ?? NO_COMMIT, after, commits: [], total_commits: 0 };
    this.send(home, 'push', null, { ...payload, pusher: userShape(this.state, by) }, by);
  }

  private send(home: Repository, event: string, action: string | null, payload: object, sender: Account): void {
    const shown = { repository: repositoryShape(this.state, home, null), sender: userShape(this.state, sender) };
    const whole = { ...(action === null ? {} : { action }), ...payload, ...shown };
    this.state.webhooks.send({ event, action, repositoryId: home.id, installationId: null, payload: () => whole });
  }
}
