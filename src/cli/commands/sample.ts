import type { Command } from 'commander';
import { sampleWork } from '../loaded-later';
import type { Terminal } from '../terminal';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Options {
  readonly url?: string;
  readonly remove?: true;
}

export function addSampleCommand(program: Command, terminal: Terminal): void {
  program
    .command('sample')
    .description('show two pull requests in a queue of the service that runs on this machine')
    .option('--url <address>', 'address of the service; default: SLUICE_URL, else the address that the service stored')
    .option('--remove', 'remove all that this command made; the audit log keeps its rows')
    .action(async ({ url, remove }: Options) => {
      const { givenServiceUrl, readConfig, removeSample, runSample, withLocalService } = sampleWork();
      await withLocalService(readConfig(), givenServiceUrl({ url }), (service, prisma) =>
        remove
          ? removeSample(service, prisma, terminal)
          : untilInterrupted((interrupted) => runSample(service, { prisma, terminal, interrupted })),
      );
    });
}

/**
 * Runs `work`. Ctrl-C aborts `work`, which removes its temporary folder before it ends. A second Ctrl-C ends the
 * process.
 */
async function untilInterrupted(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}
