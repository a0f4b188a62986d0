import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { HostRepository } from '../../../../domain/host-repository';

/** How long an upload waits for the code host, counted from its metadata. */
const LIMIT_MS = 10_000;
/** Each query may start a git process, and everybody with a token may upload. */
const MOST_AT_ONCE = 4;

/** The queries to one code host. An abandoned query keeps its slot until it has ended. */
interface Gate {
  running: number;
  readonly waiting: (() => void)[];
}

/** Queries code hosts for uploads: a few queries at once for each host, and with a short limit. */
@Injectable()
export class HostQuestions {
  private readonly logger = new Logger(HostQuestions.name);
  private readonly gates = new Map<string, Gate>();

  /** Null: no answer in time, or an error. The error is logged. */
  async answer<Answer>(
    { host, owner, name }: HostRepository,
    ask: () => Promise<Answer>,
    limitMs: number = LIMIT_MS,
  ): Promise<Answer | null> {
    const over = new AbortController();
    const tooLate = wait(limitMs, null, { ref: false, signal: over.signal }).then(() => {
      throw new Error(`no answer within ${limitMs / 1000} seconds`);
    });
    try {
      return await Promise.race([this.inTurn(host, over.signal, ask), tooLate]);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.logger.warn(`${host} did not say which branches of ${owner}/${name} have the commit of an upload: ${why}`);
      return null;
    } finally {
      tooLate.catch(() => undefined);
      over.abort();
    }
  }

  private async inTurn<Answer>(host: string, over: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
    const gate = this.gateOf(host);
    if (gate.running < MOST_AT_ONCE) gate.running += 1;
    else await new Promise<void>((enter) => gate.waiting.push(enter));
    try {
      if (over.aborted) throw new Error('no request waits for the answer any more');
      return await ask();
    } finally {
      const next = gate.waiting.shift();
      if (next === undefined) gate.running -= 1;
      else next();
    }
  }

  private gateOf(host: string): Gate {
    const gate = this.gates.get(host) ?? { running: 0, waiting: [] };
    this.gates.set(host, gate);
    return gate;
  }
}
