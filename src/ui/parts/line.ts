import type { GroupInHand } from '../../modules/views/pictured-pull-request.dto';
import type { RunPicture } from '../../modules/views/run-picture.dto';
import { html, type Html, prose } from '../html';
import { phaseClass, runCard } from './run-card';
import { prLink, type Scene } from './scene';

/** Draws a sequential queue as a rail from the tip of the target. Each step is built on the steps above it. */
export function line(
  scene: Scene,
  runs: readonly RunPicture[],
  groups: readonly GroupInHand[],
  { expectedRunMs, free }: { readonly expectedRunMs: number | null; readonly free: string | null },
): Html {
  return html`<ol class="runs">
    ${runs.map((run) => html`<li class="step ${phaseClass(run)}">${runCard(scene, run, expectedRunMs)}</li>`)}
    ${groups.map((group) => html`<li class="step free">${groupWithoutRun(scene, group)}</li>`)}
    ${free !== null && html`<li class="step free"><p class="slot">${prose(free)}</p></li>`}
  </ol>`;
}

export function groupWithoutRun(scene: Scene, { members, waitingFor }: GroupInHand): Html {
  return html`<div class="slot">
    ${members.map((number) => html`${prLink(scene, number)} `)}
    ${waitingFor !== null && html`<span class="outside">${prose(waitingFor)}</span>`}
  </div>`;
}

/**
 * Draws parallel mode as columns below the tip, at most four next to each other. A run that is built on two lanes spans
 * both.
 */
export function lanes(scene: Scene, runs: readonly RunPicture[], expectedRunMs: number | null): Html {
  const placed = placeInLanes(runs);
  const last = Math.max(0, ...placed.map(({ band }) => band));
  const bands = Array.from({ length: last + 1 }, (_, band) => placed.filter((one) => one.band === band));
  return html`${bands.map((band) => bandOfLanes(scene, band, expectedRunMs))}`;
}

function bandOfLanes(scene: Scene, placed: readonly PlacedRun[], expectedRunMs: number | null): Html {
  const width = Math.min(MOST_COLUMNS, Math.max(1, ...placed.map(({ first, span }) => first + span)));
  return html`<div class="lanes of-${width}">
    ${placed.map(({ run, first, begins }) => begins !== null && laneName(run, begins, first))}
    ${placed.map(
      ({ run, first, span }) =>
        html`<div class="lane from-${first + 1} span-${span}">
          ${runCard(scene, run, expectedRunMs, span > 1 ? 'wide' : '')}
        </div>`,
    )}
  </div>`;
}

/** The name of a lane, made from impacted targets, because a number tells a person nothing. */
function laneName({ targets }: RunPicture, lane: number, column: number): Html {
  const name = targets.length === 0 ? `Lane ${lane + 1}` : targets.join(', ');
  return html`<h3 class="lane-name outside from-${column + 1}" title="${name}">${name}</h3>`;
}

const MOST_COLUMNS = 4;

export interface PlacedRun {
  readonly run: RunPicture;
  /** A band has four lanes. A run across several bands is placed in the last of them. */
  readonly band: number;
  /** The first column in the band, from 0, and the number of columns. */
  readonly first: number;
  readonly span: number;
  /** The number of the lane that the run begins, from 0; null: the run continues existing lanes. */
  readonly begins: number | null;
}

/** A run that is not built on another run starts a new lane. */
export function placeInLanes(runs: readonly RunPicture[]): readonly PlacedRun[] {
  const lanesOf = new Map<number, ReadonlySet<number>>();
  let begun = 0;
  return runs.map((run) => {
    const below = new Set(run.builtOn.flatMap((number) => [...(lanesOf.get(number) ?? [])]));
    const begins = below.size === 0 ? begun++ : null;
    if (begins !== null) below.add(begins);
    for (const { prNumber } of run.members) lanesOf.set(prNumber, below);
    const band = Math.floor(Math.max(...below) / MOST_COLUMNS);
    const columns = [...below].map((lane) => lane - band * MOST_COLUMNS).filter((column) => column >= 0);
    const first = Math.min(...columns);
    return { run, band, first, span: Math.max(...columns) - first + 1, begins };
  });
}
