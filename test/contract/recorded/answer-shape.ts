/** The types of the values of each key in all answers to one request. A key has the form `a.b[].c`. */
export type AnswerShape = ReadonlyMap<string, ReadonlySet<string>>;

/** The type `absent` means that another object at the same place lacks the key. */
export function shapeOfAnswers(bodies: readonly unknown[]): AnswerShape {
  const shape = new Map<string, Set<string>>();
  collect(shape, '', bodies);
  return shape;
}

function collect(shape: Map<string, Set<string>>, place: string, values: readonly unknown[]): void {
  const kinds = shape.get(place) ?? new Set<string>();
  shape.set(place, kinds);
  for (const value of values) kinds.add(kindOf(value));
  const items = values.filter((value): value is unknown[] => Array.isArray(value)).flat();
  if (items.length > 0) collect(shape, `${place}[]`, items);
  const objects = values.filter(isRecord);
  for (const name of new Set(objects.flatMap((one) => Object.keys(one)))) {
    const inner = place === '' ? name : `${place}.${name}`;
    collect(
      shape,
      inner,
      objects.filter((one) => name in one).map((one) => one[name]),
    );
    if (objects.some((one) => !(name in one))) shape.get(inner)!.add('absent');
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

export interface ShapeDifferences {
  /** `key: <the recording's> in the recording, <the mock's> in the mock`. */
  readonly kinds: readonly string[];
  readonly onlyRecorded: readonly string[];
  readonly onlyMock: readonly string[];
}

/**
 * If only one side has a key, the keys below it are not listed. A key that is only null or absent has no known type,
 * and is not compared.
 */
export function compareShapes(recorded: AnswerShape, mock: AnswerShape): ShapeDifferences {
  const keys = [...new Set([...recorded.keys(), ...mock.keys()])].filter((key) => key !== '').sort();
  const onlyIn = (here: AnswerShape, there: AnswerShape): readonly string[] => {
    const found = keys.filter((key) => here.has(key) && !there.has(key));
    return found.filter((key) => there.has(parentOf(key)) && !key.endsWith('[]'));
  };
  const kinds = keys.flatMap((key) => {
    const [one, other] = [said(recorded.get(key)), said(mock.get(key))];
    if (one.length === 0 || other.length === 0 || one.some((kind) => other.includes(kind))) return [];
    return [`${key}: ${one.join(' or ')} in the recording, ${other.join(' or ')} in the mock`];
  });
  return { kinds, onlyRecorded: onlyIn(recorded, mock), onlyMock: onlyIn(mock, recorded) };
}

function said(kinds: ReadonlySet<string> | undefined): readonly string[] {
  return [...(kinds ?? [])].filter((kind) => kind !== 'null' && kind !== 'absent').sort();
}

function parentOf(key: string): string {
  const at = Math.max(key.lastIndexOf('.'), key.endsWith('[]') ? key.length - '[]'.length : -1);
  return at < 0 ? '' : key.slice(0, at);
}
