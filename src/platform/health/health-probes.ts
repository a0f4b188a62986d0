import { Injectable } from '@nestjs/common';

/** `problem` is read by whoever asks /readyz, without a token: no names, no addresses. */
export type ProbeResult = 'ok' | { readonly problem: string };
export type Probe = () => ProbeResult | Promise<ProbeResult>;

/** What must be alive for this instance to be ready. Workers register themselves. */
@Injectable()
export class HealthProbes {
  private readonly probes = new Map<string, Probe>();

  register(name: string, probe: Probe): void {
    this.probes.set(name, probe);
  }

  /** By name; a probe that throws has a problem. */
  async check(): Promise<Record<string, ProbeResult>> {
    const results = [...this.probes].map(async ([name, probe]) => [name, await resultOf(probe)] as const);
    return Object.fromEntries(await Promise.all(results));
  }
}

async function resultOf(probe: Probe): Promise<ProbeResult> {
  try {
    return await probe();
  } catch {
    return { problem: 'does not answer' };
  }
}
