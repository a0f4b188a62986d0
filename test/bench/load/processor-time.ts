import { readdirSync, readFileSync } from 'node:fs';

/** The number of ticks per second in the kernel's figures. Nearly every Linux counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const KIB = 1024;

/** CPU seconds of a process and of its ended children. */
export function processorSeconds(pid: number): number {
  const stat = statOf(pid);
  if (stat === null) return 0;
  const ticks = stat.slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

/** The process ids of the running child processes. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => statOf(child)?.[1] === String(pid));
}

/** Resident memory in bytes, including shared memory. */
export function residentBytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib ?? 0) * KIB;
}

/** Fields of /proc/<pid>/stat after the name: state, parent, ...; null if the process has ended. */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
