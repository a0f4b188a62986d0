import { describePriority, NAMED_PRIORITIES } from '../../domain/priority';
import type { DomainError } from '../../platform/errors/domain-error';
import { type RefusedForm, textIn } from '../form';
import { attributes, type Content, html, type Html, prose } from '../html';
import type { Visit } from '../visit';
import { icon } from './icons';
import { pathTo } from './links';

type Hidden = Readonly<Record<string, string | number>>;

export interface ActionForm {
  /** The path to which the form is sent. */
  readonly action: string;
  readonly hidden: Hidden;
  /** The label of the button. */
  readonly button: string;
  /** `danger`: for destructive actions. */
  readonly tone?: 'main' | 'danger';
}

export interface AskingForm extends ActionForm {
  /** The label that opens the form. */
  readonly open: string;
  /** The form is open initially, because the URL asks for it. */
  readonly isOpen?: boolean;
  /** A text about the consequence of the form, and the fields of the form. */
  readonly body: Content;
}

/** The hidden fields that identify the page on which a form is. */
const PLACE = ['repo', 'branch', 'number', 'test', 'webhook'];

/**
 * The URL to which a form is sent. It names the subject of the form, so that a GET of the URL leads to the page of this
 * subject.
 */
export function formAddress({ action, hidden }: Pick<ActionForm, 'action' | 'hidden'>): string {
  return pathTo(action, Object.fromEntries(Object.entries(hidden).filter(([name]) => PLACE.includes(name))));
}

/** A button that acts immediately. */
export function actionButton({ action, hidden, button, tone }: ActionForm): Html {
  return html`<form class="inline-form" method="post" action="${formAddress({ action, hidden })}">
    ${hiddenFields(hidden)}<button ${attributes({ class: tone })}>${button}</button>
  </form>`;
}

/** A form behind a button, as a confirmation. A refused form is open, with the typed text. */
export function askingForm(form: AskingForm, refused: RefusedForm | null): Html {
  const isRefused = refused?.action === form.action;
  return html`<details class="act" ${attributes({ open: isRefused || form.isOpen === true })}>
    <summary class="button ${form.tone ?? ''}">${form.open}</summary>
    <form class="card pad" method="post" action="${formAddress(form)}">
      ${isRefused && refusalNote(refused.problem)} ${hiddenFields(form.hidden)} ${form.body}
      <button ${attributes({ class: form.tone })}>${form.button}</button>
    </form>
  </details>`;
}

export function hiddenFields(hidden: Hidden): Html {
  return html`${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;
}

/** The reason for a refusal. */
export function refusalNote(problem: DomainError): Html {
  const isMarked = problem.code === 'VALIDATION_FAILED' && problem.details.length > 0;
  const message = isMarked ? 'Correct the marked fields.' : problem.message;
  return html`<div class="note bad" role="alert">
    ${icon('cross', 'st-failed')}
    <div>
      <p><b>Nothing was changed.</b></p>
      <p class="soft outside">${prose(message)}</p>
    </div>
  </div>`;
}

/** The error of a form field; "": no error. */
export function problemOf(refused: RefusedForm | null, ...fields: readonly string[]): string {
  const found = refused?.problem.details.find(({ field }) => fields.includes(field));
  // The error of a nested field begins with the name of the field.
  return found?.message.replace(`${found.field.split('.').at(-1)} must `, 'must ') ?? '';
}

interface TextField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly maxLength: number;
  readonly inputmode?: 'numeric';
  /** Absent: the field is required. */
  readonly mayBeEmpty?: true;
  /** "": no error. */
  readonly problem: string;
}

export function textField(field: TextField): Html {
  const { id, name, label, hint, value, maxLength, inputmode, mayBeEmpty, problem } = field;
  return html`<div class="field">
    <label for="${id}">${label} <span class="hint">${hint}</span></label
    ><input
      id="${id}"
      name="${name}"
      value="${value}"
      autocomplete="off"
      maxlength="${maxLength}"
      ${attributes({ required: mayBeEmpty === undefined, inputmode, 'aria-invalid': problem !== '' && 'true', 'aria-describedby': problem !== '' && `${id}-problem` })}
    />${fieldProblem(`${id}-problem`, problem)}
  </div>`;
}

export function fieldProblem(id: string, problem: string): Html | null {
  return problem === '' ? null : html`<p class="problem" id="${id}">It ${problem}.</p>`;
}

interface ChoiceField {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** The choices, each with its value and its text. */
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: string;
}

export function choiceField({ id, name, label, choices, chosen }: ChoiceField): Html {
  const options = choices.map(
    ([value, text]) => html`<option value="${value}" ${attributes({ selected: value === chosen })}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="${id}">${label}</label
    ><select id="${id}" name="${name}">
      ${options}
    </select>
  </div>`;
}

/** The priorities that the token may request. The choice "" keeps the priority, or means the default. */
export function priorityField({ caller }: Visit, id: string, first: string, refused: RefusedForm | null): Html {
  const chosen = textIn(refused?.typed, 'priority');
  const allowed = NAMED_PRIORITIES.filter(({ value }) => value >= (caller?.bestPriority ?? 0));
  const options = allowed.map(
    ({ name, value }) =>
      html`<option value="${name}" ${attributes({ selected: name === chosen })}>${describePriority(value)}</option>`,
  );
  return html`<div class="field">
    <label for="${id}">Priority <span class="hint">lower numbers go first</span></label
    ><select id="${id}" name="priority">
      <option value="">${first}</option>
      ${options}
    </select>
  </div>`;
}
