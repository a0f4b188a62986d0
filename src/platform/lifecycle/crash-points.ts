import { Injectable } from '@nestjs/common';

/** A point between two steps: the step before it is durable, the step after it has not begun. */
export type CrashPoint =
  | 'submit committed'
  | 'candidate built'
  | 'branch pushed'
  | 'testing pull request opened'
  | 'status stored'
  | 'merge asked'
  | 'merge noted'
  | 'landing pushed'
  | 'comment shown'
  | 'status shown'
  | 'command decided'
  | 'targets in force'
  | 'targets stored'
  | 'webhook answered';

/** Points at which a test can kill the process. This class does nothing; tests replace it. */
@Injectable()
export class CrashPoints {
  reach(_point: CrashPoint): void {}
}
