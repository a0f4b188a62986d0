import { availableParallelism } from 'node:os';
import { printNote } from './results';

const DURABILITY = {
  full: 'PostgreSQL waits for the disk at every commit (fsync)',
  none: 'PostgreSQL does not wait for the disk (fsync off)',
} as const;

/** Prints how durable commits are. Every figure that depends on PostgreSQL needs this line. */
export function printDurability(durability: keyof typeof DURABILITY): void {
  printNote(DURABILITY[durability]);
}

/** Prints the conditions that affect a figure, apart from the code. */
export function printMachine(): void {
  printNote(`${availableParallelism()} cores, Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`);
}
