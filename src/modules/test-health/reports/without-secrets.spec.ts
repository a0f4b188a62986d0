import { withoutSecrets } from './without-secrets';
import { leastCpuMs } from '../../../../test/support/least-cpu';

// The examples of secrets are assembled from parts, so that secret scanners of this repository do not report them.
const RANDOM = 'q7Zp2Lm9Xc4Vb8Nk1Ws6Td3Rf5Yh0Ju';
const HEX = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const KEY = ['-----BEGIN RSA PRIVATE', 'KEY-----\nMIIEpAIBAAKCAQEA\nq7Zp2Lm9\n-----END RSA PRIVATE', 'KEY-----'].join(
  ' ',
);

describe('a likely secret', () => {
  it.each([
    ['a key id of AWS', `denied for AKIA${'ABCD2345EFGH6789'} today`, 'denied for <secret> today'],
    ['a secret key of AWS', `aws_secret_access_key = ${RANDOM}/+abc`, 'aws_secret_access_key = <secret>'],
    ['a token of GitHub', `remote: ghp_${RANDOM}abcd refused`, 'remote: <secret> refused'],
    ['a fine-grained token of GitHub', `github_pat_${RANDOM}_x`, '<secret>'],
    ['a token of GitLab', `glpat-${RANDOM.slice(0, 20)}`, '<secret>'],
    ['a token of Slack', `xoxb-${'123456789012'}-${RANDOM}`, '<secret>'],
    [
      'a webhook of Slack',
      `POST https://hooks.slack.com/services/T0/B0/${RANDOM}`,
      'POST https://hooks.slack.com/services/<secret>',
    ],
    ['a JSON web token', `got eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxIn0'}.${RANDOM} back`, 'got <secret> back'],
    ['a private key', `before\n${KEY}\nafter`, 'before\n<secret>\nafter'],
    ['a private key on one line', `"${KEY.replaceAll('\n', '\\n')}"`, '"<secret>"'],
    ['a private key that is cut off', KEY.slice(0, 60), '<secret>'],
    ['a token of Sluice', `x-api-token: slc_${RANDOM}`, 'x-api-token: <secret>'],
    ['a key of Stripe', `sk_live_${RANDOM}`, '<secret>'],
    ['a key that begins with sk-', `sk-proj-${RANDOM}`, '<secret>'],
    [
      'the password of a URL',
      'connect postgres://app:hunter2@db:5432/shop failed',
      'connect postgres://app:<secret>@db:5432/shop failed',
    ],
    ['the password of a URL without a user', 'redis://:hunter2@cache', 'redis://:<secret>@cache'],
    ['a token as the user of a URL', `https://${RANDOM}@git.example/a.git`, 'https://<secret>@git.example/a.git'],
    ['a header', 'Authorization: Basic YWxhZGRpbjpvcGVu', 'Authorization: <secret>'],
    ['a header in an object', `{ "authorization": "Bearer ${RANDOM}" }`, '{ "authorization": "<secret>" }'],
    ['a cookie', 'set-cookie: session=abcdef; Path=/', 'set-cookie: <secret>'],
    ['a bearer token', `curl -H 'x: Bearer ${RANDOM}'`, "curl -H 'x: Bearer <secret>'"],
    [
      'a signature of a URL',
      `https://blob.example/a?sv=1&sig=${RANDOM}%3D&x=1`,
      'https://blob.example/a?sv=1&sig=<secret>&x=1',
    ],
    ['an assigned password', 'PASSWORD=hunter', 'PASSWORD=<secret>'],
    ['a password in quotes', "password: 'hunter'", "password: '<secret>'"],
    ['a password in JSON', '{"db_password":"hunter"}', '{"db_password":"<secret>"}'],
    ['a password in JSON in a string', '{\\"password\\":\\"hunter\\"}', '{\\"password\\":\\"<secret>\\"}'],
    ['a password in YAML', 'password: hunter2!', 'password: <secret>'],
    ['a client secret', `clientSecret => '${HEX}'`, "clientSecret => '<secret>'"],
    ['an API key', `API_KEY=${HEX}`, 'API_KEY=<secret>'],
    ['a token in a variable', `export DEPLOY_TOKEN="${RANDOM}"`, 'export DEPLOY_TOKEN="<secret>"'],
    ['a password in a query', 'GET /login?user=a&password=hunter&x=1', 'GET /login?user=a&password=<secret>&x=1'],
    ['an option of a command', `deploy --access-token ${RANDOM} --dry-run`, 'deploy --access-token <secret> --dry-run'],
  ])('is replaced: %s', (_what, text, expected) => {
    expect(withoutSecrets(text)).toBe(expected);
  });

  it.each([
    'expect(received).toBe(expected) // Object.is equality',
    "SyntaxError: Unexpected token: '}' in JSON at position 3",
    'Unexpected token < in JSON',
    'password: incorrect',
    'password: must not be empty',
    '{"password":"must not be empty"}',
    'expected token: undefined',
    'const token = getTokenFromEnvironment();',
    'password: <secret>',
    'PASSWORD=$DB_PASSWORD',
    'token: ${{ secrets.TOKEN }}',
    'Basic authentication is not supported',
    'the bearer of this letter',
    'https://example.com:8080/a@b',
    'mailto:somebody@example.com',
    'at Object.<anonymous> (/app/src/token.spec.ts:12:5)',
    'commit 3f2a1c0d9e8b7a6f5e4d3c2b1a0f9e8d7c6b5a49 is unknown',
    'no user 6f1c0a2e-8d0b-4c39-9f5a-2d7b1d7b9a10',
    'usage: deploy --token <token>',
  ])('is not found in: %s', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it('stays replaced when the text is searched again', () => {
    const text = `password="hunter" ${KEY} https://a:b@c token=${RANDOM}`;
    expect(withoutSecrets(withoutSecrets(text))).toBe(withoutSecrets(text));
  });

  it.each([
    'token',
    'token=',
    'token="',
    'token:\\"',
    'eyJ',
    '-eyJ',
    'eyJaaaaaa.',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'a://',
    'a://b:',
    '://',
    '--token ',
    '--',
    'sk-',
    'cookie: ',
    'bearer a',
    '?sig=',
    'hooks.slack.com/services/',
    'ghp_a',
    'a',
    '=',
    "'",
    '\\',
  ])('attack 9: is searched in linear time in text that repeats %j', (piece) => {
    const text = piece.repeat(65_536 / piece.length);
    expect(leastCpuMs(() => withoutSecrets(text), 1_000)).toBeLessThan(1_000);
  });
});
