import { availableParallelism } from 'node:os';
import { printNote } from './results';

/** What a figure depends on beside the code. */
export function printMachine(): void {
  printNote(`${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
}
