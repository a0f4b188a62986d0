import { Injectable } from '@nestjs/common';

/**
 * Whether the workers of this process go on by themselves. Tests replace it and ask every worker by hand, so that
 * nothing happens which they did not wait for.
 */
@Injectable()
export class Background {
  get isOn(): boolean {
    return true;
  }
}
