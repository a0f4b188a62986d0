import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TYPES = {
  'sluice.css': 'text/css; charset=utf-8',
  'sluice.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

export type AssetName = keyof typeof TYPES;

export interface Asset {
  readonly content: Buffer;
  readonly type: string;
  /** Changes with the content, so a browser may keep it for ever. */
  readonly version: string;
}

const ASSETS = new Map<string, Asset>(
  Object.entries(TYPES).map(([name, type]) => {
    const content = readFileSync(join(__dirname, 'assets', name));
    return [name, { content, type, version: createHash('sha256').update(content).digest('hex').slice(0, 12) }];
  }),
);

export function assetNamed(name: string): Asset | undefined {
  return ASSETS.get(name);
}

export function assetPath(name: AssetName): string {
  return `/ui/assets/${name}?v=${ASSETS.get(name)!.version}`;
}
