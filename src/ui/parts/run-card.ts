import type { RunPicture } from '../../modules/views/run-picture.dto';
import { attributes, html, type Html, prose } from '../html';
import { countText } from './basics';
import { checks } from './checks';
import { etaText, etaWithInterval } from './etas';
import { icon } from './icons';
import { authorIn, findable, isMineIn, mineTag, priorityPill, prLink, type Scene, titleIn } from './scene';
import { stateMark, type StateName } from './states';
import { clockOf, moment } from './times';
import { treeStrip } from './tree';

const MOST_SHOWN = 4;

const PHASES: Readonly<Record<RunPicture['phase'], readonly [StateName, string]>> = {
  building: ['building', 'Being built'],
  testing: ['testing', 'Testing'],
  passed: ['passed', 'Passed'],
  failed: ['failed', 'Red'],
  conflicted: ['failed', 'In conflict'],
  landing: ['landing', 'Landing'],
  ended: ['cancelled', 'Ended'],
};

export function phaseClass({ phase }: RunPicture): string {
  if (phase === 'landing') return 'passed';
  return phase === 'conflicted' ? 'failed' : phase;
}

/** One test run: state, pull requests, tree, statuses, clock, and its next step. */
export function runCard(scene: Scene, run: RunPicture, expectedRunMs: number | null, classes = ''): Html {
  const { number, members, builtOn, builtOnCount, baseSha } = run;
  const numbers = members.map(({ prNumber }) => prNumber);
  const mine = numbers.some((one) => isMineIn(scene, one)) ? 'has-mine' : '';
  const tree = { branch: scene.branch, baseSha, builtOn, builtOnCount, members: numbers };
  return html`<article class="run ${phaseClass(run)} ${mine} ${classes}" aria-labelledby="run-${number}">
    ${bar(scene, run)}
    <ul class="members">
      ${numbers.slice(0, MOST_SHOWN).map((one) => member(scene, run, one))}
      ${numbers.length > MOST_SHOWN && html`<li class="soft">and ${countText(numbers.length - MOST_SHOWN, 'more', 'more')}</li>`}
    </ul>
    <div class="mid">${treeStrip(tree)} ${checks(run, scene.now)}</div>
    ${clock(run, expectedRunMs, scene.now)}
    <p class="next outside">${prose(nextOf(run))}${timesOut(run, scene.now)}</p>
  </article>`;
}

function bar({ now }: Scene, run: RunPicture): Html {
  const [mark, word] = PHASES[run.phase];
  const { number, members, kind, eta } = run;
  return html`<div class="bar">
    ${stateMark(mark, word)}
    <h3 id="run-${number}">Run ${number}</h3>
    ${members.length > 1 && html`<span class="pill st-waiting">${icon('batch')}batch of ${members.length}</span>`}
    ${kind !== 'line' && html`<span class="pill pri-low">${KINDS[kind]}</span>`}
    <span class="right"
      >${kind === 'target' ? null : run.phase === 'landing' ? 'merging now' : html`merges${eta === null && ':'} ${etaWithInterval(eta, now)}`}</span
    >
  </div>`;
}

const KINDS: Readonly<Record<Exclude<RunPicture['kind'], 'line'>, string>> = {
  search: 'bisection',
  verify: 'tested again in isolation',
  direct: 'direct merge',
  target: 'the target branch itself',
};

function member(scene: Scene, run: RunPicture, number: number): Html {
  const answer = `#${number} is in run ${run.number}. ${nextOf(run)} ${etaText(run.eta)}`;
  return html`<li ${findable(scene, number, answer)}>
    ${prLink(scene, number)}<span class="t outside">${titleIn(scene, number)}</span
    ><span class="who outside">${authorIn(scene, number)}</span>${mineTag(scene, number)} ${priorityPill(scene, number)}
  </li>`;
}

function clock({ phase, createdAt, pushedAt, resultAt }: RunPicture, expected: number | null, now: Date): Html {
  const from = Date.parse(pushedAt ?? createdAt);
  const isOver = resultAt !== null;
  const elapsed = (isOver ? Date.parse(resultAt) : now.getTime()) - from;
  const tick = attributes({ 'data-tick': !isOver && Math.max(0, Math.floor(elapsed / 1_000)) });
  const beside =
    phase === 'building'
      ? 'building'
      : isOver
        ? 'took'
        : expected === null
          ? 'no usual time yet'
          : `of about ${clockOf(expected)}`;
  return html`<div class="clock">
    <div class="big" ${tick}>${clockOf(elapsed)}</div>
    <div class="soft">${beside}</div>
  </div>`;
}

/** The time limit of the run, which is shown only after the sentence of `landsWhen`. */
function timesOut({ landsWhen, timesOutAt }: RunPicture, now: Date): Html | null {
  if (landsWhen === null || timesOutAt === null) return null;
  return html` Times out at ${moment(timesOutAt, now)}.`;
}

/** The next step of the run: the sentence of the service, or a sentence for the phase. */
export function nextOf({ landsWhen, waitingFor, phase, conflict, kind }: RunPicture): string {
  if (landsWhen !== null) return landsWhen;
  if (waitingFor !== null) return waitingFor;
  if (conflict !== null) return `It conflicts with #${conflict.prNumber} in ${conflict.files.join(', ')}.`;
  if (kind === 'target') return 'The target branch is tested as it is now.';
  return phase === 'building' ? 'The test commit is being built.' : '';
}
