import type { MergeMethod } from '../engine/vocabulary';
import type { HostRepository } from './host-repository';

/** The result of an examination for one subject, in one sentence. `unknown`: the result could not be found out. */
export interface Finding {
  readonly verdict: 'ok' | 'problem' | 'unknown';
  /** The subject: the service, a host, a repository or a branch, as people write its name. */
  readonly about: string;
  readonly what: string;
  /** What to change or to know; null if there is nothing. */
  readonly advice: string | null;
}

export interface ExaminedQueue {
  readonly targetBranch: string;
  readonly mergeMethod: MergeMethod;
}

export interface ExaminedRepository {
  readonly repository: HostRepository;
  readonly queues: readonly ExaminedQueue[];
}

/** The parts of a host to examine, in the words of the configuration. */
export interface HostExamination {
  readonly host: string;
  readonly brand: string;
  readonly publicUrl: string;
  readonly repositories: readonly ExaminedRepository[];
}

export function ok(about: string, what: string, advice: string | null = null): Finding {
  return { verdict: 'ok', about, what, advice };
}

export function problem(about: string, what: string, advice: string): Finding {
  return { verdict: 'problem', about, what, advice };
}

export function unknown(about: string, what: string, advice: string | null = null): Finding {
  return { verdict: 'unknown', about, what, advice };
}

/** The finding about a configured code host that gives no usable answer, or refuses to answer. */
export function hostDoesNotAnswer(host: string, why: string): Finding {
  return problem(
    host,
    `does not answer: ${why}`,
    'Check the entry of the code host in SLUICE_HOSTS, its token and the network from here.',
  );
}

export function nameOfRepository({ host, owner, name }: HostRepository): string {
  return `${host}/${owner}/${name}`;
}
