import { terminalLines } from './terminal-text';

const ESC = '\x1b';
const shown = (text: string) =>
  terminalLines(text).map((line) => line.map((piece) => (piece.look ? `<${piece.look}>` : '') + piece.text).join(''));

describe('A log of a terminal', () => {
  it.each<[string, string, string[]]>([
    ['plain lines', 'a\nb\n', ['a', 'b']],
    ['an empty text', '', []],
    ['an empty line', 'a\n\nb', ['a', '', 'b']],
    ['lines of Windows', 'a\r\nb\r\n', ['a', 'b']],
    ['a progress bar', '10 %\r50 %\r100 %\n', ['100 %']],
    ['colours', `${ESC}[31mred${ESC}[0m plain ${ESC}[92mgreen${ESC}[39m.`, ['<red>red plain <green>green.']],
    ['a colour with a look', `${ESC}[1;33mwarn${ESC}[22m on${ESC}[m off`, ['<yellow bold>warn<yellow> on off']],
    ['a look that goes on in the next line', `${ESC}[4ma\nb${ESC}[24mc`, ['<under>a', '<under>bc']],
    ['many colours', `${ESC}[38;5;196ma${ESC}[38;2;1;31;3mb${ESC}[48:5:31mc`, ['abc']],
    ['a background', `${ESC}[41ma`, ['a']],
  ])('has %s', (_what, text, lines) => expect(shown(text)).toEqual(lines));

  it.each<[string, string]>([
    ['moving the cursor', `a${ESC}[2Jb${ESC}[1;1Hc${ESC}[K`],
    ['a title of the window', `a${ESC}]0;evil\x07bc`],
    ['a link', `a${ESC}]8;;https://evil.example${ESC}\\b${ESC}]8;;${ESC}\\c`],
    ['a title that never ends', `abc${ESC}]0;evil`],
    ['a device control string', `a${ESC}P1;2|xx${ESC}\\bc`],
    ['bells and backspaces', 'a\x07b\x08c\x00\x7f'],
    ['half a sequence', `abc${ESC}[`],
    ['an escape alone', `abc${ESC}`],
    ['a reset of the terminal', `a${ESC}cb${ESC}7c`],
  ])('attack: omits %s', (_what, text) => expect(shown(text)).toEqual(['abc']));

  it('attack: is read in linear time', () => {
    const text = `${ESC}[`.repeat(200_000) + `${ESC}]`.repeat(200_000);
    expect(terminalLines(text)).toHaveLength(1);
  });
});
