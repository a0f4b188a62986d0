/**
 * Whether background jobs run in this process. Background jobs do not run in `sluice doctor`, which only reads. Tests
 * turn them off and call each worker themselves, so that nothing happens unexpectedly.
 */
export class Background {
  readonly isOn: boolean;

  constructor(work: 'on' | 'off') {
    this.isOn = work === 'on';
  }
}
