import { verify, type KeyObject } from 'node:crypto';
import { GitHubRefusal } from './answers';

const LONGEST_LIFE_S = 600;

export interface JsonWebTokenRules {
  readonly publicKey: KeyObject;
  readonly appId: number;
  readonly now: Date;
}

/** Checks that the app made the token and that it is valid now. Throws GitHub's refusal otherwise. */
export function checkJsonWebToken(token: string, { publicKey, appId, now }: JsonWebTokenRules): void {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const algorithm = parsed(header)?.alg;
  const claims = parsed(payload);
  if (!isSigned || algorithm !== 'RS256' || claims === null) throw refused('A JSON web token could not be decoded');
  const seconds = Math.floor(now.getTime() / 1000);
  const { iss, iat, exp } = claims;
  if (typeof iat !== 'number' || iat > seconds) {
    throw refused("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
  }
  if (typeof exp !== 'number' || exp <= seconds) {
    throw refused(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (exp - seconds > LONGEST_LIFE_S) throw refused("'Expiration time' claim ('exp') is too far in the future");
  if (String(iss) !== String(appId)) throw new GitHubRefusal(404, 'Integration not found');
}

function parsed(part: string): Record<string, unknown> | null {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}

function refused(message: string): GitHubRefusal {
  return new GitHubRefusal(401, message);
}
