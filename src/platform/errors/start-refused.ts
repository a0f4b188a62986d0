/**
 * The service or a command cannot start, for a reason that its operator can remove. The first line of the message says what is wrong;
 * further lines say the cause and the way out. No stack is shown with it.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
