import type { LostTime, PullRequestStory, StoryItem, TimeSoFar } from '../../../modules/views/story.dto';
import type { EntryState } from '../../../engine/vocabulary';
import type { RefusedForm } from '../../form';
import { type Content, html, type Html, prose } from '../../html';
import { failedTests, withoutAddresses } from '../../parts/bank';
import { command, facts } from '../../parts/basics';
import { checks, logLink } from '../../parts/checks';
import { etaWithInterval } from '../../parts/etas';
import { icon, type IconName } from '../../parts/icons';
import { outsideLink, pullRequestPath, repositoryText } from '../../parts/links';
import { liveWith, queueShell } from '../../parts/queue-shell';
import { isMineIn, priorityPill, prLink, type Scene } from '../../parts/scene';
import { page } from '../../parts/shell';
import { stateMark, type StateName } from '../../parts/states';
import { ago, moment, roughly } from '../../parts/times';
import { treeStrip } from '../../parts/tree';
import { pullRequestActions } from './actions';
import { factsOfStory } from './facts.view';

interface ShownStory {
  readonly story: PullRequestStory;
  /** Null: no form was refused. */
  readonly refused: RefusedForm | null;
  /** The note about the form that led to this page. */
  readonly done: Html | null;
}

/** The page of a pull request: its current state, then its events, newest first. */
export function storyPage(scene: Scene, { story, refused, done }: ShownStory): Html {
  const { prNumber: number, prTitle, prAuthor, prUrl } = story.pullRequest;
  const body = html`<div class="head">
      <div>
        <h1><span class="outside">${prTitle}</span> <span class="soft">#${number}</span></h1>
        <p class="lede">
          by
          <span class="outside">${prAuthor}</span>
          ${isMineIn(scene, number) && html`<span class="mine-tag">(you)</span>`}
          ${prUrl !== '' && html`· ${outsideLink(prUrl, 'at the code host')}`} · attempt ${story.attempt}
          ${priorityPill(scene, number)}
        </p>
      </div>
    </div>
    ${done}
    <div class="two" data-steady>
      <div class="stack">${verdict(scene, story, refused)} ${happened(scene, story)}</div>
      <aside class="stack" aria-label="Facts">
        ${timeSoFar(scene, story)} ${factsOfStory(scene, story)} ${tryIt(story)} ${terminal(scene, number)}
      </aside>
    </div>`;
  const inQueue = queueShell(scene, 'queue');
  const crumbs = [
    ...(inQueue.crumbs ?? []),
    { text: `#${number}`, href: pullRequestPath(scene.repo, scene.branch, number) },
  ];
  const shell = { ...inQueue, crumbs, ...(refused === null && liveWith(scene, story.version)) };
  return page(scene.visit, { ...shell, title: `#${number} ${prTitle}`, body });
}

const STATES: Readonly<Record<EntryState, readonly [StateName, string]>> = {
  not_ready: ['not_ready', 'Not ready'],
  pending: ['waiting', 'Waits'],
  testing: ['testing', 'Testing'],
  tests_passed: ['passed', 'Passed'],
  pending_failure: ['suspect', 'Failed, not decided yet'],
  merged: ['merged', 'Merged'],
  failed: ['failed', 'Failed'],
  cancelled: ['cancelled', 'Cancelled'],
};

const PASSED_SO_FAR = ['passed', 'Passed, not merged yet'] as const;

function passedSoFar({ pullRequest, runPhase }: PullRequestStory): boolean {
  return pullRequest.state === 'testing' && runPhase === 'passed';
}

function verdict(scene: Scene, story: PullRequestStory, refused: RefusedForm | null): Html {
  const { now, branch } = scene;
  const { state, stateChangedAt, eta } = story.pullRequest;
  const [mark, word] = passedSoFar(story) ? PASSED_SO_FAR : STATES[state ?? 'not_ready'];
  const evidence =
    story.items.find((item) => item.evidence !== null && item.attempt === story.attempt)?.evidence ?? null;
  const box = state === 'failed' ? 'failed' : state === 'merged' || state === 'tests_passed' ? 'passed' : '';
  const isOpen = story.concludedAt === null;
  const log = evidence?.redStatuses.find(({ url }) => url !== '');
  const said = withoutAddresses(sayOf(story, branch), evidence);
  // Screen readers announce only the outcome, because the reason for a wait changes all the time.
  const announcement = `#${story.pullRequest.prNumber}: ${word}.${isOpen ? '' : ` ${said.replaceAll('`', '')}`}`;
  return html`<section class="verdict-box ${box}" aria-label="State" data-announced="${announcement}">
    <p>
      ${stateMark(mark, word)} ${stateChangedAt !== null && html`<span class="soft">${ago(stateChangedAt, now)}</span>`}
    </p>
    <p class="say outside">${prose(said)}</p>
    ${isOpen && story.run && checks(story.run, now)} ${state === 'failed' && evidence !== null && failedTests(evidence)}
    ${isOpen && state !== 'not_ready' && html`<p>Merges${eta === null && ':'} ${etaWithInterval(eta, now)}</p>`}
    ${state === 'failed' && log && html`<p class="acts">${logLink(log.url, 'Open the log', 'button')}</p>`}
    ${pullRequestActions(scene, story, refused)}
  </section>`;
}

function sayOf({ run, waitingFor, message, items, pullRequest: { state } }: PullRequestStory, branch: string): string {
  if (typeof run?.landsWhen === 'string') return run.landsWhen;
  if (waitingFor !== null) return waitingFor;
  if (message !== null) return message;
  if (state === 'merged') return `It was merged into ${branch}.`;
  return items[0]?.sentence ?? '';
}

function happened(scene: Scene, { items, hasMore }: PullRequestStory): Html {
  return html`<section class="card" aria-labelledby="story">
    <h2 id="story">
      <span>What happened</span> <span class="soft">newest first, times in <span data-zone>UTC</span></span>
    </h2>
    <ol class="story">
      ${items.map((item, index) => storyItem(scene, item, items[index + 1]))}
    </ol>
    ${hasMore && html`<p class="pad soft">Earlier events are not shown.</p>`}
  </section>`;
}

/** `before`: the previous item. The tree and the evidence of a run are shown once, at its first item. */
function storyItem(scene: Scene, item: StoryItem, before: StoryItem | undefined): Html {
  const { at, state, sentence } = item;
  const [picture, tone] = pictureOf(state);
  const isSameRun = item.run !== null && item.run.testRunId === before?.run?.testRunId;
  const run = isSameRun ? null : item.run;
  const evidence = isSameRun && before?.evidence ? null : item.evidence;
  const log = evidence?.redStatuses.find(({ url }) => url !== '');
  return html`<li data-part="${at} ${state ?? ''}">
    ${moment(at, scene.now)}<span class="dot ${tone}">${icon(picture)}</span>
    <div>
      <p class="outside">${prose(withoutAddresses(sentence, item.evidence))} ${whoOf(item)}</p>
      ${run !== null && treeStrip({ ...run, branch: scene.branch })} ${evidence !== null && failedTests(evidence)}
      ${log && html`<p>${logLink(log.url, `log of ${log.name}`)}</p>`}
    </div>
  </li>`;
}

function whoOf({ sentence, actor, channel }: StoryItem): Html | null {
  if (actor === null) return null;
  const how = channel === 'api' ? 'through the API' : channel === 'host' ? 'at the code host' : '';
  const who = sentence.includes(`by ${actor}`) ? [] : [`by ${actor}`];
  return html`<span class="by">${[...who, how].filter(Boolean).join(', ')}</span>`;
}

function pictureOf(state: EntryState | null): readonly [IconName, string] {
  switch (state) {
    case null:
      return ['person', ''];
    case 'not_ready':
      return ['dash', ''];
    case 'pending':
      return ['clock', 'wait'];
    case 'testing':
      return ['ring', 'water'];
    case 'tests_passed':
      return ['check', 'pass'];
    case 'pending_failure':
      return ['question', 'wait'];
    case 'merged':
      return ['merge', 'pass'];
    case 'failed':
      return ['cross', 'fail'];
    case 'cancelled':
      return ['dash', ''];
  }
}

function timeSoFar(scene: Scene, { time, attempt, expectedRunMs }: PullRequestStory): Html {
  const all = time.notReadyMs + time.waitingMs + time.testedMs + time.lostMs + time.decidedMs;
  const rows: readonly (readonly [string, Content])[] = [
    ['In the queue', html`<b>${roughly(all)}</b>`],
    ...partsOf(time).map(([name, ms]): readonly [string, Content] => [name, roughly(ms)]),
    ...time.lost.map((lost): readonly [string, Content] => [`Wasted in run ${lost.runNumber}`, becauseOf(scene, lost)]),
    ['Usual run time', expectedRunMs === null ? 'unknown yet' : roughly(expectedRunMs)],
  ];
  return html`<section class="card" aria-labelledby="time">
    <h2 id="time"><span>Time so far</span> <span class="soft">attempt ${attempt}</span></h2>
    <div class="pad">${facts(rows)}</div>
  </section>`;
}

function partsOf(time: TimeSoFar): readonly (readonly [string, number])[] {
  const parts: readonly (readonly [string, number])[] = [
    ['Not ready', time.notReadyMs],
    ['Waiting', time.waitingMs],
    ['Counted tests', time.testedMs],
    ['Wasted tests', time.lostMs],
    ['Decided', time.decidedMs],
  ];
  return parts.filter(([, ms]) => ms > 0);
}

function becauseOf(scene: Scene, { ms, becauseOf: numbers }: LostTime): Content {
  return [
    roughly(ms),
    numbers.length > 0 && ': ',
    numbers.map((number, index) => [index > 0 && ', ', prLink(scene, number)]),
  ];
}

/** Commands that fetch the failed commit, as long as the code host still has it. */
function tryIt({ items, pullRequest }: PullRequestStory): Html | null {
  const sha = items.find(({ evidence }) => evidence !== null)?.evidence?.testBranchSha ?? null;
  if (pullRequest.state !== 'failed' || sha === null || !/^[0-9a-f]{40}$/.test(sha)) return null;
  return html`<section class="card" aria-labelledby="try">
    <h2 id="try">Try the tree yourself</h2>
    <div class="pad">
      <p class="soft">The commit that failed:</p>
      ${command(`git fetch origin ${sha} && git switch --detach FETCH_HEAD`)}
    </div>
  </section>`;
}

function terminal({ repo, branch }: Scene, number: number): Html {
  return html`<section class="card" aria-labelledby="terminal">
    <h2 id="terminal">From a terminal</h2>
    <div class="pad">${command(`sluice pr watch ${repositoryText(repo)} ${number} --branch ${branch}`)}</div>
  </section>`;
}
