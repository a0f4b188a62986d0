import { once } from 'node:events';
import { connect } from 'node:net';
import { Injectable, Module } from '@nestjs/common';
import { CodeHostAdapter } from '../../../src/code-hosts/host-kinds';
import { type CodeHost, HostUnavailable } from '../../../src/domain/code-host.port';
import type { HostConfig } from '../../../src/platform/config/config';
import { type HostAnswer, type HostCall, ValueStream } from './calls';

/** Methods of the simulated host that the service calls. */
const METHODS: ReadonlySet<string> = new Set([
  'findRepository',
  'readBranch',
  'readPullRequest',
  'findPullRequestsByBranch',
  'readTree',
  'containsCommit',
  'findContained',
  'readFile',
  'readFileVersions',
  'changesFile',
  'listChangedFiles',
  'listCommits',
  'readProtectedStatuses',
  'readStatuses',
  'readState',
  'buildCandidate',
  'pushTestingBranch',
  'removeTestingBranch',
  'land',
] satisfies (keyof CodeHost)[]);

interface Asker {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A code host of the kind `simulated` runs in another process, like a real host. Several processes of the service share
 * this host.
 */
@Injectable()
@CodeHostAdapter({ kind: 'simulated' })
export class SimulatedHostAdapter {
  create(config: HostConfig): CodeHost {
    const askers = new Map<number, Asker>();
    const socket = connect(process.env.SIMULATED_HOST_SOCKET!);
    const connected = once(socket, 'connect');
    const stream = new ValueStream<HostCall, HostAnswer>(socket, (answer) => {
      const asker = askers.get(answer.id)!;
      askers.delete(answer.id);
      if ('error' in answer) asker.reject(new HostUnavailable(config.host, 'server_error', answer.error));
      else asker.resolve(answer.result);
    });
    socket.unref();
    let next = 1;
    const call = async (method: string, parameters: readonly unknown[]): Promise<unknown> => {
      await connected;
      return new Promise((resolve, reject) => {
        const id = next++;
        askers.set(id, { resolve, reject });
        stream.send({ id, method, parameters: parameters.map(withoutMethods) });
      });
    };
    const known = {
      capabilities: { findsByBranch: true, hasOwnStatuses: false },
      pollSeconds: config.pollSeconds,
      landsWholeRuns: () => true,
    };
    return new Proxy(known as unknown as CodeHost, {
      get: (target, name) =>
        typeof name === 'string' && METHODS.has(name)
          ? (...parameters: readonly unknown[]) => call(name, parameters)
          : (Reflect.get(target, name) as unknown),
    });
  }
}

/** Removes functions, which cannot be sent to another process; the in-memory host calls none of them. */
function withoutMethods(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(([, part]) => typeof part !== 'function');
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutMethods(part)]));
}

@Module({ providers: [SimulatedHostAdapter] })
export class SimulatedHostModule {}
