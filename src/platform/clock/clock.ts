import { Injectable } from '@nestjs/common';

/** The only source of time. Tests replace it and move it by hand. */
export abstract class Clock {
  abstract now(): Date;
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
