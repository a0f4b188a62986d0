import { MalformedReport } from '../../reports/malformed-report';
import { readJUnit } from '../../reports/junit/read-junit';
import { CodeOwners, SlowCodeOwners } from '../../rules/code-owners';
import { tooMuchIn } from '../../../platform/http/json-text';
import { parseRepositoryName } from '../../../platform/repository-name';
import { invalidField } from '../refusals';
import { BadGzip, type ByteBudget, decodedBytes } from './decoded-bytes';
import type { UploadParts } from './upload-body';
import type { UploadSpool } from '../../storage/uploads/upload-spool';

/** An upload whose metadata has arrived and is valid. */
interface OpenUpload {
  readonly spool: UploadSpool;
}

/** Takes in the parts of one upload. */
export class UploadIntake<T extends OpenUpload> implements UploadParts {
  private owners = CodeOwners.NONE;
  private opening?: Promise<T>;
  private opened?: T;
  private files = 0;

  constructor(
    private readonly budget: ByteBudget,
    /** Called once. Throws when the metadata is refused. */
    private readonly open: (metadata: unknown) => Promise<T>,
  ) {}

  /**
   * What was opened, even if the rest of the upload was refused; undefined when the metadata was. Waits for an opening under
   * way: the body may end in the middle of it.
   */
  async openedUpload(): Promise<T | undefined> {
    return this.opening?.catch(() => undefined);
  }

  async begin(metadata: unknown): Promise<void> {
    if (this.opening) throw invalidField('metadata', 'must be given once, as the first part');
    this.opening = this.open(metadata);
    this.opened = await this.opening;
  }

  async onField(name: string, value: string): Promise<void> {
    if (name === 'metadata') return this.begin(parsed(value));
    if (name === 'codeowners') this.owners = new CodeOwners(value);
  }

  async onFile(fileName: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const { spool } = this.opened ?? missingMetadata();
    this.files += 1;
    try {
      for await (const results of readJUnit(decodedBytes(bytes, this.budget), { fileName })) {
        await spool.add(results, this.owners);
      }
    } catch (error) {
      throw refusalOf(error, fileName);
    }
  }

  /** Call it when all parts have arrived. Errors: VALIDATION_FAILED when one is missing. */
  async finish(): Promise<T> {
    const upload = this.opened ?? missingMetadata();
    if (this.files === 0) throw invalidField('files', 'must be at least one report');
    await upload.spool.finish();
    return upload;
  }
}

/**
 * The metadata of an upload whose body is a single report: `?repo=host/owner/name&commit=…`, and so on. Nothing is checked
 * here: the result is validated like the part `metadata`.
 */
export function metadataOfQuery(query: Readonly<Record<string, unknown>>): object {
  const { repo, ...others } = query;
  if (repo === undefined) return others;
  const named = typeof repo === 'string' ? parseRepositoryName(repo) : null;
  if (named === null) throw invalidField('repo', 'must be host/owner/name, such as local/demo/widgets');
  return { ...others, repo: named };
}

function missingMetadata(): never {
  throw invalidField('metadata', 'must be given before the reports');
}

function parsed(text: string): unknown {
  const tooMuch = tooMuchIn(Buffer.from(text));
  if (tooMuch !== null) throw invalidField('metadata', `must not ${tooMuch}`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('metadata', 'must be a JSON object');
  }
}

function refusalOf(error: unknown, fileName: string): unknown {
  if (error instanceof MalformedReport) return invalidField(fileName, `${error.reason} (line ${error.line})`);
  if (error instanceof BadGzip) return invalidField(fileName, error.message);
  if (error instanceof SlowCodeOwners) return invalidField('codeowners', error.message);
  return error;
}
