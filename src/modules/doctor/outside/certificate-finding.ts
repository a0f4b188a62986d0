import { type Finding, ok, problem } from '../../../domain/host-examination';
import type { Unanswered } from './ask';
import type { Presented } from './certificate';

const DAY_MS = 24 * 3_600_000;
/** Automatic renewal happens long before a certificate has only this many days left. */
const LATEST_RENEWAL_DAYS = 14;
/** The remaining share of the validity that counts as late for certificates that are valid for a few days only. */
const LATEST_RENEWAL_SHARE = 0.1;

const OWN_AUTHORITY = 'For an authority of your own, start every client with NODE_EXTRA_CA_CERTS=<its certificate>.';
const SELF_SIGNED = {
  what: 'its certificate is self-signed, or its authority is unknown here',
  advice: `Use a certificate of a public authority. ${OWN_AUTHORITY}`,
};
const INCOMPLETE = {
  what: 'its certificate chain is incomplete, or its authority is unknown here',
  advice: `Let the proxy send the intermediate certificates, too (fullchain.pem). ${OWN_AUTHORITY}`,
};

const DISTRUSTS: Readonly<Record<string, { readonly what: string; readonly advice: string }>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: INCOMPLETE,
  CERT_HAS_EXPIRED: { what: 'its certificate has expired', advice: 'Renew it, and reload the proxy.' },
  CERT_NOT_YET_VALID: { what: 'its certificate is not valid yet', advice: 'Compare the clocks of both machines.' },
};

/** The certificate of a service with an `https:` URL. */
export function certificateFinding(url: URL, look: Presented | Unanswered, now: Date): Finding {
  const { origin, hostname } = url;
  if (look.type === 'no_answer') {
    return problem(origin, `no TLS connection: ${look.why}`, 'Check the address, the port and the TLS settings there.');
  }
  const { protocol, issuer, names, validTo, distrust } = look;
  const until = `valid until ${validTo.toISOString().slice(0, 10)}`;
  if (distrust === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const advice = `Get a certificate that names ${hostname}, or use a name that it has.`;
    return problem(origin, `its certificate is not for ${hostname}, but for ${names}`, advice);
  }
  if (distrust !== null) {
    const { what, advice } = DISTRUSTS[distrust] ?? {
      what: `its certificate is refused: ${distrust}`,
      advice: 'Replace it.',
    };
    return problem(origin, `${what} (issuer ${issuer}, ${until})`, advice);
  }
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY_MS);
  const what = `${protocol}, certificate of ${issuer}, ${until} (${days} ${days === 1 ? 'day' : 'days'} left)`;
  return isDue(look, now) ? problem(origin, what, 'Renew it: after that day, every client fails.') : ok(origin, what);
}

function isDue({ validFrom, validTo }: Presented, now: Date): boolean {
  const leftMs = validTo.getTime() - now.getTime();
  const lifetimeMs = validTo.getTime() - validFrom.getTime();
  return leftMs < Math.min(LATEST_RENEWAL_DAYS * DAY_MS, lifetimeMs * LATEST_RENEWAL_SHARE);
}

/** A service with an `http:` URL. */
export function unencryptedFinding({ origin, hostname }: URL): Finding {
  if (isThisMachine(hostname)) return ok(origin, 'no TLS, and none is needed on this machine');
  const what = 'no TLS: everybody on the network can read tokens and sessions';
  return problem(origin, what, 'Put a proxy with TLS in front of the service: docs/install.md');
}

export function isThisMachine(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
