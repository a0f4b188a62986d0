import type { QueueSummary } from '../../../modules/views/queue-summary.dto';
import { html, type Html } from '../../html';
import type { IconName } from '../../parts/icons';

/** The maximum number of slots that are drawn; a queue may have hundreds of slots. */
const MOST = 12;

interface Slot {
  /** The ending of the CSS classes `sl-…` and `si-…`. */
  readonly look: string;
  readonly picture: IconName | null;
  readonly word: string;
}

const TESTING: Slot = { look: 't', picture: 'ring', word: 'testing' };
const PASSED: Slot = { look: 'p', picture: 'check', word: 'passed, merging' };
const BUILDING: Slot = { look: 'b', picture: 'build', word: 'being built' };
const SEARCHING: Slot = { look: 's', picture: 'question', word: 'bisection' };
const STUCK: Slot = { look: 'o', picture: 'cross', word: 'failed or in conflict' };
const FREE: Slot = { look: 'e', picture: null, word: 'free' };

/** Running test runs and free slots, one square each. */
export function slots({ runs, slots: all }: QueueSummary): Html {
  const taken = [
    ...many(PASSED, runs.passed + runs.landing),
    ...many(STUCK, runs.stuck),
    ...many(TESTING, runs.testing),
    ...many(BUILDING, runs.building),
    ...many(SEARCHING, runs.searching),
  ];
  const count = runs.passed + runs.landing + runs.stuck + runs.testing + runs.building + runs.searching;
  const list = [...taken, ...many(FREE, Math.max(0, all - count))];
  const shown = list.slice(0, MOST);
  const words = list.map(({ word }) => word).join(', ');
  const label = list.length > MOST ? `${count} of ${all} slots are taken` : words;
  return html`<span class="slots" role="img" aria-label="Test runs: ${label}">${shown.map(square)}</span
    >${list.length > MOST && html` <span class="soft">${count} of ${all}</span>`}`;
}

function many(slot: Slot, count: number): Slot[] {
  return Array.from({ length: Math.min(count, MOST + 1) }, () => slot);
}

function square({ look, picture }: Slot): Html {
  return html`<svg viewBox="0 0 22 22" aria-hidden="true">
    <rect class="sl-${look}" x="1" y="1" width="20" height="20" rx="4" />
    ${picture !== null && html`<use href="#i-${picture}" x="4" y="4" width="14" height="14" class="si-${look}" />`}
  </svg>`;
}
