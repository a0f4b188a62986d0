import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '../platform/requests/caller';
import type { Capability } from '../platform/requests/roles';
import { cookieIn } from '../platform/auth/session-cookie';
import type { TrackedRequest } from '../platform/requests/tracked-request';

/** The person who looks at a page, and the preferences of this person. */
export interface Visit {
  /** Null: not signed in. */
  readonly caller: Caller | null;
  /** The login at code hosts that marks the person's own pull requests; "": none was given. */
  readonly personName: string;
  /** Null: as the system of the browser. */
  readonly theme: 'light' | 'dark' | null;
  readonly requestId: string;
  /** Pages of extensions about a queue. */
  readonly teamTabs: readonly TeamTab[];
}

export interface TeamTab {
  readonly path: string;
  readonly tab: string;
  readonly capability: Capability;
}

/** The application setting that holds the tabs. */
export const TEAM_TABS = 'sluice team tabs';

export function visitOf(request: TrackedRequest): Visit {
  const theme = cookieIn(request, 'sluice_theme');
  return {
    caller: request.caller ?? null,
    personName: request.personName ?? '',
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    requestId: request.requestId,
    teamTabs: (request.app.get(TEAM_TABS) as readonly TeamTab[] | undefined) ?? [],
  };
}

export function may({ caller }: Visit, capability: Capability): boolean {
  return caller?.capabilities.includes(capability) ?? false;
}

export function isMine({ personName }: Visit, author: string): boolean {
  return personName !== '' && author.toLowerCase() === personName.toLowerCase();
}

/** The Visit of a handler. */
export const CurrentVisit = createParamDecorator((_: unknown, context: ExecutionContext): Visit =>
  visitOf(context.switchToHttp().getRequest<TrackedRequest>()),
);
