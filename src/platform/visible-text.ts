/** Line breaks and tabs are the only control characters that texts need. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The text without characters that move the cursor of a terminal, change the terminal, or reverse the text direction.
 */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, '\u{fffd}');
}
