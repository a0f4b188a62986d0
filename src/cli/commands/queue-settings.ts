import { type Command, InvalidArgumentError, Option } from 'commander';
import { QUEUE_SETTINGS } from '../../domain/queue-settings';
import { describeDefault, describeSetting, type QueueSetting, type SettingTable } from '../../domain/setting-kinds';
import { parseBoolean, parseJson } from '../arguments';

/** The fields of the request that are not settings. */
const BESIDE = {
  state: { kind: 'choice', choices: ['running', 'paused', 'draining'], words: 'State of the queue.' },
  deleteRequiredStatuses: { kind: 'boolean', words: 'true removes the required statuses of the queue settings.' },
} as const;

type Field = QueueSetting | (typeof BESIDE)[keyof typeof BESIDE];

const NULL = 'null';

/** One option per setting: `--testing-timeout-minutes 30`, `--batch true`, `--required-statuses test lint`. */
export function withQueueSettings(command: Command, settings: SettingTable = QUEUE_SETTINGS): Command {
  for (const [name, field] of fieldsOf(settings)) {
    const option = new Option(`--${kebab(name)} ${placeholder(field)}`, helpOf(field));
    // An option with names needs no parser, because commander collects the names one by one.
    command.addOption(field.kind === 'names' ? option : option.argParser((text) => parse(field, text)));
  }
  return command;
}

/** The settings given as options, in the form of the request. The service checks their values. */
export function settingsSaid(
  options: Readonly<Record<string, unknown>>,
  settings: SettingTable = QUEUE_SETTINGS,
): Record<string, unknown> {
  const said = fieldsOf(settings).filter(([name]) => options[name] !== undefined);
  return Object.fromEntries(said.map(([name, field]) => [name, valueOf(field, options[name])]));
}

/** The value of a setting as a text: `8`, `true`, `null`; names with commas between them. @throws InvalidArgumentError */
export function settingFromText(name: string, text: string): unknown {
  const field = (QUEUE_SETTINGS as SettingTable)[name];
  if (field === undefined)
    throw new InvalidArgumentError(
      `There is no setting ${name}. There are: ${Object.keys(QUEUE_SETTINGS).join(', ')}.`,
    );
  if (text === NULL && takesNull(field)) return null;
  switch (field.kind) {
    case 'names':
      return text.split(',').filter((one) => one !== '');
    case 'choice': {
      const choice = text.toLowerCase();
      if (field.choices.includes(choice)) return choice;
      throw new InvalidArgumentError(`${name}: ${allowedIn(field)}`);
    }
    case 'integer': {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      if (value >= field.range.minimum && value <= field.range.maximum) return value;
      throw new InvalidArgumentError(`${name} is a whole number, ${allowedIn(field)}`);
    }
    default:
      return parse(field, text);
  }
}

function fieldsOf(settings: SettingTable): [string, Field][] {
  return Object.entries<Field>({ ...BESIDE, ...settings });
}

/** Converts two values that commander cannot express: null, and a list without names, which arrives as `true`. */
function valueOf(field: Field, option: unknown): unknown {
  if (takesNull(field) && option === NULL) return null;
  return field.kind === 'names' && option === true ? [] : option;
}

function parse(field: Field, text: string): unknown {
  switch (field.kind) {
    case 'integer':
      if (takesNull(field) && text === NULL) return NULL;
      if (/^\d+$/.test(text)) return Number(text);
      throw new InvalidArgumentError(`Write a whole number${takesNull(field) ? ' or null' : ''}.`);
    case 'boolean':
      return parseBoolean(text);
    case 'batching rules':
    case 'freeze windows':
    case 'status reporters':
      return parseJson(text);
    default:
      return text;
  }
}

function placeholder(field: Field): string {
  switch (field.kind) {
    case 'integer':
      return takesNull(field) ? '<n|null>' : '<n>';
    case 'boolean':
      return '<true|false>';
    case 'names':
      return '[name...]';
    case 'batching rules':
    case 'freeze windows':
    case 'status reporters':
      return '<json>';
    case 'text':
      return takesNull(field) ? '<text|null>' : '<word>';
    default:
      return '<word>';
  }
}

function helpOf(field: Field): string {
  if (!('default' in field)) return [field.words, allowedIn(field)].filter(Boolean).join(' ');
  // The help of a list does not mention null, because the option without names means the same.
  const initial =
    field.kind === 'names'
      ? `Without names, the default: ${field.nullMeans ?? 'an empty list'}.`
      : describeDefault(field);
  return [describeSetting(field), allowedIn(field), initial].filter(Boolean).join(' ');
}

function allowedIn(field: Field): string {
  switch (field.kind) {
    case 'integer':
      return `${field.range.minimum} to ${field.range.maximum}.`;
    case 'choice':
      return `One of: ${field.choices.join(', ')}.`;
    case 'text':
      return `At most ${field.maxLength} characters.`;
    case 'batching rules':
      return 'As JSON: [{"targetPattern":"//infra/*","policy":"isolate"}].';
    case 'freeze windows':
      return 'As JSON: [{"days":["friday"],"from":"16:00","to":"24:00","timeZone":"Europe/Berlin","exceptPriorityAtMost":0}].';
    case 'status reporters':
      return 'As JSON: [{"name":"jenkins","reporter":"login:jenkins-bot"}].';
    case 'boolean':
    case 'names':
      return '';
  }
}

function takesNull(field: Field): boolean {
  return (field.kind === 'integer' || field.kind === 'text') && field.nullMeans !== undefined;
}

function kebab(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
