/**
 * Text that the host does not take for commands: lines that begin with a slash, such as `/merge`, would be carried out with the
 * rights of the service. Titles and names of checks come from strangers.
 */
export function withoutQuickActions(text: string): string {
  return text.replaceAll(/^([^\S\r\n]*)\/(?=\S)/gm, '$1\\/');
}
