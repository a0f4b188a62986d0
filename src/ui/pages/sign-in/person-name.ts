import { type Form, textIn } from '../../form';

const MAX_LENGTH = 100;

/** The login at code hosts in a sign-in form; "": none was given. */
export function personNameIn(form: Form): string {
  return textIn(form, 'person').trim().replace(/^@/, '').slice(0, MAX_LENGTH);
}
