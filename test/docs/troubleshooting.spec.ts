import { ERROR_CODES } from '../../src/platform/errors/error-codes';
import { readDocument } from './documents';
import { fixedPartsOf, isSaidBy, sayingsOfProduct, wordsOfProduct, wordsOfType } from './said';

const DOCUMENT = readDocument('docs/troubleshooting.md');
const QUOTES = [...DOCUMENT.matchAll(/^> (.+)$/gm)].map(([, sentence]) => sentence ?? '');
const REASONS = readDocument('docs/reasons.md');
const CODES = new Set([...`${DOCUMENT}${REASONS}`.matchAll(/`(\w+)`/g)].map(([, word]) => word ?? ''));

describe('docs/troubleshooting.md', () => {
  const product = sayingsOfProduct();

  it.each(QUOTES)('quotes messages of the product: %s', (sentence) => {
    expect(product.some((file) => isSaidBy(file, sentence))).toBe(true);
  });

  it.each(QUOTES)('quotes enough of each message to find it by a search: %s', (sentence) => {
    expect(fixedPartsOf(sentence).join(' ').split(' ').length).toBeGreaterThanOrEqual(2);
  });

  it('names only error codes and reasons that the product has', () => {
    const named = [...CODES].filter((word) => /^[A-Za-z]+(_[A-Za-z]+)+$/.test(word));
    expect(named.length).toBeGreaterThan(50);
    const known = wordsOfProduct();
    expect(named.filter((word) => !known.has(word))).toEqual([]);
  });
});

describe('docs/reasons.md', () => {
  it.each(Object.keys(ERROR_CODES))('has a solution for the error code %s', (code) => {
    expect(CODES).toContain(code);
  });

  it.each(['FailedReason', 'CancelledReason', 'PendingReason'])('explains every reason of the type %s', (type) => {
    const reasons = wordsOfType(type);
    expect(reasons.length).toBeGreaterThan(5);
    expect(reasons.filter((reason) => !CODES.has(reason))).toEqual([]);
  });
});
