/** A command about organizations, tokens or repositories that cannot be carried out. The message is for the operator. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}
