import ts from 'typescript';
import { PAYLOAD_VERSION, WEBHOOK_EVENTS } from '../../../src/processing/notifications/webhook-event';
import { readDocument } from '../documents';
import { markdownTable, type Row, rowsByCode } from './table';

const WEBHOOK_FILE = 'src/processing/notifications/webhook-event.ts';
const QUEUE_FILE = 'src/extensions/queue-event.ts';

interface FieldOfEvent {
  readonly path: string;
  readonly type: string;
}

/** Fields of a message to a webhook. People write the last column. */
export function webhookFieldsBlock(present: string): string {
  const declared = interfacesIn(WEBHOOK_FILE);
  const fields = [
    { path: 'type', type: WEBHOOK_EVENTS.map((name) => `\`${name}\``).join(', ') },
    { path: 'version', type: `number: ${PAYLOAD_VERSION}` },
    { path: 'id', type: 'text' },
    { path: 'timestamp', type: 'time' },
    ...fieldsOf(declared, 'WebhookEventFacts', 'data.'),
    { path: 'data.page', type: 'text or null' },
  ];
  return tableOf(fields, present);
}

/** Fields of the events of extensions: one table for all events, and one for each type. */
export function queueEventsBlock(present: string): string {
  const declared = interfacesIn(QUEUE_FILE);
  const own = [...declared.keys()].filter((name) => fieldsOf(declared, name, '').some(({ path }) => path === 'type'));
  const sections = own.map((name) => {
    const fields = fieldsOf(declared, name, '');
    const type = fields.find(({ path }) => path === 'type')!.type;
    const [, before = ''] = new RegExp(`### ${type}\n([^]*?)(?=\n### |$)`).exec(present) ?? [];
    return `### ${type}\n\n${tableOf(
      fields.filter(({ path }) => path !== 'type'),
      before,
    )}`;
  });
  const [common = ''] = present.split(/^### /m);
  const shared = [{ path: 'type', type: own.map((name) => fieldsOf(declared, name, '')[0]!.type).join(', ') }];
  return [tableOf([...shared, ...fieldsOf(declared, 'EventOfQueue', '')], common), ...sections].join('\n\n');
}

function tableOf(fields: readonly FieldOfEvent[], present: string): string {
  const known = rowsByCode(present);
  const rows = fields.map(({ path, type }): Row => [`\`${path}\``, type, known.get(path)?.[2] ?? '']);
  return markdownTable(['Field', 'Type', 'Meaning'], rows);
}

type Declared = ReadonlyMap<string, readonly ts.TypeElement[]>;

function interfacesIn(path: string): Declared {
  const source = ts.createSourceFile('file.ts', readDocument(path), ts.ScriptTarget.Latest, true);
  return new Map(source.statements.filter(ts.isInterfaceDeclaration).map(({ name, members }) => [name.text, members]));
}

function fieldsOf(declared: Declared, name: string, prefix: string): readonly FieldOfEvent[] {
  return membersOf(declared.get(name)!, declared, prefix);
}

function membersOf(members: readonly ts.TypeElement[], declared: Declared, prefix: string): readonly FieldOfEvent[] {
  return members.filter(ts.isPropertySignature).flatMap((member) => {
    const path = `${prefix}${member.name.getText()}`;
    const type = member.type!;
    return [{ path, type: wordsFor(type) }, ...below(type, declared, path)];
  });
}

/** The fields of an object, of an object that may be null, and of the items of a list. */
function below(type: ts.TypeNode, declared: Declared, path: string): readonly FieldOfEvent[] {
  if (ts.isUnionTypeNode(type)) return type.types.flatMap((one) => below(one, declared, path));
  if (ts.isTypeOperatorNode(type)) return below(type.type, declared, path);
  if (ts.isArrayTypeNode(type)) return below(type.elementType, declared, `${path}[]`);
  if (ts.isTypeLiteralNode(type)) return membersOf(type.members, declared, `${path}.`);
  if (!ts.isTypeReferenceNode(type)) return [];
  const name = type.typeName.getText();
  if (name === 'RepositoryName')
    return ['host', 'owner', 'name'].map((one) => ({ path: `${path}.${one}`, type: 'text' }));
  return declared.has(name) ? fieldsOf(declared, name, `${path}.`) : [];
}

const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false', null: 'null' };

function wordsFor(type: ts.TypeNode): string {
  if (ts.isUnionTypeNode(type)) return joined(type.types.map(wordsFor));
  if (ts.isTypeOperatorNode(type)) return wordsFor(type.type);
  if (ts.isArrayTypeNode(type)) return 'list';
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return type.literal.text;
  if (ts.isTypeLiteralNode(type)) return 'object';
  const text = type.getText();
  if (/^(?:EntryState|QueueState|StateReason)$/.test(text)) return 'text';
  return WORDS[text] ?? (/^[A-Z]/.test(text) ? 'object' : text);
}

function joined(words: readonly string[]): string {
  return words.length < 3 ? words.join(' or ') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
