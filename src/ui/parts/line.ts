import type { GroupInHand } from '../../reading/dto/pictured-pull-request.dto';
import type { RunPicture } from '../../reading/dto/run-picture.dto';
import { html, type Html, prose } from '../html';
import { phaseClass, runCard } from './run-card';
import { prLink, type Scene } from './scene';

/** A rail from the target's tip: each step stands on those above it. */
export function line(
  scene: Scene,
  runs: readonly RunPicture[],
  groups: readonly GroupInHand[],
  { expectedRunMs, free }: { readonly expectedRunMs: number | null; readonly free: string | null },
): Html {
  return html`<ol class="runs">
    ${runs.map((run) => html`<li class="step ${phaseClass(run)}">${runCard(scene, run, expectedRunMs)}</li>`)}
    ${groups.map((group) => html`<li class="step free">${groupInHand(scene, group)}</li>`)}
    ${free !== null && html`<li class="step free"><p class="slot">${prose(free)}</p></li>`}
  </ol>`;
}

export function groupInHand(scene: Scene, { members, waitingFor }: GroupInHand): Html {
  return html`<div class="slot">
    ${members.map((number) => html`${prLink(scene, number)} `)}
    ${waitingFor !== null && html`<span class="outside">${prose(waitingFor)}</span>`}
  </div>`;
}

/** Columns that hang off the tip, at most four: a run that is built on two of them spans both. */
export function lanes(scene: Scene, runs: readonly RunPicture[], expectedRunMs: number | null): Html {
  const placed = placeInLanes(runs);
  const width = Math.min(MOST_COLUMNS, Math.max(1, ...placed.map(({ first, span }) => first + span)));
  const names = Array.from({ length: width }, (_, index) => index + 1);
  return html`<div class="lanes of-${width}">
    ${names.map((lane) => html`<h3 class="lane-name from-${lane}">Lane ${lane}</h3>`)}
    ${placed.map(({ run, first, span }) => {
      const classes = span > 1 ? 'wide' : '';
      return html`<div class="lane from-${first + 1} span-${span}">
        ${runCard(scene, run, expectedRunMs, classes)}
      </div>`;
    })}
  </div>`;
}

const MOST_COLUMNS = 4;

export interface PlacedRun {
  readonly run: RunPicture;
  /** Its first column, from 0, and how many it covers. */
  readonly first: number;
  readonly span: number;
}

/** A run that is built on no other begins a column; from the fifth on, columns are used again. */
export function placeInLanes(runs: readonly RunPicture[]): readonly PlacedRun[] {
  const columns = new Map<number, ReadonlySet<number>>();
  let begun = 0;
  return runs.map((run) => {
    const below = new Set(run.builtOn.flatMap((number) => [...(columns.get(number) ?? [])]));
    if (below.size === 0) below.add(begun++ % MOST_COLUMNS);
    for (const { prNumber } of run.members) columns.set(prNumber, below);
    const first = Math.min(...below);
    return { run, first, span: Math.max(...below) - first + 1 };
  });
}
