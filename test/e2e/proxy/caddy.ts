import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeThrowAwayFolder } from '../../support/throw-away-folder';
import type { CertificateFiles } from './certificate';
import { documentedBlock, replaced } from './documented-block';
import { StartedProxy } from './started-proxy';

/** Starts Caddy with the block from docs/install.md. Only URLs and ports differ, and the certificate is our own. */
export function startCaddy(
  ports: { readonly service: number; readonly tls: number },
  { certificate, key }: CertificateFiles,
): Promise<StartedProxy> {
  const folder = makeThrowAwayFolder();
  const block = replaced(documentedBlock('caddy'), [
    ['127.0.0.1:3000', `127.0.0.1:${ports.service}`],
    ['sluice.example {', `https://127.0.0.1:${ports.tls} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
  ]);
  const settings = join(folder, 'Caddyfile');
  writeFileSync(settings, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${block}`);
  const home = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return StartedProxy.start('caddy', ['run', '--config', settings, '--adapter', 'caddyfile'], ports.tls, home);
}
