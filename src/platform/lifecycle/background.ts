/**
 * Whether the workers of this process go on by themselves. They do not where somebody only looks, as the doctor does.
 * Tests replace it and ask every worker by hand, so that nothing happens which they did not wait for.
 */
export class Background {
  readonly isOn: boolean;

  constructor(work: 'on' | 'off') {
    this.isOn = work === 'on';
  }
}
