import { type Form, textIn } from '../../form';

const MAX_LENGTH = 100;

/** The login at code hosts that a sign-in form gives; "" when it gives none. */
export function personNameIn(form: Form): string {
  return textIn(form, 'person').trim().replace(/^@/, '').slice(0, MAX_LENGTH);
}
