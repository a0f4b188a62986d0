import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { DomainError } from '../errors/domain-error';
import { ERROR_CODES } from '../errors/error-codes';

/**
 * Answers NOT_FOUND for every path without a handler. This handler comes after the routes of all controllers, because
 * Nest adds those routes before it initializes modules. Routes that an extension adds to Express directly come later:
 * no request reaches them, because no guard would protect them.
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
