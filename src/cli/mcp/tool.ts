import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { parseRepositoryName, type RepositoryName } from '../../platform/repository-name';
import type { ApiClient } from '../api-client';
import { CliError } from '../cli-error';

/**
 * The capability that a tool needs. The capability only decides whether a tool is offered: the service checks every
 * call.
 */
type Needs = 'read' | 'submit' | 'administer';

/** The result of a tool: a sentence, with foreign words only in quotes, and the data behind it. */
export interface ToolAnswer {
  readonly sentence: string;
  readonly data: object;
}

/** Access to the service, for tools. */
export interface Service {
  readonly api: ApiClient;
  /** Slug of the organization of the token. */
  organization(): Promise<string>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly needs: Needs;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  work(asked: unknown, service: Service): Promise<ToolAnswer>;
}

interface ToolDefinition<Shape extends z.ZodRawShape> extends Omit<Tool, 'input' | 'work' | 'annotations'> {
  readonly input: Shape;
  work(asked: z.output<z.ZodObject<Shape>>, service: Service): Promise<ToolAnswer>;
}

/** A tool that changes nothing. */
export function readingTool<Shape extends z.ZodRawShape>(tool: Omit<ToolDefinition<Shape>, 'needs'>): Tool {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  return toolOf({ ...tool, needs: 'read' }, annotations);
}

/**
 * A tool that changes something. `destructive`: the tool removes or stops something. `idempotent`: a repeated call has
 * no further effect.
 */
export function changingTool<Shape extends z.ZodRawShape>(
  tool: ToolDefinition<Shape>,
  kind: { readonly destructive: boolean; readonly idempotent: boolean },
): Tool {
  const { destructive, idempotent } = kind;
  const hints = { readOnlyHint: false, destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false };
  return toolOf(tool, hints);
}

function toolOf<Shape extends z.ZodRawShape>(tool: ToolDefinition<Shape>, annotations: ToolAnnotations): Tool {
  const input = z.strictObject(tool.input);
  return {
    ...tool,
    annotations,
    input,
    work: (asked, service) => tool.work(input.parse(asked), service),
  };
}

export const REPOSITORY_FIELD = z
  .string()
  .max(400)
  .describe('The repository as host/owner/name, such as github.com/acme/shop.');

export const BRANCH = z
  .string()
  .min(1)
  .max(255)
  .default('main')
  .describe('Target branch of the queue, without refs/heads/.');

export const QUEUE = { repository: REPOSITORY_FIELD, branch: BRANCH };

export const PULL_REQUEST = {
  ...QUEUE,
  number: z.int().min(1).max(2_147_483_647).describe('Number of the pull request.'),
};

export function takeOf(most: number, usual: number, what: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(most).default(usual).describe(`The most ${what} in the answer.`);
}

interface AskedQueue {
  readonly repository: string;
  readonly branch: string;
}

/** The fields of a request about a queue. */
export function aboutQueue({ repository, branch }: AskedQueue): { repo: RepositoryName; targetBranch: string } {
  return { repo: repositoryOf(repository), targetBranch: branch };
}

export function aboutPullRequest({ number, ...queue }: AskedQueue & { readonly number: number }): object {
  return { ...aboutQueue(queue), pr: { number } };
}

export function repositoryOf(text: string): RepositoryName {
  const repository = parseRepositoryName(text);
  if (repository !== null) return repository;
  throw new CliError('repository is not the name of a repository.', {
    code: 'VALIDATION_FAILED',
    next: 'Write it as host/owner/name, such as github.com/acme/shop. list_queues shows all repositories with a queue.',
  });
}
