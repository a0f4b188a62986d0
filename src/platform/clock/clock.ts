import { Injectable } from '@nestjs/common';
import { machineTime } from './machine-time';

/** The only source of time. In the service it is the database's; tests replace it and move it by hand. */
export abstract class Clock {
  abstract now(): Date;
}

/** The clock of this machine, for programs without the service. */
@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return machineTime();
  }
}
