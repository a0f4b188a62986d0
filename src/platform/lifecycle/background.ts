/**
 * Whether background jobs run in this process. Background jobs do not run in `sluice doctor`, which only reads. Tests
 * turn background jobs off and call each worker themselves, so that no work happens unexpectedly.
 */
export class Background {
  readonly isOn: boolean;

  constructor(work: 'on' | 'off') {
    this.isOn = work === 'on';
  }
}
