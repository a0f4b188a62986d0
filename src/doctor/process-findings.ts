import { type Finding, ok, problem } from '../domain/host-examination';
import { disagreements, type ShownSettings } from '../platform/config/settings-shown';
import type { ServiceProcess } from '../platform/health/service-processes';

const PROCESSES = 'The processes of the service';

/** What the processes on the database say of themselves, and where this shell's environment is another. */
export function processFindings(all: readonly ServiceProcess[], here: ShownSettings): readonly Finding[] {
  const running = all.filter(({ isAlive }) => isAlive);
  const silent = all.filter(({ isAlive }) => !isAlive);
  if (running.length === 0) {
    const advice = 'What is said of the service is said of the environment of this shell.';
    return [ok(PROCESSES, 'none runs on this database', advice), ...silent.map(silentProcess)];
  }
  return [
    ...running.map(runningProcess),
    ...silent.map(silentProcess),
    ...versionFindings(running),
    ...settingsFindings(running),
    ...shellFindings(running, here),
  ];
}

function runningProcess({ version, node, seenSecondsAgo, ...process }: ServiceProcess): Finding {
  const seen = `seen ${Math.round(seenSecondsAgo)} s ago`;
  return ok(PROCESSES, `${nameOf(process)} runs version ${version} on Node.js ${node}, ${seen}`);
}

function silentProcess({ seenAt, ...process }: ServiceProcess): Finding {
  const what = `${nameOf(process)} was last seen at ${seenAt.toISOString()}, and did not say that it stops`;
  return ok(PROCESSES, what, 'It was killed, or cannot reach the database. The others take over what it held.');
}

function versionFindings(running: readonly ServiceProcess[]): readonly Finding[] {
  const versions = [...new Set(running.map(({ version }) => version))].toSorted();
  if (versions.length === 1) return [];
  return [ok(PROCESSES, `run versions ${versions.join(' and ')}`, 'Fine during an upgrade; then replace the older.')];
}

function settingsFindings(running: readonly ServiceProcess[]): readonly Finding[] {
  return disagreements(running.map(({ settings }) => settings)).map((name) => {
    const values = running.map(({ settings, ...process }) => `${quoted(settings[name])} in ${nameOf(process)}`);
    const advice = 'Give every process the same, and start it again.';
    return problem(PROCESSES, `do not agree on ${name}: ${values.join(', ')}`, advice);
  });
}

function shellFindings([first]: readonly ServiceProcess[], here: ShownSettings): readonly Finding[] {
  const names = disagreements([first!.settings, here]);
  if (names.length === 0) return [];
  const advice = 'Code hosts are examined as this shell is set: run the doctor with the environment of the service.';
  return [ok(PROCESSES, `this shell has another ${names.join(', ')} than the service`, advice)];
}

function nameOf({ machine, pid }: Pick<ServiceProcess, 'machine' | 'pid'>): string {
  return `process ${pid} on ${machine}`;
}

function quoted(value: string | undefined): string {
  return value === undefined || value === '' ? 'not set' : `"${value}"`;
}
