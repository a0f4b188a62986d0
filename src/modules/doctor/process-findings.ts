import { type Finding, ok, problem } from '../../domain/host-examination';
import { disagreements, type ShownSettings } from '../../platform/config/settings-shown';
import { buildOf, type ServiceProcess } from '../../platform/health/service-processes';
import { describeBuild } from '../../platform/service-version';
import { heldWorkersIn } from '../../platform/workers/worker-places';

const PROCESSES = 'The processes of the service';

/** The facts about the service in its database. */
export interface KnownService {
  readonly processes: readonly ServiceProcess[];
  readonly queueCount: number;
}

/**
 * Findings about the processes that share the database, and about differences between their settings and this shell's
 * environment.
 */
export function processFindings({ processes, queueCount }: KnownService, here: ShownSettings): readonly Finding[] {
  const running = processes.filter(({ isAlive }) => isAlive);
  const silent = processes.filter(({ isAlive }) => !isAlive);
  if (running.length === 0) return [noProcess(queueCount), ...silent.map(silentProcess)];
  return [
    ...running.map(runningProcess),
    ...running.flatMap(heldPlaces),
    ...silent.map(silentProcess),
    ...versionFindings(running),
    ...settingsFindings(running),
    ...shellFindings(running, here),
  ];
}

function noProcess(queueCount: number): Finding {
  if (queueCount === 0) {
    const advice = 'The findings about the service refer to the environment of this shell.';
    return ok(PROCESSES, 'no process runs on this database', advice);
  }
  const queues = queueCount === 1 ? 'one queue' : `${queueCount} queues`;
  const what = `no process runs on this database, which has ${queues}: nothing is tested or merged`;
  return problem(PROCESSES, what, 'Start the service: sluice serve, systemctl start sluice, or its container.');
}

function runningProcess(process: ServiceProcess): Finding {
  const { node, seenSecondsAgo } = process;
  const seen = `seen ${Math.round(seenSecondsAgo)} s ago`;
  return ok(
    PROCESSES,
    `${nameOf(process)} runs version ${describeBuild(buildOf(process))} on Node.js ${node}, ${seen}`,
  );
}

function heldPlaces({ facts, ...process }: ServiceProcess): readonly Finding[] {
  return heldWorkersIn(facts).map(({ worker, held, places, longestSeconds }) => {
    const minutes = Math.floor(longestSeconds / 60);
    const what = `the worker "${worker}" of ${nameOf(process)} holds ${held} of ${places} places, one for ${minutes} minutes`;
    const advice = 'No work of this worker takes that long. Save the log of the process, then restart the process.';
    return problem(PROCESSES, what, advice);
  });
}

function silentProcess({ seenAt, ...process }: ServiceProcess): Finding {
  const what = `${nameOf(process)} was last seen at ${seenAt.toISOString()}, and did not say that it stops`;
  return ok(
    PROCESSES,
    what,
    'The process was killed, or cannot reach the database. Other processes take over its work.',
  );
}

function versionFindings(running: readonly ServiceProcess[]): readonly Finding[] {
  const versions = [...new Set(running.map((process) => describeBuild(buildOf(process))))].toSorted();
  if (versions.length === 1) return [];
  return [
    ok(
      PROCESSES,
      `run versions ${versions.join(' and ')}`,
      'This is normal during an upgrade. Afterwards, stop the processes of the older version.',
    ),
  ];
}

function settingsFindings(running: readonly ServiceProcess[]): readonly Finding[] {
  return disagreements(running.map(({ settings }) => settings)).map((name) => {
    const values = running.map(({ settings, ...process }) => `${quoted(settings[name])} in ${nameOf(process)}`);
    const advice = 'Give every process the same values, and restart the processes.';
    return problem(PROCESSES, `do not agree on ${name}: ${values.join(', ')}`, advice);
  });
}

function shellFindings([first]: readonly ServiceProcess[], here: ShownSettings): readonly Finding[] {
  const names = disagreements([first!.settings, here]);
  if (names.length === 0) return [];
  const advice =
    'The doctor examines code hosts with the settings of this shell: run it with the environment of the service.';
  return [ok(PROCESSES, `this shell has another ${names.join(', ')} than the service`, advice)];
}

function nameOf({ machine, pid }: Pick<ServiceProcess, 'machine' | 'pid'>): string {
  return `process ${pid} on ${machine}`;
}

function quoted(value: string | undefined): string {
  return value === undefined || value === '' ? 'not set' : `"${value}"`;
}
