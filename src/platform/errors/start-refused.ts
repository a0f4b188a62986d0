/**
 * The service or a command cannot start, for a reason that its operator can remove. The first line of the message is
 * the problem; further lines are the cause and the fix. The message is printed without a stack.
 */
export class StartRefused extends Error {
  override readonly name: string = 'StartRefused';
}
