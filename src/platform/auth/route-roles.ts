import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { ACCESS } from './access.decorators';

/** Stops the start when a handler names no role, ours or an extension's: it would refuse every request. */
@Injectable()
export class RouteRoles implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.handlersWithoutRole();
    if (open.length === 0) return;
    throw new Error(`These handlers name no role; add @Endpoint or @RequireRole: ${open.join(', ')}`);
  }

  private handlersWithoutRole(): string[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (typeof metatype !== 'function' || typeof instance !== 'object' || instance === null) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => this.namesNoRole(prototype[name], metatype))
        .map((name) => `${metatype.name}.${name}`);
    });
  }

  private namesNoRole(handler: (() => unknown) | undefined, controller: object): boolean {
    if (handler === undefined || !Reflect.hasMetadata(PATH_METADATA, handler)) return false;
    return this.reflector.getAllAndOverride(ACCESS, [handler, controller as () => unknown]) === undefined;
  }
}
