import { TextDecoder } from 'node:util';
import { MalformedReport } from './malformed-report';

/** Bounds the memory of one parser step, however large the incoming chunks are. */
const PIECE_BYTES = 65_536;
const XML_DECLARATION_BYTES = 1_024;

const BYTE_ORDER_MARKS: readonly (readonly [label: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
  // Without a byte order mark, the first `<` decides.
  ['utf-16le', 0x3c, 0x00],
  ['utf-16be', 0x00, 0x3c],
];

/** The text of a file in its declared encoding; invalid bytes become U+FFFD. */
export async function* decode(chunks: AsyncIterable<Uint8Array>, fileName: string): AsyncGenerator<string> {
  let head: Uint8Array = new Uint8Array();
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (decoder === null) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      if (!tellsEncoding(head)) continue;
      decoder = decoderFor(head, fileName);
      bytes = head;
    }
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const text: string = decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
      if (text !== '') yield text;
    }
  }
  const rest: string =
    decoder === null ? decoderFor(head, fileName).decode(head) : decoder.decode(new Uint8Array(), { stream: false });
  if (rest !== '') yield rest;
}

function tellsEncoding(head: Uint8Array): boolean {
  if (head.length < 4) return false;
  return head.length >= XML_DECLARATION_BYTES || head.includes(0x3e) || !asAscii(head).startsWith('<?xm');
}

function decoderFor(head: Uint8Array, fileName: string): TextDecoder {
  const marked = BYTE_ORDER_MARKS.find(([, ...bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (marked !== undefined) return new TextDecoder(marked[0]);
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']/.exec(asAscii(head))?.[1] ?? 'utf-8';
  // The declaration could be read, so the file does not have two bytes per character. String writers on .NET declare
  // UTF-16 for everything.
  if (/^(utf-?16|ucs-?2|iso-10646-ucs)/i.test(declared)) return new TextDecoder('utf-8');
  try {
    return new TextDecoder(declared);
  } catch {
    throw new MalformedReport(fileName, { line: 1 }, `the encoding ${JSON.stringify(declared)} is unknown`);
  }
}

function asAscii(head: Uint8Array): string {
  return Buffer.from(head.subarray(0, XML_DECLARATION_BYTES)).toString('latin1');
}
