/** Refuses a command about organizations, tokens or repositories. The operator reads the message. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}
