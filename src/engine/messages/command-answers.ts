import { PRIORITIES } from '../vocabulary';
import { capitalised } from './words';
import { code, codes } from './markdown';

/** What is wrong with a command that somebody wrote. `nearest`: what was probably meant. */
export type CommandMistake =
  | { readonly type: 'unknown_command'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'unknown_option'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'cancel_has_no_options'; readonly said: string }
  | { readonly type: 'unknown_priority'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'missing_priority' }
  | { readonly type: 'several_commands' };

export function mistakeIn(brand: string, mistake: CommandMistake): string {
  const commands = `${code(`/${brand} merge`)} and ${code(`/${brand} cancel`)}`;
  switch (mistake.type) {
    case 'unknown_command': {
      const meant = mistake.nearest === null ? null : `/${brand} ${mistake.nearest}`;
      const what = mistake.said === '' ? 'That is no command by itself' : `${code(mistake.said)} is no command`;
      return `${what}. ${meant === null ? `The commands are ${commands}.` : didYouMean(meant)}`;
    }
    case 'unknown_option': {
      const options = `The options are ${codes(['--priority <name or number>', '--no-batch'])}.`;
      const meant = mistake.nearest === null ? options : didYouMean(mistake.nearest);
      return `${code(mistake.said)} is no option here. ${meant}`;
    }
    case 'cancel_has_no_options':
      return `${code(mistake.said)} is no option here. ${code(`/${brand} cancel`)} has none.`;
    case 'unknown_priority': {
      const meant = mistake.nearest === null ? priorities() : didYouMean(mistake.nearest);
      return `${code(mistake.said)} is no priority. ${meant}`;
    }
    case 'missing_priority':
      return `A priority has to be named. ${priorities()}`;
    case 'several_commands':
      return `That is more than one command, so nothing was done. Write one of ${commands} in a comment of its own.`;
  }
}

function didYouMean(text: string): string {
  return `Did you mean ${code(text)}?`;
}

function priorities(): string {
  const names = Object.entries(PRIORITIES).map(([name, value]) => `${code(name)} (${value})`);
  return `It is ${names.join(', ')} or any whole number: lower goes first.`;
}

export function notPermitted(author: string): string {
  return `Only people who may write to this repository may command its merge queue; ${code(author)} may not.`;
}

export function unknownPerson(brand: string): string {
  const instead = `Write ${code(`/${brand} merge`)} in a comment of its own instead.`;
  return `Who checked the box could not be found out, so nothing was done. ${instead}`;
}

export function noQueueFor(branch: string): string {
  return `There is no merge queue for ${code(branch)}, the branch that this pull request is to be merged into.`;
}

/** `message`: why the queue itself said no. */
export function refusedByQueue(message: string): string {
  return `${capitalised(message)}.`;
}
