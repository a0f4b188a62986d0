import type { Response } from 'express';
import type { TrackedRequest } from '../requests/tracked-request';
import type { DomainError } from './domain-error';

/** Answers a browser after an error; programs get `sendError`. */
export abstract class ErrorPages {
  abstract send(error: DomainError, request: TrackedRequest, response: Response): void;
}
