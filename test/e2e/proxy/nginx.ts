import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/movable-postgres';
import { makeThrowAwayFolder } from '../../support/throw-away-folder';
import type { CertificateFiles } from './certificate';
import { documentedBlock, replaced } from './documented-block';
import { StartedProxy } from './started-proxy';

export interface Nginx {
  readonly url: string;
  readonly plainUrl: string;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the block from docs/install.md. Only URLs, ports and files differ; `changes` are applied
 * afterwards.
 */
export async function startNginx(
  ports: { readonly service: number; readonly tls: number },
  { certificate, key }: CertificateFiles,
  changes: readonly (readonly [from: string, to: string])[] = [],
): Promise<Nginx> {
  const folder = makeThrowAwayFolder();
  const plain = await freePort();
  const block = replaced(documentedBlock('nginx'), [
    ['127.0.0.1:3000', `127.0.0.1:${ports.service}`],
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.tls} ssl http2;`],
    ['/etc/letsencrypt/live/sluice.example/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/sluice.example/privkey.pem', key],
  ]);
  writeFileSync(join(folder, 'sluice.conf'), replaced(block, changes));
  writeFileSync(join(folder, 'nginx.conf'), mainConfiguration(folder));
  mkdirSync(join(folder, 'temporary'));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const proxy = await StartedProxy.start('nginx', args, ports.tls);
  return {
    url: `https://127.0.0.1:${ports.tls}`,
    plainUrl: `http://127.0.0.1:${plain}`,
    port: ports.tls,
    stop: () => proxy.stop(),
  };
}

/** The main configuration, which includes a file of `conf.d` in a separate folder. */
function mainConfiguration(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${join(folder, 'temporary', kind)};`,
  );
  return [
    'daemon off;',
    'worker_processes 1;',
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${join(folder, 'nginx.pid')};`,
    'events {}',
    'http {',
    '  access_log off;',
    ...temporary,
    `  include ${join(folder, 'sluice.conf')};`,
    '}',
    '',
  ].join('\n');
}
