import { type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import { type Answered, ask, errorCodeIn, proxyIn, type Unanswered } from './ask';

const MIB = 1024 * 1024;
/** The largest body that the API accepts. */
const LARGEST_MIB = 20;
const TOO_LARGE = 413;
const LIMIT_MS = 120_000;

/**
 * Sends the largest body to an operation that reads the whole body, and then refuses the request because it names no
 * queue.
 */
export function sendLargestBody(url: string, token: string): Promise<Answered | Unanswered> {
  const [before, after] = ['{"filler":"', '"}'];
  const filler = 'a'.repeat(LARGEST_MIB * MIB - before.length - after.length);
  return ask(`${url}/v1/getQueue`, {
    method: 'POST',
    headers: { 'x-api-token': token, 'content-type': 'application/json' },
    body: Buffer.from(`${before}${filler}${after}`),
    limitMs: LIMIT_MS,
  });
}

export function bodyFinding(url: string, answer: Answered | Unanswered): Finding {
  const body = `a body of ${LARGEST_MIB} MiB`;
  const advice = `Let the proxy pass bodies of ${LARGEST_MIB} MiB (nginx: client_max_body_size 20m): docs/install.md.`;
  if (answer.type === 'no_answer') return problem(url, `${body} does not arrive: ${answer.why}`, advice);
  const code = errorCodeIn(answer);
  if (code === 'VALIDATION_FAILED') return ok(url, `${body} arrives`);
  const by = proxyIn(answer) ?? 'a proxy';
  if (answer.status === TOO_LARGE && code === null) return problem(url, `${body} is refused by ${by} (413)`, advice);
  return unknown(url, `whether ${body} arrives: the answer was ${answer.status} ${code ?? `of ${by}`}`);
}
