import { type Finding, ok, problem } from '../../../domain/host-examination';
import { type Answered, objectIn, proxyIn, type Unanswered } from './ask';

const FIRST_REDIRECT = 300;
const FIRST_REFUSAL = 400;
const NOT_FOUND = 404;
const READY = 200;

/** Whether a service answers at `url`, by the answer to /readyz. */
export function answerFinding(url: string, answer: Answered | Unanswered): Finding {
  if (answer.type === 'no_answer') {
    const advice = 'Start it: sluice serve. Or name another URL with --url or SLUICE_URL.';
    return problem(url, `no service answers: ${answer.why}`, advice);
  }
  const { status, headers } = answer;
  const { status: state, checks } = objectIn(answer) as { readonly status?: unknown; readonly checks?: object };
  if (typeof state === 'string' && checks !== undefined) return stateFinding(url, status, state, checks);
  if (status >= FIRST_REDIRECT && status < FIRST_REFUSAL) {
    const advice = 'Name the final URL with --url or SLUICE_URL: the command line follows no redirect.';
    return problem(url, `redirects to ${headers.location ?? 'nowhere'}`, advice);
  }
  const by = proxyIn(answer) ?? 'something else';
  const what = `${by} answers ${status}, but the service does not`;
  return status === NOT_FOUND || status < FIRST_REDIRECT
    ? problem(url, what, 'Check the URL and its path: it must be the one in SLUICE_PUBLIC_URL.')
    : problem(url, what, 'Compare the address in the proxy with PORT and SLUICE_LISTEN, and start the service.');
}

function stateFinding(url: string, status: number, state: string, checks: object): Finding {
  if (status === READY) return ok(url, 'the service answers, and is ready');
  const failing = Object.entries(checks).filter(([, check]) => check !== 'ok');
  const names = failing.map(([name]) => name).join(', ');
  const because = names === '' ? '' : `: ${names}`;
  return problem(url, `the service answers, and is not ready (${state}${because})`, 'See the log of the service.');
}
