import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorators';

/**
 * Stops the start when a module of the service or of an extension contains something that the guards cannot protect.
 */
@Injectable()
export class RouteChecks implements OnApplicationBootstrap {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const undecided = this.handlersWithoutCapability();
    if (undecided.length > 0) {
      throw new Error(
        `These handlers name no capability; add @Endpoint or @RequireCapability: ${undecided.join(', ')}`,
      );
    }
    const withMiddleware = this.modulesWithMiddleware();
    if (withMiddleware.length > 0) {
      throw new Error(
        `These modules have middleware, which runs before the token is checked; use an interceptor or a guard: ${withMiddleware.join(', ')}`,
      );
    }
  }

  private handlersWithoutCapability(): string[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => this.namesNoCapability(prototype[name], metatype))
        .map((name) => `${metatype.name}.${name}`);
    });
  }

  private namesNoCapability(handler: (() => unknown) | undefined, controller: object): boolean {
    if (handler === undefined || !Reflect.hasMetadata(PATH_METADATA, handler)) return false;
    return this.reflector.getAllAndOverride(ACCESS, [handler, controller as () => unknown]) === undefined;
  }

  private modulesWithMiddleware(): string[] {
    return [...this.modules.values()]
      .filter(({ instance }) => typeof (instance as { configure?: unknown } | undefined)?.configure === 'function')
      .map(({ name }) => name);
  }
}
