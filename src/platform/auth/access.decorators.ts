import { SetMetadata } from '@nestjs/common';
import type { Role } from './caller';

export const ACCESS = Symbol('access');

/** What a handler asks of its caller; `open` works only on the open paths. */
export type Access = Role | 'open';

/** The least role that may call the handler, or every handler of the controller. */
export const RequireRole = (role: Role) => SetMetadata(ACCESS, role);

/** For handlers on the open paths: health, webhooks (which check their own signature), documentation. */
export const OpenToAll = () => SetMetadata(ACCESS, 'open');
