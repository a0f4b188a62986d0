import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every variable of the service, as `.env.example` lists them. */
export const VARIABLES: readonly string[] = [
  ...readFileSync(join(__dirname, '..', '..', '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm),
].map(([, name = '']) => name);
