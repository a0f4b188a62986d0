import { availableParallelism } from 'node:os';

/** What a figure depends on beside the code. */
export function printMachine(): void {
  console.log(`${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
}
