import type { QueueSummary } from '../../../modules/views/queue-summary.dto';
import { html, type Html } from '../../html';

const HEIGHT = 24;
const STEP = 4;
const BAR = 3;
/** Seen, where nothing landed. */
const FLOOR = 1.5;
/** So that one in an hour looks like one, also where nothing else landed. */
const LEAST_FULL = 6;

/** What landed in each of the last hours, a bar each. */
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
