import { SetMetadata } from '@nestjs/common';
import type { Capability } from '../requests/roles';

export const ACCESS = Symbol('access');

/** The capability that a handler requires of its caller; `open` works only on the open paths. */
export type Access = Capability | 'open';

/** For a handler, or all handlers of a controller: only callers whose role includes the capability may call it. */
export const RequireCapability = (capability: Capability) => SetMetadata(ACCESS, capability);

/** For handlers on the open paths: health, webhooks (which check their own signature), documentation. */
export const OpenToAll = () => SetMetadata(ACCESS, 'open');
