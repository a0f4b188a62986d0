import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Order matters: rules for narrow windows, special media and paper override earlier rules, so they come last.
const STYLES = [
  ...['base', 'bar', 'state', 'head', 'target', 'runs', 'lanes', 'search', 'tables', 'overview', 'story', 'charts'],
  ...['tests', 'settings', 'marks', 'log', 'forms', 'ways-in', 'narrow', 'phone', 'media', 'print'],
];
// The scripts share one scope: each script may use the definitions of the scripts before it.
const SCRIPTS = ['page', 'find', 'keys', 'times', 'more', 'mend', 'live'];

const SOURCES = {
  'sluice.css': { type: 'text/css; charset=utf-8', files: STYLES.map((part) => `styles/${part}.css`) },
  'sluice.js': { type: 'text/javascript; charset=utf-8', files: SCRIPTS.map((part) => `scripts/${part}.js`) },
  'icon.svg': { type: 'image/svg+xml', files: ['icon.svg'] },
} as const;

export type AssetName = keyof typeof SOURCES;

export interface Asset {
  readonly content: Buffer;
  readonly type: string;
  /** The version changes with the content, so that a browser may cache the asset for ever. */
  readonly version: string;
}

/** Source files of the assets, relative to `assets`, in order. Each asset is one request, however many files it has. */
export const ASSET_FILES: readonly string[] = Object.values(SOURCES).flatMap(({ files }) => files);

const ASSETS = new Map<string, Asset>(
  Object.entries(SOURCES).map(([name, { type, files }]) => {
    const content = Buffer.concat(files.map((file) => readFileSync(join(__dirname, 'assets', file))));
    return [name, { content, type, version: createHash('sha256').update(content).digest('hex').slice(0, 12) }];
  }),
);

export function assetNamed(name: string): Asset | undefined {
  return ASSETS.get(name);
}

export function assetPath(name: AssetName): string {
  return `/ui/assets/${name}?v=${ASSETS.get(name)!.version}`;
}
