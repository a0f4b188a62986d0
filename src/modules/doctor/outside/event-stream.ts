import { type Finding, ok, problem, unknown } from '../../../domain/host-examination';
import { onNoResponse } from '../../../platform/http/no-response';
import { begin, causeOf } from './ask';

/** How long the doctor waits. */
export interface Patience {
  /** The limit for the first bytes, which the service sends at once. */
  readonly firstBytesMs: number;
  /** The time for the whole stream, longer than the longest silence of the service. */
  readonly openMs: number;
}

/** The service sends a `ping` after 15 s of silence, and checks every second. */
const LONGEST_SILENCE_MS = 17_000;
export const DOCTOR_PATIENCE: Patience = { firstBytesMs: 10_000, openMs: 18_000 };

export type StreamLook =
  | { readonly type: 'open' }
  /** No bytes, or no further bytes after the first ones, arrived in this time. */
  | { readonly type: 'held back'; readonly seconds: number }
  | { readonly type: 'cut'; readonly seconds: number }
  | { readonly type: 'refused'; readonly status: number }
  | { readonly type: 'no_answer'; readonly why: string };

/** Reads `GET /v1/events` for a while. */
export function listen(url: string, token: string, patience: Patience): Promise<StreamLook> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const seconds = (): number => Math.round((performance.now() - startedAt) / 1_000);
    let text = '';
    let arrivedAt = startedAt;
    const end = (look: StreamLook): void => {
      clearTimeout(first);
      clearTimeout(whole);
      resolve(look);
      request.destroy();
    };
    const headers = { 'x-api-token': token, accept: 'text/event-stream' };
    const request = begin(`${url}/v1/events`, { headers }, (response) => {
      if (response.statusCode !== 200) return end({ type: 'refused', status: response.statusCode ?? 0 });
      response.setEncoding('utf8').on('data', (more: string) => {
        clearTimeout(first);
        text += more;
        arrivedAt = performance.now();
        if (text.includes('event: ping')) end({ type: 'open' });
      });
      response.once('close', () => end({ type: 'cut', seconds: seconds() }));
    });
    const first = setTimeout(() => end({ type: 'held back', seconds: seconds() }), patience.firstBytesMs);
    const isSilent = (): boolean => performance.now() - arrivedAt > LONGEST_SILENCE_MS;
    const whole = setTimeout(
      () => end(isSilent() ? { type: 'held back', seconds: seconds() } : { type: 'open' }),
      patience.openMs,
    );
    onNoResponse(request, (error) => end({ type: 'no_answer', why: causeOf(error) }));
  });
}

export function streamFinding(url: string, look: StreamLook): Finding {
  switch (look.type) {
    case 'open':
      return ok(url, 'event streams arrive at once, and stay open');
    case 'held back':
      return problem(
        url,
        `a proxy holds event streams back: nothing came within ${look.seconds} s`,
        'Switch buffering off in the proxy (nginx: proxy_buffering off): docs/install.md.',
      );
    case 'cut':
      return problem(
        url,
        `a proxy cuts event streams after ${look.seconds} s`,
        'Raise its read time-out to 60 s (nginx: proxy_read_timeout 60s): docs/install.md.',
      );
    case 'refused':
      return unknown(url, `whether event streams arrive: the answer was ${look.status}`);
    case 'no_answer':
      return problem(url, `event streams do not arrive: ${look.why}`, 'Check the proxy: docs/install.md.');
  }
}
