/** The number of dependencies that are read from a description; further ones are ignored. */
const MOST_NAMED = 50;
const MOST_READ = 65_536;
const LINE = /^[\t ]{0,3}depends-on:(.*)$/gim;
const NAMED = /(?:^|[\s,])#(\d{1,9})(?=$|[\s,.;])/g;

/** The numbers in lines such as `Depends-On: #12` of a description, each once. HTML comments are ignored. */
export function dependsOnIn(description: string): readonly number[] {
  const text = withoutComments(description.slice(0, MOST_READ));
  const numbers = new Set<number>();
  for (const [, named = ''] of text.matchAll(LINE))
    for (const [, number] of named.matchAll(NAMED)) {
      if (numbers.size < MOST_NAMED && Number(number) > 0) numbers.add(Number(number));
    }
  return [...numbers];
}

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, i) => (i === 0 ? part : part.slice(part.includes('-->') ? part.indexOf('-->') + 3 : part.length)))
    .join('');
}
