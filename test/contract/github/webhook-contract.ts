import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import type { Schema } from './contract-file';

/** Each delivery as event and action. The event stands in the header of the delivery, the action in its payload. */
export const DELIVERIES = [
  'pull_request.opened',
  'pull_request.synchronize',
  'pull_request.closed',
  'pull_request.reopened',
  'pull_request.edited',
  'pull_request.converted_to_draft',
  'pull_request.ready_for_review',
  'pull_request.labeled',
  'pull_request.unlabeled',
  'pull_request_review.submitted',
  'pull_request_review_thread.resolved',
  'pull_request_review_thread.unresolved',
  'push',
  'status',
  'check_run.created',
  'check_run.completed',
  'issue_comment.created',
  'issue_comment.edited',
  'issue_comment.deleted',
  'installation.created',
  'installation.deleted',
  'installation.new_permissions_accepted',
] as const;

/** The file that `extract-webhooks` writes. */
export interface WebhooksFile {
  /** Package and version of GitHub's description. */
  readonly source: string;
  readonly deliveries: Readonly<Record<string, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

const FILE = join(__dirname, '..', '..', 'fixtures', 'github', 'webhooks.json');
const FORMATS_WITHOUT_A_TEST = ['repo.nwo', 'timestamp', 'ssh-url'];

/** Checks payloads of deliveries against GitHub's own description. */
export class WebhookContract {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, unicodeRegExp: false });

  constructor(readonly file: WebhooksFile) {
    addFormats(this.ajv);
    for (const format of FORMATS_WITHOUT_A_TEST) this.ajv.addFormat(format, true);
    this.ajv.addSchema({ $id: 'github', components: { schemas: file.schemas } });
  }

  static load(): WebhookContract {
    return new WebhookContract(JSON.parse(readFileSync(FILE, 'utf8')) as WebhooksFile);
  }

  /** Problems of a payload. `delivery`: the name of the delivery in `DELIVERIES`. */
  errorsOf(delivery: string, payload: unknown): readonly string[] {
    const validate = this.ajv.getSchema(delivery) ?? this.ajv.compile(this.schemaOf(delivery));
    if (validate(payload)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${delivery} ${instancePath} ${message ?? ''}`);
  }

  private schemaOf(delivery: string): Schema {
    const schema = this.file.deliveries[delivery];
    if (schema === undefined) throw new Error(`There is no description of ${delivery}`);
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"github#/components/');
    return { $id: delivery, ...(JSON.parse(text) as Schema) };
  }
}
