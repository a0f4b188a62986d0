import { newId, uuidv5 } from './ids';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

describe('ids', () => {
  it('gives the version 5 UUID of the example in RFC 9562', () => {
    expect(uuidv5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  it('gives different ids for different names and namespaces', () => {
    expect(new Set([uuidv5(DNS, '1'), uuidv5(DNS, '2'), uuidv5(uuidv5(DNS, '1'), '1')]).size).toBe(3);
  });

  it('makes a new id each time', () => {
    expect(newId()).not.toBe(newId());
  });
});
