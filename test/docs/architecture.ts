import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BACKGROUND_JOBS } from '../../src/background-jobs';
import { lookAtArrows, MOST_DOORS, reportOf } from './arrows';
import { readDocument, ROOT } from './documents';
import { importsOfRooms } from './rooms';

export const ARCHITECTURE = 'docs/architecture.md';

/** Every room uses these rooms, so arrows to them would give no information. */
const FOUNDATION: readonly string[] = ['domain', 'engine', 'platform', 'modules/shared', 'composition root'];

function picture(): string {
  const drawn = importsOfRooms().filter(({ room }) => !FOUNDATION.includes(room) && room !== 'testing');
  const idOf = (room: string): string => room.replaceAll(/[-/]/g, '_');
  const arrows = drawn.flatMap(({ room, calls }) =>
    calls.filter((other) => !FOUNDATION.includes(other)).map((other) => `  ${idOf(room)} --> ${idOf(other)}`),
  );
  const rooms = drawn.map(({ room }) => `  ${idOf(room)}[${room}]`);
  return ['```mermaid', 'flowchart TD', ...rooms, ...arrows, '```'].join('\n');
}

function imports(): string {
  const rows = importsOfRooms().map(({ room, calls, types }) => {
    const also = types.map((other) => `${other} (types)`);
    const all = [...calls, ...also];
    return `| ${room} | ${all.length === 0 ? 'nothing of ours' : all.join(', ')} |`;
  });
  return ['| Room | Imports |', '| --- | --- |', ...rows].join('\n');
}

function jobs(): string {
  const rows = BACKGROUND_JOBS.map(({ of, does }) => `| \`${of}\` | ${does} |`);
  return ['| Job | What it does |', '| --- | --- |', ...rows].join('\n');
}

const BLOCKS: Readonly<Record<string, () => string>> = { picture, imports, jobs };

/** The document with every block between `<!-- made from the code: NAME -->` and `<!-- end -->` generated again. */
export function madeFromTheCode(document: string): string {
  return Object.entries(BLOCKS).reduce((text, [name, make]) => {
    const [begin, end] = [`<!-- made from the code: ${name} -->`, '<!-- end -->'];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`${ARCHITECTURE} must have a block that begins with ${begin}.`);
    return `${text.slice(0, from + begin.length)}\n\n${make()}\n\n${text.slice(to)}`;
  }, document);
}

const HELP = `npm run docs:architecture [-- --check]

Writes the picture of the rooms, their imports and the list of background jobs into ${ARCHITECTURE}.
  --check   writes nothing: prints rooms, floors, arrows up and doors by room. Ends with 1 on an arrow up, between rooms or
            inside engine, modules, platform and processing, and when a room or folder has more than ${MOST_DOORS} doors.
`;

function main(asked: readonly string[]): number {
  const [option] = asked;
  if (option === '--check') {
    const { lines, holds } = reportOf(lookAtArrows(ROOT));
    process.stdout.write(`${lines.join('\n')}\n`);
    return holds ? 0 : 1;
  }
  if (option !== undefined) {
    process.stdout.write(HELP);
    return option === '--help' ? 0 : 2;
  }
  writeFileSync(join(ROOT, ARCHITECTURE), madeFromTheCode(readDocument(ARCHITECTURE)));
  process.stdout.write(`${ARCHITECTURE} is written. Next: npx prettier --write ${ARCHITECTURE}\n`);
  return 0;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
