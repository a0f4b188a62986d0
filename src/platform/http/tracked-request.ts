import type { Request } from 'express';
import type { Caller } from '../auth/caller';

/** What we leave on every request. */
export interface TrackedRequest extends Request {
  requestId: string;
  /** Settles when `ApiTokenGuard` knows who sent the request; rejects when nobody may. */
  authenticated?: Promise<void>;
  /** Absent on the open paths, and until the request is authenticated. */
  caller?: Caller;
}
