import { type Finding, problem, unknown } from '../../domain/host-examination';
import { type Answered, ask, errorCodeIn, objectIn, proxyIn } from './outside/ask';
import { answerFinding } from './outside/answer-finding';
import { bodyFinding, sendLargestBody } from './outside/body-size';
import { readCertificate } from './outside/certificate';
import { certificateFinding, unencryptedFinding } from './outside/certificate-finding';
import { listen, type Patience, DOCTOR_PATIENCE, streamFinding } from './outside/event-stream';
import { MADE_UP_ADDRESS, proxyFindings, type SeenRequest } from './outside/proxy-findings';

export interface NamedService {
  /** Without `/v1` and without a slash at the end. */
  readonly url: string;
  readonly token: string | undefined;
}

const UNAUTHORIZED = 401;
const PROXY_SUBJECTS = 'proxy, event streams and body size';

/** Whether a service answers at the URL. */
export async function answerFromOutside({ url }: NamedService, now: Date): Promise<readonly Finding[]> {
  const encryption = await examineEncryption(new URL(url), now);
  return encryption.isTrusted ? [await examineAnswer(url)] : [encryption.finding];
}

/**
 * Findings about the service from its clients' point of view: TLS, proxy, streams and body size. Changes nothing in the
 * service.
 */
export async function viewFromOutside(
  service: NamedService,
  now: Date,
  patience: Patience = DOCTOR_PATIENCE,
): Promise<readonly Finding[]> {
  const { url } = service;
  const encryption = await examineEncryption(new URL(url), now);
  if (!encryption.isTrusted) return [encryption.finding, unknown(url, `${PROXY_SUBJECTS}: fix TLS first`)];
  const answer = await examineAnswer(url);
  if (answer.verdict === 'problem') return [encryption.finding, answer];
  return [encryption.finding, answer, ...(await viewWithToken(service, patience))];
}

interface Encryption {
  readonly finding: Finding;
  /** False: the token must not be sent to this URL. */
  readonly isTrusted: boolean;
}

async function examineEncryption(url: URL, now: Date): Promise<Encryption> {
  if (url.protocol === 'http:') return { finding: unencryptedFinding(url), isTrusted: true };
  const look = await readCertificate(url);
  const isTrusted = look.type === 'presented' && look.distrust === null;
  return { finding: certificateFinding(url, look, now), isTrusted };
}

async function examineAnswer(url: string): Promise<Finding> {
  return answerFinding(url, await ask(`${url}/readyz`));
}

async function viewWithToken({ url, token }: NamedService, patience: Patience): Promise<readonly Finding[]> {
  if (token === undefined) {
    const advice = 'Pass --token or set SLUICE_TOKEN: the role read is enough.';
    return [unknown(url, `${PROXY_SUBJECTS}: without a token, the service answers no questions`, advice)];
  }
  const plain = await askForConnection(url, token, {});
  if (plain.type === 'no_answer' || plain.status !== 200) return [withoutConnection(url, plain)];
  const forged = await askForConnection(url, token, { 'x-forwarded-for': MADE_UP_ADDRESS });
  if (forged.type === 'no_answer' || forged.status !== 200) return [withoutConnection(url, forged)];
  const [stream, body] = await Promise.all([listen(url, token, patience), sendLargestBody(url, token)]);
  return [
    ...proxyFindings(url, { plain: seenIn(plain), forged: seenIn(forged), proxy: proxyIn(plain) }),
    streamFinding(url, stream),
    bodyFinding(url, body),
  ];
}

function askForConnection(url: string, token: string, headers: Record<string, string>): ReturnType<typeof ask> {
  return ask(`${url}/v1/connection`, { headers: { 'x-api-token': token, ...headers } });
}

function seenIn(answer: Answered): SeenRequest {
  return objectIn(answer) as unknown as SeenRequest;
}

function withoutConnection(url: string, answer: Awaited<ReturnType<typeof ask>>): Finding {
  if (answer.type === 'no_answer') return unknown(url, `${PROXY_SUBJECTS}: ${answer.why}`);
  const code = errorCodeIn(answer);
  if (answer.status === UNAUTHORIZED && code === 'INVALID_TOKEN') {
    return problem(
      url,
      'the service does not accept the token',
      'Make one with: sluice token create. The role read is enough.',
    );
  }
  const by = code ?? proxyIn(answer) ?? 'not an error of the service';
  return unknown(url, `${PROXY_SUBJECTS}: GET /v1/connection answered ${answer.status} (${by})`);
}
