export const MAX_TICKET = 2_000;

/** Without a colon it cannot be read as an address, least of all as one that runs a script. */
const KEY = /^[^\s:<>"'`\\\p{C}]+$/u;
const ADDRESS = /^https?:\/\/[^\s<>"'`\\\p{C}]+$/iu;

/** The key of a ticket in a tracker, or its address. */
export function isTicket(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_TICKET) return false;
  return KEY.test(value) || (ADDRESS.test(value) && URL.canParse(value));
}
