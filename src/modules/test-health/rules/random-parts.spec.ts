import { patternOf } from './random-parts';
import { leastCpuMs } from '../../../../test/support/least-cpu';

const TEST = { file: 'a.ts', classname: 'A', parent: 'suite', name: 'adds', variant: 'linux' };
const pattern = (name: string) => patternOf({ ...TEST, name })?.name ?? null;

describe('random parts in the name of a test', () => {
  it.each([
    ['keeps 7ec8d748-e0d2-45a4-bc81-5e8f6e2bde79', 'keeps <uuid>'],
    ['is saved in /tmp/cart-A2iVBR/x', 'is saved in <tmp>'],
    ['is saved in /private/var/folders/zz/T/cart', 'is saved in <tmp>'],
    ['is saved in C:\\Users\\me\\AppData\\Local\\Temp\\cart.1', 'is saved in <tmp>'],
    ['listens on 127.0.0.1:55155', 'listens on 127.0.0.1:<port>'],
    ['listens on http://localhost:8080/a', 'listens on http://localhost:<port>/a'],
    ['listens on [::1]:55155', 'listens on [::1]:<port>'],
    ['listens on port 55155', 'listens on port <n>'],
    ['opened at 2026-11-22T12:53:56.944Z', 'opened at <time>'],
    ['opened at 12:53:56', 'opened at <time>'],
    ['test_holds[<test_cart.Widget object at 0x7f81ca44d590>]', 'test_holds[<test_cart.Widget object at <address>>]'],
    ['accepts com.acme.Widget@1b2c3d4e', 'accepts com.acme.Widget@<address>'],
    ['hashes to d41d8cd98f00b204e9800998ecf8427e', 'hashes to <hex>'],
    ['seed 1763815982123', 'seed <n>'],
    ['is due on 2026-11-29', 'is due on <date>'],
    ['is due on 29/11/2026', 'is due on <date>'],
    ['is due on 29.11.2026', 'is due on <date>'],
    ['keeps 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'keeps <ulid>'],
    ['keeps cjld2cjxh0000qzrmn831i7rn', 'keeps <cuid>'],
    ['keeps tz4a98xxat96iws9zmbrgj3a', 'keeps <cuid>'],
    ['keeps V1StGXR8_Z5jdHi6B-myT', 'keeps <nanoid>'],
  ])('are replaced by placeholders: %s becomes %s', (name, expected) => expect(pattern(name)).toBe(expected));

  it.each([
    'adds 12 widgets',
    'behaves as described in case 12345',
    'is no date: 2024-13-29',
    'adds_a_widget_to_carts',
    'addsAWidgetToTheBasket',
    'ADDS_A_WIDGET_TO_CARTS_NOW',
    'version 1.2.3',
    'accepts deadbeef',
    'takes 0x1f',
    'runs at 12:30',
    'mail@example.com',
    '',
  ])('are not found in %s', (name) => expect(pattern(name)).toBeNull());

  it('are also found in the file, the class and the suites, but not in the variant of the uploader', () => {
    const random = '/tmp/cart-1';
    for (const part of ['file', 'classname', 'parent'] as const) {
      expect(patternOf({ ...TEST, [part]: random })).toEqual({ ...TEST, [part]: '<tmp>' });
    }
    expect(patternOf({ ...TEST, variant: random })).toBeNull();
  });

  it.each([
    ['digits', '1'.repeat(30_000)],
    ['hexadecimal digits', 'a1'.repeat(15_000)],
    ['colons', '1:1:'.repeat(8_000)],
    ['drives', 'C:\\a'.repeat(8_000)],
    ['folders', '/tmp'.repeat(8_000)],
    ['letters and digits', 'aB1'.repeat(10_000)],
    ['dates', '2026-11-'.repeat(4_000)],
  ])('attack 17: are searched quickly in a name of thirty thousand %s', (_what, name) => {
    expect(leastCpuMs(() => pattern(name), 1_000)).toBeLessThan(1_000);
  });
});
