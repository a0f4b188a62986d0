/** The fields of a protocol buffers message by number. Integers are bigint, and all other fields are bytes. */
export type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/**
 * Reads the wire format: varints, fixed numbers, and fields with a length. Throws if the bytes are not a valid message.
 */
export function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [number, kind] = [tag >> 3, tag & 7];
    const values = fields.get(number) ?? [];
    fields.set(number, values);
    if (kind === 0) values.push(varint());
    else if (kind === 1) {
      values.push(message.readBigUInt64LE(at));
      at += 8;
    } else if (kind === 5) {
      values.push(BigInt(message.readUInt32LE(at)));
      at += 4;
    } else if (kind === 2) {
      const length = Number(varint());
      if (at + length > message.length) throw new Error('The message ends in the middle of a field.');
      values.push(message.subarray(at, at + length));
      at += length;
    } else throw new Error(`No field has the type ${kind}.`);
  }
  return fields;
}

export function textOf(fields: Fields, number: number): string {
  const [value] = fields.get(number) ?? [];
  return value === undefined ? '' : (value as Buffer).toString('utf8');
}

/** The value of a field as a number; 0 when the field is absent. */
export function numberOf(fields: Fields, number: number): number {
  const [value] = fields.get(number) ?? [];
  return value === undefined ? 0 : Number(value);
}
