import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let version: string | undefined;

/** As the package says it, such as `0.1.0`. */
export function serviceVersion(): string {
  version ??= (JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string })
    .version;
  return version;
}
