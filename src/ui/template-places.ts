/** The position of a value in a template: between tags, inside a tag next to attributes, or inside quotes. */
export type TemplatePlace = 'content' | 'tag' | 'quotes';

const VOID = ['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'];
/** SVG elements, which may close themselves. */
const CLOSED = ['circle', 'line', 'path', 'rect', 'use'];
/** The content of these elements is not markup, so values inside it could not be escaped. */
const RAW: readonly unknown[] = ['script', 'style'];
const TOKEN = /<!doctype html>|<\/([a-z][a-z0-9]*)\s*>|<([a-z][a-z0-9]*)|\/?>|=\s*"|"|[<'`]|=/gi;

/**
 * The position of each value of a template. Throws a TypeError when a tag is not closed or closes a different tag, when
 * an attribute lacks double quotes, or when a value is inside a script or a style.
 */
export function placesIn(strings: readonly string[]): readonly TemplatePlace[] {
  const open: string[] = [];
  const places: TemplatePlace[] = [];
  let place: TemplatePlace = 'content';
  let tag = '';
  const refuse = (why: string): never => {
    throw new TypeError(
      `A template of a page is wrong: ${why} in ${JSON.stringify(strings.join('${…}').slice(0, 200))}`,
    );
  };
  const openTag = (name: string): void => {
    [place, tag] = ['tag', name.toLowerCase()];
  };
  const endTag = (token: string): void => {
    place = 'content';
    if (token === '/>' && !VOID.includes(tag) && !CLOSED.includes(tag)) refuse(`<${tag}> closes itself`);
    if (token === '>' && !VOID.includes(tag)) open.push(tag);
  };
  const step = (token: string, closing: string | undefined, opening: string | undefined): void => {
    if (place === 'quotes') {
      if (token.endsWith('"')) place = 'tag';
    } else if (place === 'tag') {
      if (token === '>' || token === '/>') endTag(token);
      else if (token.startsWith('=') && token.endsWith('"')) place = 'quotes';
      else refuse(`${token} in the tag <${tag}>`);
    } else if (closing !== undefined) {
      const last = open.pop();
      if (last !== closing.toLowerCase()) refuse(`</${closing}> closes <${last ?? ''}>`);
    } else if (opening !== undefined) openTag(opening);
    else if (token === '<') refuse('< is not escaped');
  };
  strings.forEach((text, index) => {
    for (const [token, closing, opening] of text.matchAll(TOKEN)) step(token, closing, opening);
    if (index === strings.length - 1) return;
    if (place === 'content' && RAW.includes(open.at(-1))) refuse(`a value is inside <${open.at(-1)}>`);
    places.push(place);
  });
  if (place !== 'content' || open.length > 0) refuse(`<${open.at(-1) ?? tag}> is not closed`);
  return places;
}
