import { DomainError } from '../../platform/errors/domain-error';
import { admitStream } from './stream-limits';

function refusalOf(open: readonly string[]): Pick<DomainError, 'code' | 'status' | 'retryAfterSeconds'> | null {
  try {
    admitStream(open, 'mine', { perCaller: 2, perProcess: 3 });
    return null;
  } catch (error) {
    const { code, status, retryAfterSeconds } = error as DomainError;
    return { code, status, retryAfterSeconds };
  }
}

describe('a slot for one more stream', () => {
  it('is free below both limits', () => {
    expect(refusalOf([])).toBeNull();
    expect(refusalOf(['mine', 'other'])).toBeNull();
  });

  it('attack: is limited per caller', () => {
    const refusal = { code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfterSeconds: 30 };
    expect(refusalOf(['mine', 'mine'])).toEqual(refusal);
  });

  it('attack: is limited per process for many callers', () => {
    expect(refusalOf(['a', 'b', 'c'])).toEqual({ code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 30 });
  });
});
