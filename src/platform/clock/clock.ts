import { Injectable } from '@nestjs/common';
import { machineTime } from './machine-time';

/** The only source of time. The service uses the time of the database; tests replace the clock and move it manually. */
export abstract class Clock {
  abstract now(): Date;
}

/** The clock of this machine, for programs outside the service. */
@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return machineTime();
  }
}
