import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../errors/domain-error';
import { ERROR_CODES } from '../errors/error-codes';

/**
 * Ends the router: what no handler took is a NOT_FOUND, inside the prefix and outside. Nest adds the routes of all
 * controllers before it initialises modules, so this comes after every route. A route that an extension adds to
 * Express itself comes later still and is never reached, because it would pass no guard.
 */
@Injectable()
export class UnmatchedPaths implements OnModuleInit {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    this.adapterHost.httpAdapter.use((_request: Request, _response: Response, next: NextFunction) => {
      next(new DomainError('NOT_FOUND', ERROR_CODES.NOT_FOUND.example));
    });
  }
}
