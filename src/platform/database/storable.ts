/** NUL and lone surrogates, which PostgreSQL cannot store in text or in JSON. */
const NOT_STORABLE = /[\0\p{Surrogate}]/gu;
const REPLACEMENT = '\u{fffd}';

/**
 * The same value, with every text in a form that PostgreSQL can store. Looks into lists, maps and plain objects. A
 * storable value is returned unchanged.
 */
export function storable<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(NOT_STORABLE, REPLACEMENT);
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (value instanceof Map) return cleanedMap(value);
  return isPlainObject(value) ? cleanedObject(value) : value;
}

function cleanedMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map].map(([key, value]) => [cleaned(key), cleaned(value)] as const);
  const isSame = entries.every(([key, value]) => map.has(key) && map.get(key) === value);
  return isSame ? map : new Map(entries);
}

function cleanedObject(object: Record<string, unknown>): unknown {
  const entries = Object.entries(object).map(([key, value]) => [key, cleaned(value)] as const);
  return entries.every(([key, value]) => object[key] === value) ? object : Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
