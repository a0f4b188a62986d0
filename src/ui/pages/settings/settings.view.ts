import type { QueueSettingName } from '../../../domain/queue-settings';
import { describeSetting, type QueueSetting } from '../../../domain/setting-kinds';
import type { AuditPage } from '../../../platform/audit/audit-log';
import type { RepositoryName } from '../../../platform/repository-name';
import type { PreviewedFigures, SettingsPreviewRecord } from '../../../modules/queues/settings-preview.dto';
import { type Form, type RefusedForm, textIn } from '../../form';
import { attributes, html, type Html, prose } from '../../html';
import { countText, numberText } from '../../parts/basics';
import { formAddress, askingForm, fieldProblem, hiddenFields, refusalNote } from '../../parts/forms';
import { repositoryText } from '../../parts/links';
import { queueShell } from '../../parts/queue-shell';
import { page } from '../../parts/shell';
import { roughly } from '../../parts/times';
import { may, type Visit } from '../../visit';
import { changesOf } from './changes.view';
import { SETTING_TITLES } from './setting-titles';
import { isSameText, SETTING_GROUPS, settingNamed } from './setting-texts';

interface PlaceOfSettings {
  readonly visit: Visit;
  readonly repo: RepositoryName;
  readonly branch: string;
  readonly now: Date;
}

interface ShownSettings {
  readonly saved: Readonly<Record<QueueSettingName, string>>;
  /** The typed values after a save or preview; undefined: nothing was typed yet. */
  readonly typed: Form;
  /** Null: this person may not see the changes. */
  readonly changes: AuditPage['events'] | null;
  readonly refused: RefusedForm | null;
  readonly preview: SettingsPreviewRecord | null;
  readonly done: Html | null;
}

/**
 * Every setting with its meaning. People who may change settings also get a form, a preview of the form, and the
 * history of changes.
 */
export function settingsPage(place: PlaceOfSettings, shown: ShownSettings): Html {
  const { visit, repo, branch } = place;
  const isAdmin = may(visit, 'administer');
  const groups = SETTING_GROUPS.map(
    ({ title, names }, index) =>
      html`<section class="card" aria-labelledby="group-${index}">
        <h2 id="group-${index}">${title}</h2>
        ${names.map((name) => settingRow(name, shown, isAdmin))}
      </section>`,
  );
  const hidden = { repo: repositoryText(repo), branch };
  const buttons = html`<div class="acts form-acts">
    ${hiddenFields(hidden)}
    <button class="main">Save</button
    ><button formaction="${formAddress({ action: '/ui/settings/preview', hidden })}">What would have happened?</button>
  </div>`;
  const form = html`<form
    class="stack"
    method="post"
    action="${formAddress({ action: '/ui/settings', hidden })}"
    aria-label="Settings"
  >
    ${groups} ${buttons}
  </form>`;
  const body = html`<div class="head">
      <div>
        <h1>Settings</h1>
        <p class="lede">
          A change takes effect with the next decision of the queue. Test runs in progress keep the settings that they
          started with.
        </p>
        <nav class="jumps" aria-label="Groups of settings">
          ${SETTING_GROUPS.map(({ title }, index) => html`<a href="#group-${index}">${title}</a>`)}
        </nav>
      </div>
      ${isAdmin && html`<div class="acts">${deletion(place, shown.refused)}</div>`}
    </div>
    ${shown.done} ${shown.refused && shown.refused.action !== DELETION && refusalNote(shown.refused.problem)}
    <div class="two">
      ${isAdmin ? form : html`<div class="stack">${groups}</div>`}
      <aside class="stack" aria-label="Effects">
        ${effects(shown, isAdmin)} ${changesOf(place.now, shown.changes)}
      </aside>
    </div>`;
  return page(visit, {
    ...queueShell(place, 'settings'),
    title: `Settings of ${repo.owner}/${repo.name} ${branch}`,
    body,
  });
}

const DELETION = '/ui/settings/delete';

function deletion({ repo, branch }: PlaceOfSettings, refused: RefusedForm | null): Html {
  const body = html`<p>
    The queue stops testing and merging for <b class="outside">${branch}</b>. Merged commits and the log are kept. A
    queue that contains pull requests cannot be deleted: cancel them first.
  </p>`;
  const words = { open: 'Delete the queue…', button: 'Delete the queue', tone: 'danger' } as const;
  return askingForm({ action: DELETION, hidden: { repo: repositoryText(repo), branch }, ...words, body }, refused);
}

function settingRow(name: QueueSettingName, { saved, typed, refused }: ShownSettings, isAdmin: boolean): Html {
  const setting = settingNamed(name);
  const before = typed === undefined ? saved[name] : textIn(typed, `was.${name}`);
  const value = typed === undefined ? saved[name] : textIn(typed, name);
  const isChanged = !isSameText(value, before);
  const problem = refused?.problem.details.find(({ field }) => field === name || field.startsWith(`${name}.`));
  const label = isAdmin
    ? html`<label for="s-${name}">${SETTING_TITLES[name]}</label>`
    : html`<span class="lab">${SETTING_TITLES[name]}</span>`;
  return html`<div class="setting ${isChanged ? 'changed' : ''}">
    <div>
      ${label} ${isChanged && html`<span class="was">was ${before === '' ? 'empty' : before}</span>`}
      <code class="key">${name}</code>
    </div>
    <p>
      ${prose(describeSetting(setting))} ${whenOf(setting, name)}
      ${'nullMeans' in setting && setting.nullMeans !== undefined && `Empty: ${setting.nullMeans}.`}
      ${syntaxOf(setting)}
    </p>
    <div class="ctl">
      ${isAdmin ? control(name, setting, value, problem !== undefined) : html`<span class="outside">${value === '' ? '–' : value}</span>`}
      ${isAdmin && html`<input type="hidden" name="was.${name}" value="${before}" />`}
      ${problem && fieldProblem(`s-${name}-problem`, problem.message.replace(/^.*? must /, 'must '))}
    </div>
  </div>`;
}

function whenOf({ actedOnBy }: QueueSetting, name: QueueSettingName): string {
  return actedOnBy === 'mode switch' || name === 'scheduling'
    ? 'Takes effect when all test runs and merges in progress have ended.'
    : '';
}

function syntaxOf({ kind }: QueueSetting): string {
  if (kind === 'names' || kind === 'batching rules') return 'One per line.';
  if (kind === 'status reporters') return 'One per line, such as: jenkins by login:jenkins-bot';
  return kind === 'freeze windows' ? 'One per line, such as: friday saturday 16:00-24:00 Europe/Berlin except 0' : '';
}

function control(name: QueueSettingName, setting: QueueSetting, value: string, isWrong: boolean): Html {
  const own = attributes({
    id: `s-${name}`,
    name,
    'aria-invalid': isWrong && 'true',
    'aria-describedby': isWrong && `s-${name}-problem`,
  });
  switch (setting.kind) {
    case 'boolean':
    case 'choice': {
      const choices =
        setting.kind === 'choice'
          ? setting.choices.map((one) => [one, one])
          : [
              ['true', 'on'],
              ['false', 'off'],
            ];
      const options = choices.map(
        ([is, text]) =>
          html`<option value="${is ?? ''}" ${attributes({ selected: is === value })}>${text ?? ''}</option>`,
      );
      return html`<select ${own}>
        ${options}
      </select>`;
    }
    case 'names':
    case 'batching rules':
    case 'freeze windows':
    case 'status reporters':
      return html`<textarea ${own} rows="3" spellcheck="false">${value}</textarea>`;
    default:
      return html`<input
        ${own}
        value="${value}"
        autocomplete="off"
        ${attributes({ inputmode: setting.kind === 'integer' && 'numeric' })}
      />`;
  }
}

function effects({ preview }: ShownSettings, isAdmin: boolean): Html | null {
  if (!isAdmin) return null;
  return html`<section class="card" aria-labelledby="preview">
    <h2 id="preview">Result of the replay</h2>
    <div class="pad">
      ${
        preview === null
          ? html`<p class="soft">
              Change settings and press <b>What would have happened?</b>: the last 30 days are replayed with them, and
              nothing is saved.
            </p>`
          : comparison(preview)
      }
    </div>
  </section>`;
}

const ROWS: readonly (readonly [string, (figures: PreviewedFigures) => number | null, (value: number) => string])[] = [
  ['Merged', ({ merged }) => merged, String],
  ['Half merged within', ({ timeToMerge }) => timeToMerge && timeToMerge.p50Seconds * 1_000, roughly],
  ['9 of 10 merged within', ({ timeToMerge }) => timeToMerge && timeToMerge.p90Seconds * 1_000, roughly],
  ['Test runs', ({ testRuns }) => testRuns, String],
  ['Runs per merged', ({ testRunsPerMerged }) => testRunsPerMerged, (value) => value.toFixed(2)],
  ['Failed', ({ failed }) => failed, String],
  ['Wrongly failed', ({ failedWrongly }) => failedWrongly, String],
];

function comparison({ asItIs, asItWouldBe, tests, reproduced, leftOut, since, until }: SettingsPreviewRecord): Html {
  const rows = ROWS.map(([title, valueIn, textIn_]) => {
    const [was, would] = [valueIn(asItIs), valueIn(asItWouldBe)].map((value) =>
      value === null ? '–' : textIn_(value),
    );
    return html`<tr>
      <th scope="row">${title}</th>
      <td>${was}</td>
      <td>${was === would ? would : html`<b>${would}</b>`}</td>
    </tr>`;
  });
  return html`<table class="cmp">
      <thead>
        <tr>
          <th scope="col">${since.slice(0, 10)} to ${until.slice(0, 10)}</th>
          <th scope="col">as it is</th>
          <th scope="col">would be</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
    <p class="soft">
      Replayed: ${countText(tests.tested, 'real test run')}, and ${countText(tests.assumed, 'other test run')} without a
      real result, assumed to pass because their parts passed. With the current settings the replay ended
      ${numberText(reproduced.same)} of ${countText(reproduced.of, 'pull request')} as in reality.
    </p>
    ${leftOut.map((sentence) => html`<p class="soft">${prose(sentence)}</p>`)}`;
}
