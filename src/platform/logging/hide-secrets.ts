import { hideTokens } from '../auth/token';

/**
 * The last look at a line before it is written: whatever part of the program put a token or the password of an
 * address into it, it does not get out.
 */
export function hideSecrets(line: string): string {
  return hideTokens(line)
    .replace(/(\w+:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/g, '$1:[hidden]@')
    .replace(/("(?:x-api-token|authorization|password|secret|cookie)"\s*:\s*")[^"]+"/gi, '$1[hidden]"');
}
