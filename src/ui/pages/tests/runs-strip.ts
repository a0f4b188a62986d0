import type { TestDetails } from '../../../modules/test-health/http/details/dto/test-details.dto';
import { html, type Html } from '../../html';
import { countText, shortSha } from '../../parts/basics';
import { legendKey } from '../../parts/charts';
import { numberOrBranch } from './where';

type Run = TestDetails['latest_runs'][number];

const KINDS = [
  ['stable', 'target branches'],
  ['queue', 'the queue'],
  ['pull_request', 'pull requests'],
] as const;

const MOST = 60;
const [WIDTH, HEIGHT] = [12, 26];
/** The mark of a failed run is also taller, because colour alone is not accessible. */
const SHAPES: Readonly<Record<string, readonly [className: string, y: number, height: number]>> = {
  passed: ['p', 7, 12],
  failed: ['x', 0, HEIGHT],
  skipped: ['k', 7, 12],
};

/** The last runs of a test in order, one row for each kind of branch. Null: the test has no runs. */
export function runsStrip(runs: readonly Run[]): Html | null {
  if (runs.length === 0) return null;
  return html`<section class="card" aria-labelledby="runs">
    <h2 id="runs"><span>The last runs</span> <span class="soft">newest on the right; tall bars failed</span></h2>
    <div class="pad">
      <div class="strip">
        ${KINDS.map(([kind, text]) =>
          row(
            text,
            runs.filter((run) => run.branch_class === kind),
          ),
        )}
      </div>
      <p class="legend">
        ${legendKey('m', 'passed')} ${legendKey('f', 'failed')}
        ${runs.some(({ outcome }) => outcome === 'skipped') && legendKey('k', 'skipped')}
      </p>
    </div>
  </section>`;
}

function row(text: string, runs: readonly Run[]): Html | null {
  if (runs.length === 0) return null;
  const failed = runs.filter(({ outcome }) => outcome === 'failed').length;
  const said = `${failed} of ${countText(runs.length, 'run')} failed`;
  return html`<span>${text}</span
    ><svg viewBox="0 0 ${MOST * WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${text}: ${said}">
      ${runs.map((run, index) => mark(run, MOST - runs.length + index))}</svg
    ><span class="soft num">${failed} of ${runs.length} failed</span>`;
}

function mark(run: Run, place: number): Html {
  const [className, y, height] = SHAPES[run.outcome] ?? SHAPES.skipped!;
  const { timestamp, outcome, commit } = run;
  const title = [`${timestamp.slice(0, 16).replace('T', ' ')} UTC: ${outcome}`, numberOrBranch(run), shortSha(commit)];
  return html`<rect
    class="${className}"
    x="${place * WIDTH + 1}"
    y="${y}"
    width="${WIDTH - 2}"
    height="${height}"
    rx="2"
  >
    <title>${title.filter(Boolean).join(', ')}</title>
  </rect>`;
}
