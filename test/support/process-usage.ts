import { readFileSync, writeFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const KIB_PER_MIB = 1024;

export interface Usage {
  readonly cpuMs: number;
  /** How far the peak memory exceeded the memory before the work. */
  readonly mebibytes: number;
}

/** Measures the CPU and memory that another process needs during the work. Works on Linux only. */
export async function usageOf(pid: number, work: () => Promise<void>): Promise<Usage> {
  const before = { cpuMs: cpuMsOf(pid), mebibytes: memoryOf(pid, 'VmRSS') };
  // Writing 5 resets the peak memory to the present memory.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await work();
  return {
    cpuMs: cpuMsOf(pid) - before.cpuMs,
    mebibytes: Math.max(0, memoryOf(pid, 'VmHWM') - before.mebibytes),
  };
}

function cpuMsOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return ((Number(afterName[11]) + Number(afterName[12])) * 1_000) / TICKS_PER_SECOND;
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / KIB_PER_MIB;
}
