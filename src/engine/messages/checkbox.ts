import { commentMarker } from './marker';
import { code } from './markdown';

/** The list item of a comment that can be ticked, by which a pull request is submitted. */
export function submitCheckbox(brand: string, purpose: string, takesCommands: boolean): string {
  const or = takesCommands ? `, or comment ${code(`/${brand} merge`)},` : '';
  return `- [ ] ${markerOf(brand)}Check this box${or} to ${purpose}.`;
}

/** How somebody left the box of the service's comment; null where there is none. */
export function checkboxIn(brand: string, comment: string): 'empty' | 'ticked' | null {
  if (!comment.startsWith(commentMarker(brand))) return null;
  const line = comment.split(/\r\n|\r|\n/).find((one) => one.includes(markerOf(brand)));
  const mark = /^\s*[-*+] \[([ xX])\]/.exec(line ?? '')?.[1];
  if (mark === undefined) return null;
  return mark === ' ' ? 'empty' : 'ticked';
}

function markerOf(brand: string): string {
  return `<!-- ${brand}-submit -->`;
}
