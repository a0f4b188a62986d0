/** The time of this machine, without loading the modules that a Clock needs. */
export function machineTime(): Date {
  return new Date();
}
