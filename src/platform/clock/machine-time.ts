/** The time of this machine, without the modules that a Clock needs. */
export function machineTime(): Date {
  return new Date();
}
