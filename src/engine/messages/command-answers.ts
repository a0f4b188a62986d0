import { PRIORITIES } from '../vocabulary';
import { capitalised } from '../wording/words';
import { code, codes } from '../wording/markdown';

/** The error in a command that somebody wrote in a comment. `nearest`: the command that was probably meant. */
export type CommandMistake =
  | { readonly type: 'unknown_command'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'unknown_option'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'cancel_has_no_options'; readonly said: string }
  | { readonly type: 'unknown_priority'; readonly said: string; readonly nearest: string | null }
  | { readonly type: 'missing_priority' }
  | { readonly type: 'several_commands' };

export function mistakeIn(brand: string, mistake: CommandMistake): string {
  const commands = `The commands are ${code(`/${brand} merge`)} and ${code(`/${brand} cancel`)}.`;
  switch (mistake.type) {
    case 'unknown_command': {
      const what = mistake.said === '' ? 'The command is missing' : `${code(mistake.said)} is not a command`;
      return `${what}. ${mistake.nearest === null ? commands : didYouMean(`/${brand} ${mistake.nearest}`)}`;
    }
    case 'unknown_option': {
      const options = `The options are ${codes(['--priority <name or number>', '--no-batch'])}.`;
      const meant = mistake.nearest === null ? options : didYouMean(mistake.nearest);
      return `${code(mistake.said)} is not an option. ${meant}`;
    }
    case 'cancel_has_no_options':
      return `${code(mistake.said)} is not an option. ${code(`/${brand} cancel`)} has no options.`;
    case 'unknown_priority': {
      const meant = mistake.nearest === null ? priorities() : didYouMean(mistake.nearest);
      return `${code(mistake.said)} is not a priority. ${meant}`;
    }
    case 'missing_priority':
      return `The priority is missing. ${priorities()}`;
    case 'several_commands':
      return `Nothing was done: a comment may hold only one command. ${commands}`;
  }
}

function didYouMean(text: string): string {
  return `Did you mean ${code(text)}?`;
}

function priorities(): string {
  const names = Object.entries(PRIORITIES).map(([name, value]) => `${code(name)} (${value})`);
  return `A priority is ${names.join(', ')} or any whole number; lower numbers are tested first.`;
}

export function notPermitted(author: string): string {
  const rule = 'only people with write access to this repository may use its merge queue';
  return `Nothing was done: ${rule}, and ${code(author)} has no write access.`;
}

export function unknownPerson(brand: string): string {
  return `Nothing was done: it is unknown who checked the box. Comment ${code(`/${brand} merge`)} instead.`;
}

/** `head`: the present head, a commit id. */
export function headChanged(head: string): string {
  const cause = `the head of this pull request is now ${code(head.slice(0, 8))}, and may be newer than your request`;
  return `Nothing was done: ${cause}. Review the new head, and submit the pull request again to merge it.`;
}

export function noQueueFor(branch: string): string {
  return `There is no merge queue for ${code(branch)}, the base branch of this pull request.`;
}

/** `message`: why the queue refused it. */
export function refusedByQueue(message: string): string {
  return `${capitalised(message)}.`;
}
