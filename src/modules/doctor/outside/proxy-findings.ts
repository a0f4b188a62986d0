import { type Finding, ok, problem } from '../../../domain/host-examination';
import { isThisMachine } from './certificate-finding';

/** One request as the service saw it: the answer of `GET /v1/connection`. */
export interface SeenRequest {
  readonly address: string;
  readonly protocol: string;
  readonly forwardedAddresses: number;
  readonly trustedProxies: number;
  readonly publicUrl: string;
}

/** An address that is reserved for documentation, so no client has it. */
export const MADE_UP_ADDRESS = '192.0.2.77';

export interface ProxyLook {
  /** A request as every client sends it. */
  readonly plain: SeenRequest;
  /** A request with the made-up address in X-Forwarded-For. */
  readonly forged: SeenRequest;
  /** The name of the proxy that answered; null: the service itself answered. */
  readonly proxy: string | null;
}

/** Whether the service knows its clients' IP addresses, and whether its links lead to `url`. */
export function proxyFindings(url: string, look: ProxyLook): readonly Finding[] {
  return [addressFinding(url, look), protocolFinding(url, look), linksFinding(url, look.plain)].flat();
}

function addressFinding(url: string, { plain, forged, proxy }: ProxyLook): Finding {
  const { address, forwardedAddresses: named, trustedProxies: trusted } = plain;
  if (forged.address === MADE_UP_ADDRESS) {
    const what = `a client can choose its own address: SLUICE_TRUST_PROXY is ${trusted}`;
    return problem(url, what, trusted > named && named > 0 ? setTrust(named) : WITHOUT_CHOICE);
  }
  if (named > trusted) {
    const what = `all clients have the address of a proxy, ${address}: SLUICE_TRUST_PROXY is ${trusted}`;
    return problem(url, what, setTrust(named));
  }
  if (named === 0 && proxy !== null) {
    const what = `all clients have the address of the proxy, ${address}: ${proxy} adds no X-Forwarded-For`;
    return problem(url, what, `${ADD_HEADER} Then set SLUICE_TRUST_PROXY=1, and restart the service.`);
  }
  if (named === 0) return ok(url, `this machine has the address ${address} there; no proxy adds X-Forwarded-For`);
  return ok(
    url,
    `this machine has the address ${address} there, behind ${trusted === 1 ? 'one proxy' : `${trusted} proxies`}`,
  );
}

const ADD_HEADER = 'Let the proxy add X-Forwarded-For: docs/install.md.';
const WITHOUT_CHOICE = `${ADD_HEADER} Without a proxy, set SLUICE_TRUST_PROXY=0, and restart the service.`;

function setTrust(proxies: number): string {
  return `Set SLUICE_TRUST_PROXY=${proxies}, and restart the service.`;
}

/** The service itself never needs the protocol of a request, but extensions may. */
function protocolFinding(url: string, { plain: { protocol, trustedProxies } }: ProxyLook): readonly Finding[] {
  const wanted = new URL(url).protocol.replace(':', '');
  if (protocol === wanted || trustedProxies === 0) return [];
  const advice = 'Let the proxy set X-Forwarded-Proto, for extensions that ask for the protocol.';
  return [ok(url, `requests arrive as ${protocol}, not as ${wanted}`, advice)];
}

function linksFinding(url: string, { publicUrl }: SeenRequest): Finding {
  if (withoutEnd(publicUrl) === withoutEnd(url)) return ok(url, 'links of the service lead to this URL');
  const what = `links of the service lead to ${publicUrl}`;
  if (isThisMachine(new URL(url).hostname)) return ok(url, what);
  return problem(url, what, `Set SLUICE_PUBLIC_URL=${withoutEnd(url)}, unless people use the other URL.`);
}

function withoutEnd(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
