import fc from 'fast-check';
import { uuidv5 } from '../../../platform/ids';
import { testCaseId, type TestIdentity } from './test-identity';

const REPOSITORY = '0b8c1a52-3f6d-4a0e-9c5a-7a6b1f2c3d4e';
const OTHER_REPOSITORY = '1b8c1a52-3f6d-4a0e-9c5a-7a6b1f2c3d4e';
const TEST: TestIdentity = { file: 'a.ts', classname: 'a', parent: 'suite', name: 'adds', variant: 'linux' };

const text = fc.string({ unit: 'binary', maxLength: 2_000 });
const identities = fc.record({ file: text, classname: text, parent: text, name: text, variant: text });

describe('The id of a test', () => {
  it('is the version 5 UUID of its identity, in any order of calls', () => {
    fc.assert(
      fc.property(fc.uuid(), identities, (repositoryId, test) => {
        const { file, classname, parent, name, variant } = test;
        const identity = JSON.stringify([file, classname, parent, name, variant]);
        expect(testCaseId(repositoryId, test)).toBe(uuidv5(repositoryId, identity));
      }),
    );
  });

  it('covers every character of a long name of three-byte characters', () => {
    const test = { ...TEST, name: '€'.repeat(50_000) };
    const { file, classname, parent, name, variant } = test;
    const identity = JSON.stringify([file, classname, parent, name, variant]);
    expect(testCaseId(REPOSITORY, test)).toBe(uuidv5(REPOSITORY, identity));
  });

  it('differs in another repository, and for each part of the identity that differs', () => {
    const others = (Object.keys(TEST) as (keyof TestIdentity)[]).map((part) => ({ ...TEST, [part]: 'other' }));
    const ids = [TEST, ...others].map((test) => testCaseId(REPOSITORY, test));
    expect(new Set([...ids, testCaseId(OTHER_REPOSITORY, TEST)]).size).toBe(7);
  });

  it('is different for two parts whose joined text is the same', () => {
    const ids = [
      { ...TEST, file: 'ab', classname: 'c' },
      { ...TEST, file: 'a', classname: 'bc' },
    ].map((test) => testCaseId(REPOSITORY, test));
    expect(ids[0]).not.toBe(ids[1]);
  });
});
