/**
 * The service or a command cannot start, for a reason that its operator can remove. The message says what is wrong, why, and the
 * way out; its first line has at most 100 characters. No stack is shown with it.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
