import type { FoundTestItem } from '../../../modules/test-health/http/search/dto/find-tests.dto';
import { html, type Html } from '../../html';
import { lastDaysOf } from './days-chart';

type Day = FoundTestItem['days'][number];

const DAYS = 14;
const HEIGHT = 24;
const STEP = 7;
const BAR = 5;
/** The height of the bar for a day without a failure. */
const FLOOR = 1.5;
/** The minimum height of the bar for a day with failures, so that one failure in a thousand runs is visible. */
const LEAST = 4;

/** One bar for each of the last 14 days: the share of failed runs. */
export function fortnight(known: readonly Day[], now: Date): Html {
  const days = lastDaysOf(known, now, DAYS);
  const ran = days.filter(({ passed, failed }) => passed + failed > 0);
  const failed = ran.filter((day) => day.failed > 0);
  const label = `Failed on ${failed.length} of ${ran.length} days on which it ran, in ${DAYS} days`;
  return html`<svg class="spark" viewBox="0 0 ${DAYS * STEP} ${HEIGHT}" role="img" aria-label="${label}">
    ${days.map(bar)}
  </svg>`;
}

function bar({ passed, failed }: Day, index: number): Html {
  const runs = passed + failed;
  const height = failed === 0 ? FLOOR : Math.max(LEAST, (failed / runs) * HEIGHT);
  const tone = failed > 0 ? 'f' : runs > 0 ? '' : 'z';
  return html`<rect
    class="${tone}"
    x="${index * STEP}"
    y="${(HEIGHT - height).toFixed(1)}"
    width="${BAR}"
    height="${height.toFixed(1)}"
  />`;
}
