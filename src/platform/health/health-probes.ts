import { Injectable } from '@nestjs/common';

/** /readyz shows `problem` without a token, so it must contain no names and no addresses. */
export type ProbeResult = 'ok' | { readonly problem: string };
export type Probe = () => ProbeResult | Promise<ProbeResult>;

/** The checks that decide whether this instance is ready. Workers register their own checks. */
@Injectable()
export class HealthProbes {
  private readonly probes = new Map<string, Probe>();

  register(name: string, probe: Probe): void {
    this.probes.set(name, probe);
  }

  /** The result of each probe, by the name of the probe; a probe that throws has a problem. */
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
