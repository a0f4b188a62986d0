/** A refused command about organizations, tokens or repositories. The message is for the operator. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
}
