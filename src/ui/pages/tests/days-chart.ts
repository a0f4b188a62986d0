import { html, type Html } from '../../html';
import type { TestDetails } from '../../../modules/test-health/http/details/dto/test-details.dto';

type Day = TestDetails['days'][number];

const DAY_MS = 86_400_000;
const DAYS = 45;

const WIDTH = 20;
const HEIGHT = 60;
/** The minimum height of the failed part, so that one failure in a thousand runs is visible. */
const LEAST = 4;

/** The last days in UTC, including days without a run. */
export function lastDaysOf(days: readonly Day[], now: Date, count = DAYS): readonly Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now.getTime() - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, passed: 0, failed: 0, skipped: 0 };
  });
}

/** One column per day: the coloured part is the share of failed runs. */
export function daysChart(days: readonly Day[]): Html {
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const runs = days.reduce((sum, day) => sum + day.failed + day.passed, 0);
  const label = `${failed} of ${runs} runs failed in ${days.length} days`;
  return html`<svg
    class="days"
    viewBox="0 0 ${days.length * WIDTH} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${days.map(column)}
  </svg>`;
}

function column(day: Day, index: number): Html {
  const { passed, failed } = day;
  const x = index * WIDTH + 2;
  const width = WIDTH - 4;
  if (passed + failed === 0) return html`<rect class="k" x="${x}" y="${HEIGHT - 2}" width="${width}" height="2" />`;
  const red = failed === 0 ? 0 : Math.max(LEAST, Math.round((failed / (passed + failed)) * HEIGHT));
  return html`<g>
    <title>${sayDay(day)}</title>
    ${red < HEIGHT && html`<rect class="p" x="${x}" y="0" width="${width}" height="${HEIGHT - red}" />`}
    ${red > 0 && html`<rect class="x" x="${x}" y="${HEIGHT - red}" width="${width}" height="${red}" />`}
  </g>`;
}

function sayDay({ day, passed, failed, skipped }: Day): string {
  return `${day}: ${failed} failed, ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The data of the chart as a table, also for screen readers. */
export function daysTable(days: readonly Day[]): Html {
  const rows = days.filter(({ passed, failed, skipped }) => passed + failed + skipped > 0).toReversed();
  return html`<details class="data">
    <summary>As a table</summary>
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th class="num" scope="col">Failed</th>
          <th class="num" scope="col">Passed</th>
          <th class="num" scope="col">Skipped</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ day, passed, failed, skipped }) =>
            html`<tr>
              <td>${day}</td>
              <td class="num">${failed}</td>
              <td class="num">${passed}</td>
              <td class="num">${skipped}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}
