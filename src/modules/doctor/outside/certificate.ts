import { isIP } from 'node:net';
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls';
import { causeOf, type Unanswered, DEFAULT_LIMIT_MS } from './ask';

/** The certificate that a server presents. */
export interface Presented {
  readonly type: 'presented';
  /** The version of TLS, for example `TLSv1.3`. */
  readonly protocol: string;
  readonly issuer: string;
  /** The names in the certificate, in its own notation. */
  readonly names: string;
  readonly validFrom: Date;
  readonly validTo: Date;
  /** The reason why Node.js does not trust the certificate; null: Node.js trusts it. */
  readonly distrust: string | null;
}

/** Connects and reads the certificate, trusted or not. Sends nothing over the connection. */
export function readCertificate(url: URL, limitMs = DEFAULT_LIMIT_MS): Promise<Presented | Unanswered> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const name = isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(url.port || 443), ...name, rejectUnauthorized: false });
    socket.setTimeout(limitMs, () => socket.destroy(new Error(`no answer within ${limitMs / 1_000} s`)));
    socket.once('error', (error) => resolve({ type: 'no_answer', why: causeOf(error) }));
    socket.once('secureConnect', () => {
      resolve(presentedOn(socket));
      socket.destroy();
    });
  });
}

function presentedOn(socket: TLSSocket): Presented {
  const certificate = socket.getPeerCertificate();
  // At run time, `authorizationError` is a code such as `CERT_HAS_EXPIRED`.
  const distrust = socket.authorized ? null : String(socket.authorizationError);
  return {
    type: 'presented',
    protocol: socket.getProtocol() ?? 'TLS',
    issuer: issuerOf(certificate),
    names: certificate.subjectaltname ?? certificate.subject.CN?.toString() ?? 'no name',
    validFrom: new Date(certificate.valid_from),
    validTo: new Date(certificate.valid_to),
    distrust,
  };
}

function issuerOf({ issuer: { O, CN } }: PeerCertificate): string {
  return [O, CN].filter(Boolean).join(' ') || 'an issuer without a name';
}
