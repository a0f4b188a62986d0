import { withoutAnyAddress } from './bank';
import { etaWithInterval } from './etas';

const NOW = new Date('2026-11-22T14:00:00.000Z');
const eta = (low: string, p50: string, high: string) =>
  ({ low: `2026-11-22T${low}.000Z`, p50: `2026-11-22T${p50}.000Z`, high: `2026-11-22T${high}.000Z` }) as never;

describe('A forecast on a page', () => {
  it('is followed by its interval', () => {
    const said = etaWithInterval(eta('14:20:00', '14:23:00', '14:31:00'), NOW).toString();
    expect(said.match(/>\d\d:\d\d</g)).toEqual(['>14:23<', '>14:20<', '>14:31<']);
  });

  it('is shown once if the interval is within one minute', () => {
    const said = etaWithInterval(eta('14:23:01', '14:23:20', '14:23:59'), NOW).toString();
    expect(said.match(/>\d\d:\d\d</g)).toEqual(['>14:23<']);
  });
});

describe('a sentence on a page with the link elsewhere', () => {
  it.each([
    [
      'A required status failed: "unit" on a317bbc4, https://ci.example/log/1. Push a fix.',
      'A required status failed: "unit" on a317bbc4. Push a fix.',
    ],
    ['Red: "a" on 1, http://ci/a?b=1.2; "b" on 1, http://ci/c', 'Red: "a" on 1; "b" on 1'],
    ['Taken out by ada.', 'Taken out by ada.'],
  ])('has no URLs: %s', (sentence, said) => expect(withoutAnyAddress(sentence)).toBe(said));
});
