import type { Presented } from './certificate';
import { certificateFinding, unencryptedFinding } from './certificate-finding';

const URL_OF_SERVICE = new URL('https://sluice.example/queue');
const DAY_MS = 24 * 3_600_000;
const NOW = new Date('2026-11-23T12:00:00Z');
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);

const GOOD: Presented = {
  type: 'presented',
  protocol: 'TLSv1.3',
  issuer: "Let's Encrypt R11",
  names: 'DNS:sluice.example',
  validFrom: inDays(-30),
  validTo: inDays(60.5),
  distrust: null,
};
const find = (presented: Partial<Presented>) => certificateFinding(URL_OF_SERVICE, { ...GOOD, ...presented }, NOW);

describe('certificateFinding', () => {
  it('names protocol, issuer, last day and days left of a valid certificate', () => {
    expect(find({})).toEqual({
      verdict: 'ok',
      about: 'https://sluice.example',
      what: "TLSv1.3, certificate of Let's Encrypt R11, valid until 2027-01-23 (60 days left)",
      advice: null,
    });
  });

  it.each([
    ['no problem', '15 days of 398', { validFrom: inDays(-383), validTo: inDays(15) }, 'ok'],
    ['a problem', '13 days of 398', { validFrom: inDays(-385), validTo: inDays(13) }, 'problem'],
    ['no problem', '10 days of 90', { validFrom: inDays(-80), validTo: inDays(10) }, 'ok'],
    ['a problem', '8 days of 90', { validFrom: inDays(-82), validTo: inDays(8) }, 'problem'],
    ['no problem', '2 days of 6', { validFrom: inDays(-4), validTo: inDays(2) }, 'ok'],
    ['a problem', 'half a day of 6', { validFrom: inDays(-5.5), validTo: inDays(0.5) }, 'problem'],
  ])('finds %s if the certificate has %s left', (_, __, validity, verdict) => {
    expect(find(validity).verdict).toBe(verdict);
  });

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /^its certificate is self-signed, or its authority/, /NODE_EXTRA_CA_CERTS/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /^its certificate is self-signed, or its authority/, /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /^its certificate chain is incomplete/, /fullchain\.pem/],
    ['CERT_HAS_EXPIRED', /^its certificate has expired \(issuer Let's Encrypt R11, valid until 2027/, /^Renew it/],
    ['CERT_NOT_YET_VALID', /^its certificate is not valid yet/, /clocks/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /^its certificate is not for sluice\.example, but for DNS:/, /names sluice/],
    ['CERT_REVOKED', /^its certificate is refused: CERT_REVOKED/, /^Replace it/],
  ])('explains the TLS error %s', (distrust, what, advice) => {
    expect(find({ distrust })).toMatchObject({
      verdict: 'problem',
      what: expect.stringMatching(what) as string,
      advice: expect.stringMatching(advice) as string,
    });
  });

  it('says why there is no TLS connection', () => {
    expect(certificateFinding(URL_OF_SERVICE, { type: 'no_answer', why: 'ECONNREFUSED' }, NOW)).toMatchObject({
      verdict: 'problem',
      what: 'no TLS connection: ECONNREFUSED',
    });
  });
});

describe('unencryptedFinding', () => {
  it.each([
    ['http://localhost:3000', 'ok'],
    ['http://127.0.0.1:3000', 'ok'],
    ['http://[::1]:3000', 'ok'],
    ['http://sluice.example', 'problem'],
    ['http://localhost.example', 'problem'],
    ['http://127.example', 'problem'],
  ])('is no problem on the machine itself, and a problem elsewhere: %s is %s', (url, verdict) => {
    expect(unencryptedFinding(new URL(url)).verdict).toBe(verdict);
  });
});
