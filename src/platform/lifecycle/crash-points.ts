import { Injectable } from '@nestjs/common';

/** Between two lines: what came before is done and durable, what comes after has not begun. */
export type CrashPoint =
  | 'submit committed'
  | 'candidate built'
  | 'branch pushed'
  | 'testing pull request opened'
  | 'status stored'
  | 'landing pushed'
  | 'comment shown'
  | 'status shown'
  | 'command decided';

/** The moments at which a test ends the process. The service has no way to: this class does nothing, a test replaces it. */
@Injectable()
export class CrashPoints {
  reach(_point: CrashPoint): void {}
}
