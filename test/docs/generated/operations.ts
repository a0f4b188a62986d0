import { type Capability, ROLE_NAMES, type Role, rolesWith } from '../../../src/platform/requests/roles';
import type { Document } from '../../openapi/document';
import { markdownTable } from './table';

interface Operation {
  /** As in clients: without `/v1/` where the method is POST. */
  readonly name: string;
  readonly summary: string;
  readonly roles: readonly Role[];
}

/** Every operation of `/openapi.json`. */
export function operationsBlock(document: Document): string {
  const rows = operationsOf(document).map(({ name, summary, roles }) => [
    `\`${name}\``,
    summary,
    roles.length === ROLE_NAMES.length ? 'all' : roles.map((role) => `\`${role}\``).join(', '),
  ]);
  return markdownTable(['Operation', 'Summary', 'Roles'], rows);
}

/** Operations by the capability that they require. */
export function operationsByCapability(document: Document): string {
  const operations = operationsOf(document);
  const capabilities: readonly Capability[] = ['read', 'upload', 'report_status', 'submit', 'administer'];
  const rows = capabilities.map((capability) => {
    const same = operations.filter(({ roles }) => roles.join() === rolesWith(capability).join());
    return [`\`${capability}\``, same.map(({ name }) => `\`${name}\``).join(', ')];
  });
  return markdownTable(['Capability', 'Operations'], rows);
}

function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', description = '' }]) => ({
      name: method === 'post' ? path.replace(/^\/v1\//, '') : `${method.toUpperCase()} ${path}`,
      summary,
      roles: rolesIn(description),
    })),
  );
}

function rolesIn(description: string): readonly Role[] {
  const said = description.split('\n\n').at(-1) ?? '';
  if (said.startsWith('Every role may call it')) return ROLE_NAMES;
  return ROLE_NAMES.filter((role) => said.includes(`\`${role}\``));
}
