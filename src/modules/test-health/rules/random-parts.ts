import type { TestIdentity } from './test-identity';

/**
 * Parts of a name that may differ from run to run. Often such parts are fixed: `knows order 123e4567-…` can be the name
 * of a test. So a match only means that names may be the same test. The proof is that the names of a pattern appear
 * once and never again.
 */
const RANDOM: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/(?:\/private)?(?:\/var\/folders|\/var\/tmp|\/tmp|\/dev\/shm)\/[^\s"'`<>()[\]{},;:|]*/g, '<tmp>'],
  [/\b[A-Za-z]:\\(?:[^\s"'`<>()[\]{},;:|\\]{1,100}\\){0,20}te?mp\\[^\s"'`<>()[\]{},;:|]*/gi, '<tmp>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d{2}-\d{2}[T ]\d{2}[:-]?\d{2}(?:[:-]?\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<time>'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\b/g, '<time>'],
  [/(?<![\w.-])(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\w-])/g, '<date>'],
  [/(?<![\w./])\d{1,2}([/.])\d{1,2}\1(?:19|20)\d{2}(?![\w/])/g, '<date>'],
  // ULID: its first character is at most 7
  [/(?<![0-9A-Za-z])(?=[0-9A-Z]*[A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z])/g, '<ulid>'],
  // cuid, and cuid2 of its usual length
  [/(?<![0-9A-Za-z])c[0-9a-z]{24}(?![0-9A-Za-z])/g, '<cuid>'],
  [/(?<![0-9A-Za-z])(?=[a-z]*\d[0-9a-z]*\d)[a-z][0-9a-z]{23}(?![0-9A-Za-z])/g, '<cuid>'],
  // nanoid of its usual length: words do not mix both cases and digits
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{21}(?![\w-])/g, '<nanoid>'],
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  // Java's default name of an object
  [/(?<=[\w$;])@[0-9a-f]{5,16}\b/g, '@<address>'],
  // 127.0.0.1:43817, localhost:43817, port 43817
  [/(?<=\d\.\d{1,3}|localhost|\]):\d{4,5}\b/g, ':<port>'],
  [/\b(port|pid)([ =:#]{1,3})\d{3,7}\b/gi, '$1$2<n>'],
  [/(?<![0-9A-Za-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?![0-9A-Za-z])/gi, '<hex>'],
  [/(?<!\d)\d{9,20}(?!\d)/g, '<n>'],
];

/** A text without a match of this pattern matches no pattern of the list, so most names need no further check. */
const MAY_BE_RANDOM = /\d{4}|\d:\d\d:\d|[0-9a-f]{5}|[\w-]{21}|\/(?:tmp|folders|shm)\/|\\te?mp\\|(?:port|pid)[ =:#]/i;

/** The identity with its random parts replaced; null: no part looks random. */
export function patternOf(test: TestIdentity): TestIdentity | null {
  const { file, classname, parent, name, variant } = test;
  if (![file, classname, parent, name].some((text) => MAY_BE_RANDOM.test(text))) return null;
  const pattern = {
    file: withoutRandomParts(file),
    classname: withoutRandomParts(classname),
    parent: withoutRandomParts(parent),
    name: withoutRandomParts(name),
    variant,
  };
  const isSame =
    pattern.file === file && pattern.classname === classname && pattern.parent === parent && pattern.name === name;
  return isSame ? null : pattern;
}

export function withoutRandomParts(text: string): string {
  return RANDOM.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text);
}
