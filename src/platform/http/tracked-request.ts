import type { Request } from 'express';
import type { Caller } from '../auth/caller';

/** What the middleware leaves on every request. */
export interface TrackedRequest extends Request {
  requestId: string;
  /** Absent on the open paths. */
  caller?: Caller;
}
