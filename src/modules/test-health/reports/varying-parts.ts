/** Colours of a terminal. Reports may replace their escape character, as XML requires, or spell it out. */
const COLOURS = /(?:[^\P{Cc}\s]|\ufffd|\\x1b|\\u001b|\\e|\\033)\[[\d;?]*[A-Za-z]/giu;

/**
 * Parts that differ from day to day, in the order of replacement. Each is replaced by a word without digits, and the
 * last row replaces all remaining digits. As a result, no row matches any text after the replacement.
 */
const VARYING: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/(?:\/private)?(?:\/var\/folders|\/var\/tmp|\/tmp|\/dev\/shm)\/[^\s"'`<>()[\]{},;:|]*/g, '<tmp>'],
  [/(?<![a-z])[a-z]:[\\/](?:[^\s"'`<>()[\]{},;:|]*?[\\/])?te?mp[\\/][^\s"'`<>()[\]{},;:|]*/gi, '<tmp>'],
  [/\b(?=[a-f-]*\d)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  // 2026-01-31, 2026-01-31T12:30:00.123Z
  [
    /\b\d{4}-\d{2}-\d{2}(?:[T ]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?(?: ?(?:Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}\b))?/g,
    '<time>',
  ],
  // Sat Jan 31 12:30:00 UTC 2026, Sat, 31 Jan 2026 12:30:00 +0000
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w ]{4,12} \d{1,2}:\d{2}:\d{2}(?: [A-Z]{3,4}\b)?(?: \+?\d{4}\b)?/g,
    '<time>',
  ],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b(?: ?[AP]M\b)?/gi, '<time>'],
  [/\b0x[0-9a-f]+\b/gi, '<address>'],
  // Java's default name of an object
  [/(?<=\w)@(?=[a-f]*\d)[0-9a-f]{4,16}\b(?![.\w-])/g, '@<address>'],
  [/(?<![A-Za-z0-9_])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?![A-Za-z0-9_])/g, '<hex>'],
  [
    /(?<![\w.])\d[\d_,]*(?:\.\d+)?(?:e[+-]?\d+)? ?(?:[nuµμm]s|msecs?|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?)\b/g,
    '<duration>',
  ],
  // The position in a file: a.ts:12:7
  [/(?<=\.[a-z]\w{0,9}):\d+(?::\d+)?\b/gi, ':<line>'],
  [/(?<![A-Za-z0-9_.<>])[-+]?\d[\d_,]*(?:\.\d+)*(?:e[+-]?\d+)?(?![A-Za-z])/gi, '<n>'],
  [/\d+(?:[.,_]\d+)*/g, '<n>'],
];

/**
 * Removing one colour code may join the parts of another. No terminal output nests colour codes more deeply than this.
 */
const MOST_NESTED = 4;

export function withoutColours(text: string): string {
  let plain = text;
  for (let before = '', pass = 0; before !== plain && pass < MOST_NESTED; pass++) {
    before = plain;
    plain = plain.replace(COLOURS, '');
  }
  return plain;
}

export function withoutVaryingParts(line: string): string {
  return VARYING.reduce((text, [pattern, word]) => text.replace(pattern, word), line);
}
