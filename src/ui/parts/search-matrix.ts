import type { RunPicture } from '../../modules/views/run-picture.dto';
import type { PrefixPicture, SearchPicture } from '../../modules/views/search-picture.dto';
import { html, type Html, prose } from '../html';
import { countText } from './basics';
import { icon } from './icons';
import { prLink, type Scene } from './scene';
import { stateMark } from './states';

const MOST_COLUMNS = 40;

/** Draws a bisection: columns are the batch in order, rows are the tested beginnings of the batch. */
export function searchCard(scene: Scene, search: SearchPicture, runs: readonly RunPicture[]): Html {
  const { number, members, suspects, stage, waitingFor } = search;
  const going = runs.filter((run) => search.runs.includes(run.number));
  const id = `search-${number}`;
  return html`<section class="card search" aria-labelledby="${id}">
    <h2 id="${id}">
      <span
        >${icon('search')} ${TITLES[stage]}
        <span class="soft">of ${countText(members.length, 'pull request')}</span></span
      >
      <span class="soft">${countText(search.results.length, 'run')} so far, ${going.length} in progress</span>
    </h2>
    <div class="pad">
      <p>${ABOUT[stage]} ${suspects.length} of ${members.length} may be the culprit.</p>
      ${matrix(scene, search, going)} ${waitingFor !== null && html`<p class="soft outside">${prose(waitingFor)}</p>`}
    </div>
  </section>`;
}

const TITLES: Readonly<Record<SearchPicture['stage'], string>> = {
  whole: 'A failed batch is tested again',
  prefixes: 'Bisection',
  culprit: 'A culprit is tested in isolation',
  suspects: 'Suspects',
};

const ABOUT: Readonly<Record<SearchPicture['stage'], string>> = {
  whole: 'The whole batch is tested once more before bisection starts.',
  prefixes: 'Each row is the first part of the batch, tested together. The shortest failed row ends with the culprit.',
  culprit: 'The culprit is tested once more, in isolation on the target branch.',
  suspects: 'These pull requests failed together. Parts of them are tested until the culprit is known.',
};

function matrix(scene: Scene, search: SearchPicture, going: readonly RunPicture[]): Html {
  const shown = search.members.slice(0, MOST_COLUMNS);
  const results = [...search.results].sort((a, b) => a.runNumber - b.runNumber);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label="Tested parts of the batch, scrolls sideways">
    <table class="matrix">
      <caption class="hide">
        First parts of the batch that were tested, and their results
      </caption>
      <thead>
        <tr>
          <th scope="col">Tested</th>
          ${shown.map((number) => html`<th scope="col">${prLink(scene, number)}</th>`)}
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        ${results.map((result) => doneRow(result, shown))} ${going.map((run) => goingRow(run, shown))}
        ${verdictRow(search, shown)}
      </tbody>
    </table>
  </div>`;
}

function doneRow({ length, runNumber, verdict }: PrefixPicture, shown: readonly number[]): Html {
  const [className, sign] = verdict === 'passed' ? ['in-pass', '✓'] : ['in-fail', '✗'];
  const mark = verdict === 'passed' ? 'passed' : verdict === 'failed' ? 'failed' : 'timeout';
  return html`<tr>
    <th scope="row">Run ${runNumber}</th>
    ${shown.map((_, index) => (index < length ? html`<td class="${className}">${sign}</td>` : html`<td class="out"></td>`))}
    <td class="res">${stateMark(mark)}</td>
  </tr>`;
}

function goingRow(run: RunPicture, shown: readonly number[]): Html {
  const own = new Set([...run.builtOn, ...run.members.map(({ prNumber }) => prNumber)]);
  return html`<tr>
    <th scope="row">Run ${run.number}</th>
    ${shown.map((number) => (own.has(number) ? html`<td class="in-run">…</td>` : html`<td class="out"></td>`))}
    <td class="res">${run.phase === 'building' ? stateMark('building') : stateMark('testing')}</td>
  </tr>`;
}

function verdictRow({ suspects, members, stage }: SearchPicture, shown: readonly number[]): Html {
  const first = members.indexOf(suspects[0] ?? -1);
  const cell = (number: number, index: number) => {
    if (suspects.includes(number)) return html`<td class="sus">suspect</td>`;
    if (stage === 'whole' || first < 0) return html`<td></td>`;
    return index < first ? html`<td class="clear">clear</td>` : html`<td class="beyond">later</td>`;
  };
  return html`<tr class="verdict">
    <th scope="row">So far</th>
    ${shown.map(cell)}
    <td class="res">${countText(suspects.length, 'suspect')} of ${members.length}</td>
  </tr>`;
}
