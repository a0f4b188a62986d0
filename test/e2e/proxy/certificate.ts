import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** A self-signed certificate for 127.0.0.1, valid for 90 days. */
export function makeCertificate(folder: string): CertificateFiles {
  const files = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '90'];
  const names = ['-subj', '/O=Acme/CN=Acme test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', files.key, '-out', files.certificate], {
    stdio: 'ignore',
  });
  return files;
}
