import type { QueueSummary } from '../../../modules/views/queue-summary.dto';
import { html, type Html } from '../../html';

const HEIGHT = 24;
const STEP = 4;
const BAR = 3;
/** The height of the bar for an hour without merges, so that the bar is visible. */
const FLOOR = 1.5;
/** The scale has at least this many merges, so that a single merge looks small even in a quiet queue. */
const LEAST_FULL = 6;

/** Merges in each of the last hours, one bar per hour. */
export function hours({ mergedByHour, mergedCount }: QueueSummary): Html {
  const most = Math.max(LEAST_FULL, ...mergedByHour);
  const label = `${mergedCount} merged in ${mergedByHour.length} hours`;
  return html`<svg class="spark" viewBox="0 0 ${mergedByHour.length * STEP} ${HEIGHT}" role="img" aria-label="${label}">
    ${mergedByHour.map((merged, hour) => {
      const height = merged === 0 ? FLOOR : Math.max(2 * FLOOR, (merged / most) * HEIGHT);
      return html`<rect
        class="${merged === 0 ? 'z' : ''}"
        x="${hour * STEP}"
        y="${(HEIGHT - height).toFixed(1)}"
        width="${BAR}"
        height="${height.toFixed(1)}"
      />`;
    })}
  </svg>`;
}
