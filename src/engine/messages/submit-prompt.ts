import { submitCheckbox } from './checkbox';
import { commentMarker } from './marker';
import { code } from './markdown';

/** The first words under a pull request that nobody submitted yet. */
export function submitPromptFor(
  { branch, settings }: { readonly branch: string; readonly settings: { readonly commandsEnabled: boolean } },
  brand: string,
): string {
  const purpose = `put this pull request into the queue of ${code(branch)}`;
  return [
    commentMarker(brand),
    submitCheckbox(brand, purpose, settings.commandsEnabled),
    '<sub>Once it is in the queue, this comment says how it stands.</sub>',
  ].join('\n\n');
}
