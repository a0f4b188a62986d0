import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeHost } from '../../src/domain/code-host.port';
import { type ContractRunner, describeCodeHostContract } from '../../src/testing/code-host-contract';
import { BareRepository } from '../support/bare-repository';
import { inShortRun, isLongRun } from '../support/long-run';
import { makeGitHost, WIDGETS, worldOf } from './hosts';

const jestRunner = globalThis as unknown as ContractRunner;

/** The long run plays the parts of the contract with these names; `npm test` plays all other parts. */
function withoutRepetitions(repeated: RegExp): ContractRunner {
  const isPlayed = (name: string) => name.endsWith(' of a code host') || repeated.test(name) === isLongRun;
  return {
    ...{ it, beforeEach, afterEach, expect: jestRunner.expect },
    describe: (name, body) => (isPlayed(name) ? jestRunner.describe(name, body) : undefined),
  };
}

describe('A plain git host over ssh', () => {
  /** A program in place of ssh, which takes ssh's arguments, but runs the command on this machine. */
  function fakeSsh(world: BareRepository, script = 'shift; exec sh -c "$*"'): string {
    const file = join(world.folder, 'ssh');
    writeFileSync(file, `#!/bin/sh\nwhile [ "$1" = -o ] || [ "$1" = -p ]; do shift 2; done\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  function overSsh(world: BareRepository, script?: string): CodeHost {
    const url = `git@git.example:${world.urlTemplate}`;
    return makeGitHost(world, { url, sshCommand: fakeSsh(world, script) });
  }

  const makeWorld = () => {
    const world = BareRepository.create();
    return worldOf(world, overSsh(world), {
      goDown: () =>
        void fakeSsh(world, 'echo "ssh: connect to host git.example port 22: Connection refused" >&2; exit 255'),
      recover: () => void fakeSsh(world),
    });
  };

  describeCodeHostContract('The git host over ssh', makeWorld, { runner: withoutRepetitions(/ by [a-z_]+$/) });

  inShortRun(() => {
    it('fetches once for two concurrent requests', async () => {
      const world = BareRepository.create();
      world.openPullRequest(1, { a: 'a' });
      const log = join(world.folder, 'calls');
      const logging = `echo call >> ${log}; shift; exec sh -c "$*"`;
      async function callsOf(host: CodeHost, times: number): Promise<number> {
        writeFileSync(log, '');
        await Promise.all(Array.from({ length: times }, () => host.readPullRequest(WIDGETS, 1, 'main')));
        return readFileSync(log, 'latin1').split('\n').length - 1;
      }

      const host = overSsh(world, logging);
      const alone = await callsOf(host, 1);
      const looks = await callsOf(host, 1);
      rmSync(world.dataDirectory, { recursive: true });
      expect(await callsOf(overSsh(world, logging), 2)).toBe(2 * looks + (alone - looks));
      expect(alone).toBeGreaterThan(looks);
      world.close();
    });

    it('does not report a missing repository when its login is refused', async () => {
      const world = BareRepository.create();
      const host = overSsh(world, 'echo "git@git.example: Permission denied (publickey)." >&2; exit 255');
      await expect(host.findRepository(WIDGETS)).rejects.toMatchObject({ name: 'HostUnavailable' });
      world.close();
    });
  });
});
