import type { QueueConditions } from '../../../modules/views/queue-conditions.dto';
import type { QueuePicture } from '../../../modules/views/queue-picture.dto';
import type { RefusedForm } from '../../form';
import { type Content, html, type Html, prose } from '../../html';
import { countText, numberText } from '../../parts/basics';
import { etaWithInterval } from '../../parts/etas';
import { icon } from '../../parts/icons';
import type { Scene } from '../../parts/scene';
import { stateMark } from '../../parts/states';
import { ago, moment } from '../../parts/times';
import { queueActions } from './actions';

/** The state of the queue in one sentence, then the forecast. `refused`: null when no form was refused. */
export function queueHead(scene: Scene, picture: QueuePicture, refused: RefusedForm | null): Html {
  return html`<div class="head">
    <div>
      <h1>${titleOf(picture)}</h1>
      <p class="lede">${ledeOf(scene, picture)}</p>
    </div>
    <div class="acts">
      ${stateMark(stateName(picture.conditions), STATE_WORDS[picture.conditions.state])}
      ${queueActions(scene, picture, refused)}
    </div>
  </div>`;
}

const STATE_WORDS = {
  running: 'Running',
  paused: 'Paused',
  draining: 'Draining',
  switching_modes: 'Switching',
} as const;

function stateName({ state }: QueueConditions): 'running' | 'paused' | 'draining' {
  return state === 'switching_modes' ? 'draining' : state;
}

function titleOf({ runs, line, passed, searches, waitingCount, notReadyCount }: QueuePicture): string {
  const searched = new Set(searches.flatMap(({ members }) => members));
  const inProgress = new Set(
    [
      ...runs.flatMap(({ members }) => members.map(({ prNumber }) => prNumber)),
      ...[...line, ...passed].flatMap(({ members }) => members),
    ].filter((number) => !searched.has(number)),
  );
  const inTest = new Set(runs.flatMap(({ members }) => members.map(({ prNumber }) => prNumber)));
  // Pull requests in progress without a test run: they are tested next, or they have passed and are held.
  const beside = [...inProgress].filter((number) => !inTest.has(number)).length;
  const total = searched.size + inProgress.size + waitingCount + notReadyCount;
  if (total === 0) return 'Nothing in the queue';
  const parts = [
    searched.size > 0 && `${numberText(searched.size)} in bisection`,
    inProgress.size > beside && `${numberText(inProgress.size - beside)} in test`,
    beside > 0 && `${numberText(beside)} next or passed`,
    waitingCount > 0 && `${numberText(waitingCount)} waiting`,
    notReadyCount > 0 && `${numberText(notReadyCount)} not ready`,
  ];
  return `${numberText(total)} in the queue: ${parts.filter(Boolean).join(', ')}`;
}

function ledeOf({ now }: Scene, { runs, mergedCount, etaOfNew }: QueuePicture): Content {
  const next = runs.find(({ eta, kind }) => eta !== null && kind === 'line')?.eta ?? null;
  return [
    next !== null && html`Next merge ${etaWithInterval(next, now)}. `,
    etaOfNew === null
      ? 'No forecast for new pull requests yet: too few have merged. '
      : html`A pull request submitted now merges ${etaWithInterval(etaOfNew, now)}. `,
    mergedCount === 0
      ? 'No pull request merged in 24 hours.'
      : `${countText(mergedCount, 'pull request')} merged in 24 hours.`,
  ];
}

/** Everything that holds up the queue, with the start and the end of each hold-up. */
export function notes({ conditions }: QueuePicture, now: Date): Html[] {
  const { freeze, mergeLimit, redTarget, partlyLanded, outage, switchingTo, waitingFor, failedDecisions, landing } =
    conditions;
  const said: (Html | null)[] = [
    failedDecisions > 0
      ? note(
          'bad',
          `The queue is blocked: its last ${countText(failedDecisions, 'decision')} failed, and it keeps retrying.`,
          'The service log says why.',
        )
      : null,
    pauseNote(conditions, now),
    redTarget === null || hasWrongTrees(conditions)
      ? null
      : note(
          'bad',
          html`The target branch has been failing its own
          tests${redTarget.since !== null && html` since ${moment(redTarget.since, now)}`}.`,
          redTarget.problem,
        ),
    partlyLanded && leftBehind(partlyLanded, redTarget === null),
    outage &&
      note(
        'bad',
        html`${outage.refusal === null ? 'The code host has not answered' : 'The service has been unable to work with the code host'}
        since ${moment(outage.since, now)}. No pull request fails because of this.`,
        outage.refusal,
      ),
    landing !== null && landing.waitingFor !== null ? note('warn', prose(`${landing.waitingFor}.`), null) : null,
    switchingTo &&
      note(
        'warn',
        `Switching to ${[switchingTo.mode, switchingTo.scheduling].filter(Boolean).join(', ')} when all test runs and merges in progress have ended.`,
        null,
      ),
    freeze &&
      note(
        'warn',
        html`Frozen ${freeze.until === null ? 'without an end' : html`until ${moment(freeze.until, now)}`}: tests
        continue, and nothing is
        merged${freeze.exceptPriorityAtMost !== null && ` above priority ${freeze.exceptPriorityAtMost}`}.`,
        freeze.until === null ? 'The freeze windows leave no time to merge: change them.' : null,
      ),
    mergeLimit && mergeLimit.mergedLately >= mergeLimit.perHour
      ? note(
          'warn',
          `${mergeLimit.mergedLately} of ${mergeLimit.perHour} merges of this hour are used up: passed pull requests wait.`,
          null,
        )
      : null,
  ];
  const shown = said.filter((one) => one !== null);
  // If no note above applies, the sentence of the service is shown.
  return shown.length > 0 || waitingFor === null ? shown : [note('warn', prose(waitingFor), null)];
}

type LeftBehind = NonNullable<QueueConditions['partlyLanded']>;

function hasWrongTrees({ partlyLanded }: QueueConditions): boolean {
  return partlyLanded !== null && partlyLanded.wrongTrees.length > 0;
}

/** The last merge left content on the target branch that no test run covers. */
function leftBehind({ landed, why, wrongTrees, isMixed }: LeftBehind, isTested: boolean): Html {
  const tested = isTested && ' The target branch is tested as it is now.';
  if (wrongTrees.length > 0)
    return note('bad', 'The code host merged the wrong content.', why, wrongTrees.map(patchOf));
  if (isMixed) return note('bad', html`Somebody pushed to the target during a merge.${tested}`, why);
  return note('bad', html`The code host merged ${numbersText(landed)} and refused the rest.${tested}`, why);
}

function patchOf({ prNumber, patch }: LeftBehind['wrongTrees'][number]): Html {
  const command = 'git apply';
  if (patch === null) return html`<p class="soft">The difference of #${prNumber} is too long to be shown.</p>`;
  return html`<details class="data">
    <summary>Patch for #${prNumber}, for <code>${command}</code></summary>
    <pre class="evidence outside" tabindex="0">${patch}</pre>
  </details>`;
}

function pauseNote({ state, since, by, reason, redTarget }: QueueConditions, now: Date): Html | null {
  if (state !== 'paused' && state !== 'draining') return null;
  const what = state === 'paused' ? 'Paused' : 'Draining: no test starts, passed pull requests merge';
  return note(
    'warn',
    html`${what}${by !== null ? html` by <b class="outside">${by}</b>` : redTarget !== null && ' by the queue itself'}${since !== null && html`, ${ago(since, now)}`}.`,
    reason,
  );
}

function note(kind: 'bad' | 'warn', text: Content, more: string | null, below: Content = null): Html {
  return html`<div class="note ${kind}">
    ${icon('warn', kind === 'bad' ? 'st-failed' : 'st-suspect')}
    <div>
      <p><b>${text}</b></p>
      ${more !== null && html`<p class="soft outside">${prose(more)}</p>`}${below}
    </div>
  </div>`;
}

function numbersText(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(', ');
}
