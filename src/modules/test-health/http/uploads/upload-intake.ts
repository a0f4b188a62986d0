import { MalformedReport } from '../../reports/malformed-report';
import { readReport } from '../../reports/read-report';
import { CodeOwners, type OwnersDialect, SlowCodeOwners } from '../../rules/code-owners';
import { DomainError } from '../../../../platform/errors/domain-error';
import { tooMuchIn } from '../../../../platform/requests/json-text';
import { parseRepositoryName } from '../../../../platform/repository-name';
import { invalidField } from '../refusals';
import type { ReportedResult } from '../../reports/reported-result';
import type { RefusedFile } from '../../rules/whole-upload';
import { BadGzip, type ByteBudget, decodedBytes } from './decoded-bytes';
import type { UploadParts } from './upload-body';
import type { UploadSpool } from '../../storage/uploads/upload-spool';

const MOST_OUTSIDE = 20;

/** An upload whose metadata has arrived and is valid. */
interface OpenUpload {
  readonly spool: UploadSpool;
  /** The dialect of the upload's CODEOWNERS file. */
  readonly dialect: OwnersDialect;
}

/** Receives the parts of one upload. */
export class UploadIntake<T extends OpenUpload> implements UploadParts {
  private owners = CodeOwners.NONE;
  private opening?: Promise<T>;
  private opened?: T;
  private files = 0;

  constructor(
    private readonly budget: ByteBudget,
    /** Called once, with the metadata. Throws when the metadata is refused. */
    private readonly open: (metadata: unknown) => Promise<T>,
  ) {}

  /**
   * The opened upload, even if a later part was refused; undefined: the metadata was refused. If `open` is still
   * running, waits for its end, because the body may end meanwhile.
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
    if (name === 'codeowners') this.owners = new CodeOwners(value, (this.opened ?? missingMetadata()).dialect);
  }

  /** An unreadable report is left out of the upload. */
  async onFile(fileName: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const { spool } = this.opened ?? missingMetadata();
    this.files += 1;
    const dropReport = spool.beginReport();
    try {
      await this.readReport(fileName, bytes, spool);
    } catch (error) {
      const { line, reason } = refusalOf(error);
      spool.findings.refuse(fileName, line, reason);
      await dropReport();
    }
  }

  /** Call this method when all parts have arrived. Errors: VALIDATION_FAILED when no report could be read. */
  async finish(): Promise<T> {
    const upload = this.opened ?? missingMetadata();
    if (this.files === 0) throw invalidField('files', 'must be at least one report');
    const { refused, refusedCount } = upload.spool.findings.toJSON();
    if (refusedCount === this.files) throw noneReadable(refused, refusedCount);
    await upload.spool.finish();
    return upload;
  }

  private async readReport(fileName: string, bytes: AsyncIterable<Buffer>, spool: UploadSpool): Promise<void> {
    const reading = readReport(decodedBytes(bytes, this.budget), { fileName });
    const outside: ReportedResult[] = [];
    for (;;) {
      const { done, value } = await reading.next();
      if (done) {
        spool.testSets.endReport(fileName);
        return spool.findings.addReport(fileName, value, outside);
      }
      await spool.add(value, this.owners);
      for (const result of value) if (result.isOutsideTests && outside.length < MOST_OUTSIDE) outside.push(result);
    }
  }
}

/**
 * The metadata of an upload whose body is a single report: `?repo=host/owner/name&commit=…`, and so on. This function
 * checks no values: the result is validated like the part `metadata`.
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

/** The reason why a report is left out. Rethrows errors about the whole upload. */
function refusalOf(error: unknown): Omit<RefusedFile, 'file'> {
  if (error instanceof MalformedReport) return { line: error.line, reason: error.reason };
  if (error instanceof BadGzip) return { line: null, reason: error.message };
  if (error instanceof SlowCodeOwners) throw invalidField('codeowners', error.message);
  throw error;
}

function noneReadable(refused: readonly RefusedFile[], count: number): DomainError {
  const details = refused.map(({ file, line, reason }) => ({
    field: file,
    message: line === null ? reason : `${reason} (line ${line})`,
  }));
  const first = `${details[0]?.field}: ${details[0]?.message}.`;
  const message = count === 1 ? first : `None of the ${count} reports can be read. The first of them, ${first}`;
  return new DomainError('VALIDATION_FAILED', message, details);
}
