import { MADE_UP_ADDRESS, proxyFindings, type ProxyLook, type SeenRequest } from './proxy-findings';

const URL_OF_SERVICE = 'https://sluice.example/queue';
const CLIENT = '203.0.113.9';
const PROXY = '10.0.0.3';

const BEHIND_ONE: SeenRequest = {
  address: CLIENT,
  protocol: 'https',
  forwardedAddresses: 1,
  trustedProxies: 1,
  publicUrl: `${URL_OF_SERVICE}/`,
};

function look(plain: Partial<SeenRequest>, more: Partial<ProxyLook> & { readonly believed?: true } = {}): ProxyLook {
  const seen = { ...BEHIND_ONE, ...plain };
  const forged = { ...seen, address: more.believed ? MADE_UP_ADDRESS : seen.address };
  return { plain: seen, forged, proxy: more.proxy === undefined ? 'nginx/1.22.1' : more.proxy };
}

const said = (seen: ProxyLook, url = URL_OF_SERVICE): string[] =>
  proxyFindings(url, seen).map(({ verdict, what, advice }) => `${verdict}: ${what}${advice ? ` -> ${advice}` : ''}`);

describe('proxyFindings', () => {
  it('reports no problem for one proxy that adds the address of the client', () => {
    expect(said(look({}))).toEqual([
      `ok: this machine has the address ${CLIENT} there, behind one proxy`,
      'ok: links of the service lead to this URL',
    ]);
  });

  it('gives the number of proxies', () => {
    expect(said(look({ forwardedAddresses: 2, trustedProxies: 2 }))[0]).toContain('behind 2 proxies');
  });

  it('reports no problem for a service without a proxy', () => {
    const alone = { forwardedAddresses: 0, trustedProxies: 0, protocol: 'http' };
    expect(said(look(alone, { proxy: null }))[0]).toBe(
      `ok: this machine has the address ${CLIENT} there; no proxy adds X-Forwarded-For`,
    );
  });

  it.each([
    [
      'SLUICE_TRUST_PROXY is too small',
      look({ address: PROXY, forwardedAddresses: 2, trustedProxies: 1 }),
      `problem: all clients have the address of a proxy, ${PROXY}: SLUICE_TRUST_PROXY is 1 -> Set SLUICE_TRUST_PROXY=2, and restart the service.`,
    ],
    [
      'the proxy adds no address',
      look({ address: PROXY, forwardedAddresses: 0, trustedProxies: 0 }),
      `problem: all clients have the address of the proxy, ${PROXY}: nginx/1.22.1 adds no X-Forwarded-For -> Let the proxy add X-Forwarded-For: docs/install.md. Then set SLUICE_TRUST_PROXY=1, and restart the service.`,
    ],
    [
      'SLUICE_TRUST_PROXY is too large',
      look({ trustedProxies: 2 }, { believed: true }),
      'problem: a client can choose its own address: SLUICE_TRUST_PROXY is 2 -> Set SLUICE_TRUST_PROXY=1, and restart the service.',
    ],
    [
      'a proxy is trusted that adds no address',
      look({ forwardedAddresses: 0 }, { believed: true }),
      'problem: a client can choose its own address: SLUICE_TRUST_PROXY is 1 -> Let the proxy add X-Forwarded-For: docs/install.md. Without a proxy, set SLUICE_TRUST_PROXY=0, and restart the service.',
    ],
    [
      'the first proxy forwards the header of a client',
      look({}, { believed: true }),
      'problem: a client can choose its own address: SLUICE_TRUST_PROXY is 1 -> Let the proxy add X-Forwarded-For: docs/install.md. Without a proxy, set SLUICE_TRUST_PROXY=0, and restart the service.',
    ],
  ])('reports a problem if %s', (_, seen, problem) => {
    expect(said(seen)[0]).toBe(problem);
  });

  it('reports a trusted proxy that does not send the protocol', () => {
    expect(said(look({ protocol: 'http' }))[1]).toMatch(/^ok: requests arrive as http, not as https -> Let the proxy/);
  });

  it.each([
    [URL_OF_SERVICE, 'problem: links of the service lead to http://localhost:3000'],
    ['http://localhost:3000/', 'ok: links of the service lead to this URL'],
    ['http://127.0.0.1:3000', 'ok: links of the service lead to http://localhost:3000'],
  ])('compares SLUICE_PUBLIC_URL with the URL of the command: %s', (url, start) => {
    const seen = look({ publicUrl: 'http://localhost:3000', protocol: new URL(url).protocol.slice(0, -1) });
    expect(said(seen, url)[1]).toMatch(new RegExp(`^${start}`));
  });
});
