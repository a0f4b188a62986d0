import type { Command } from 'commander';
import { askingService } from '../answering';
import { table } from '../reply';
import type { Terminal } from '../terminal';

interface ProcessesAnswer {
  readonly processes: readonly {
    readonly id: string;
    readonly version: string;
    readonly startedAt: string;
    readonly lastSeenAt: string;
    readonly alive: boolean;
    readonly machine: string | null;
    readonly pid: number | null;
  }[];
  readonly differingSettings: readonly string[];
}

export function addProcessesCommand(program: Command, terminal: Terminal): void {
  const processes = program
    .command('processes')
    .description('the processes of the service: version, since when, last seen, and whether their settings agree');
  askingService(processes, terminal, async (_, api) => {
    const answer = await api.get<ProcessesAnswer>('processes');
    const rows = answer.processes.map(({ id, version, startedAt, lastSeenAt, alive, machine, pid }) => [
      machine === null ? id : `${pid} on ${machine}`,
      ...[version, startedAt, lastSeenAt, alive ? 'runs' : 'silent'],
    ]);
    const differing = answer.differingSettings.map((name) => `The processes have different values of ${name}.`);
    return {
      data: answer,
      lines: [...table([['PROCESS', 'VERSION', 'SINCE', 'LAST SEEN', ''], ...rows]), ...differing],
    };
  });
}
