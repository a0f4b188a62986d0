import { hideTokens } from '../auth/token';

/**
 * The last look at a line before it is written: whatever part of the program put a token or the password of an
 * address into it, it does not get out.
 */
export function hideSecrets(line: string): string {
  return hideTokens(line)
    .replace(/(\w+:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/g, '$1:[hidden]@')
    .replace(/\b(gh[a-z]_|github_pat_)[A-Za-z0-9_]{8,}/g, '$1[hidden]')
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*/g, '[hidden private key]')
    .replace(/\b(Basic|Bearer) [A-Za-z0-9+/=_.-]{16,}/g, '$1 [hidden]')
    .replace(
      /("(?:x-api-token|authorization|password|secret|cookie|webhookSecret|privateKey)"\s*:\s*")[^"]+"/gi,
      '$1[hidden]"',
    );
}
