/** More tests than this are not compared with those of other uploads. */
const MOST_TESTS = 262_144;
export const KEY_BYTES = 8;
const FREE = -1;
const DIGIT_ZERO = '0'.charCodeAt(0);
const DIGIT_NINE = '9'.charCodeAt(0);
const LETTER_A = 'a'.charCodeAt(0);

/**
 * The different tests of an upload, in a few bytes each: the first 64 bits of their ids. Written out they are in order, so that two
 * sets are compared in one pass, and equal sets are equal bytes.
 */
export class TestSet {
  /** Two numbers of 32 bits for each test, in the order in which they came. */
  private keys = new Uint32Array(2_048);
  /** Where a key stands in `keys`; open addressing, at most half full. */
  private places = new Int32Array(2_048).fill(FREE);
  private count = 0;
  private overflows = false;

  /** `id`: a UUID in small letters. */
  add(id: string): void {
    const high = hexNumber(id, 0, 8);
    const low = hexNumber(id, 9, 13) * 0x1_0000 + hexNumber(id, 14, 18);
    const place = this.placeOf(high, low);
    if (this.places[place] !== FREE) return;
    if (this.count === MOST_TESTS) {
      this.overflows = true;
      return;
    }
    if (this.count * 2 === this.keys.length) this.keys = enlarged(this.keys);
    this.keys[this.count * 2] = high;
    this.keys[this.count * 2 + 1] = low;
    this.places[place] = this.count++;
    if (this.count * 2 > this.places.length) this.placeAll(this.places.length * 2);
  }

  has(id: string): boolean {
    const high = hexNumber(id, 0, 8);
    const low = hexNumber(id, 9, 13) * 0x1_0000 + hexNumber(id, 14, 18);
    return this.places[this.placeOf(high, low)] !== FREE;
  }

  get size(): number {
    return this.count;
  }

  /** Whether it does not hold all that was added. */
  get isTooLarge(): boolean {
    return this.overflows;
  }

  /** Drops what came after the set had that size. */
  cutTo(size: number): void {
    if (size >= this.count) return;
    this.count = size;
    this.placeAll(this.places.length);
  }

  /** Null: there are too many. */
  toBytes(): Buffer | null {
    if (this.overflows) return null;
    const sorted = new BigUint64Array(this.count);
    for (let at = 0; at < this.count; at++) {
      sorted[at] = (BigInt(this.keys[at * 2]!) << 32n) | BigInt(this.keys[at * 2 + 1]!);
    }
    sorted.sort();
    const bytes = Buffer.alloc(this.count * KEY_BYTES);
    sorted.forEach((key, at) => bytes.writeBigUInt64BE(key, at * KEY_BYTES));
    return bytes;
  }

  private placeAll(length: number): void {
    this.places = new Int32Array(length).fill(FREE);
    for (let at = 0; at < this.count; at++) {
      this.places[this.placeOf(this.keys[at * 2]!, this.keys[at * 2 + 1]!)] = at;
    }
  }

  private placeOf(high: number, low: number): number {
    const { keys, places } = this;
    const last = places.length - 1;
    // Ids are hashes, but the lower half has the version of the UUID in its middle.
    let place = high & last;
    for (;;) {
      const at = places[place]!;
      if (at === FREE || (keys[at * 2] === high && keys[at * 2 + 1] === low)) return place;
      place = (place + 1) & last;
    }
  }
}

/** Ten times as fast as parseInt, once for each result of an upload. */
function hexNumber(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    number = number * 16 + (code <= DIGIT_NINE ? code - DIGIT_ZERO : code - LETTER_A + 10);
  }
  return number;
}

function enlarged(keys: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(keys.length * 2);
  larger.set(keys);
  return larger;
}

/** The keys of `expected` that `found` does not have, both as bytes of a TestSet. */
export function missingKeys(expected: Buffer, found: Buffer): bigint[] {
  const missing: bigint[] = [];
  let at = 0;
  for (let place = 0; place < expected.length; place += KEY_BYTES) {
    const key = expected.readBigUInt64BE(place);
    while (at < found.length && found.readBigUInt64BE(at) < key) at += KEY_BYTES;
    if (at >= found.length || found.readBigUInt64BE(at) !== key) missing.push(key);
  }
  return missing;
}

/** The keys that both have, as bytes of a TestSet. */
export function sharedKeys(one: Buffer, other: Buffer): bigint[] {
  const missing = new Set(missingKeys(one, other));
  const shared: bigint[] = [];
  for (let place = 0; place < one.length; place += KEY_BYTES) {
    const key = one.readBigUInt64BE(place);
    if (!missing.has(key)) shared.push(key);
  }
  return shared;
}

/** The keys of `one` that `other` does not have; all of them as bytes of a TestSet. */
export function without(one: Buffer, other: Buffer): Buffer {
  return bytesOf(missingKeys(one, other));
}

/** The keys that both have. */
export function common(one: Buffer, other: Buffer): Buffer {
  return without(one, without(one, other));
}

/** The keys of any of them. */
export function union(sets: readonly Buffer[]): Buffer {
  const keys = new Set<bigint>();
  for (const set of sets) {
    for (let place = 0; place < set.length; place += KEY_BYTES) keys.add(set.readBigUInt64BE(place));
  }
  return bytesOf([...new BigUint64Array([...keys]).sort()]);
}

function bytesOf(sorted: readonly bigint[]): Buffer {
  const bytes = Buffer.alloc(sorted.length * KEY_BYTES);
  sorted.forEach((key, at) => bytes.writeBigUInt64BE(key, at * KEY_BYTES));
  return bytes;
}

/** The ids that a key can stand for: from the first to the last, as UUIDs. */
export function idsOfKey(key: bigint): readonly [first: string, last: string] {
  const text = key.toString(16).padStart(16, '0');
  const begin = `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12)}`;
  return [`${begin}-0000-000000000000`, `${begin}-ffff-ffffffffffff`];
}

/** The key of a test by its id, a UUID in small letters. */
export function keyOfId(id: string): bigint {
  return BigInt(`0x${id.replaceAll('-', '').slice(0, KEY_BYTES * 2)}`);
}
