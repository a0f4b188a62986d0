import { variablesBlock } from './configuration';
import { queueEventsBlock, webhookFieldsBlock } from './events';
import { codesBlock, reasonsBlock } from './reasons';
import { rolesBlock } from './roles';
import { settingsBlock } from './settings';
import type { MakeBlock } from './table';

/** Each block `<!-- generated: NAME -->` of the documents, by page. */
export const BLOCKS: Readonly<Record<string, Readonly<Record<string, MakeBlock>>>> = {
  'docs/queue-settings.md': { settings: settingsBlock },
  'docs/reasons.md': {
    'reasons failed': reasonsBlock('FailedReason'),
    'reasons cancelled': reasonsBlock('CancelledReason'),
    'reasons pending': reasonsBlock('PendingReason'),
    'reasons merged': reasonsBlock('MergedReason'),
    'error codes': codesBlock,
  },
  'docs/events.md': { 'webhook fields': webhookFieldsBlock, 'queue events': queueEventsBlock },
  'docs/permissions.md': { roles: rolesBlock },
  'docs/configuration.md': { variables: variablesBlock },
};

/** The page with every block made again. Throws if a block is missing. */
export function withBlocks(page: string, blocks: Readonly<Record<string, MakeBlock>>): string {
  return Object.entries(blocks).reduce((text, [name, make]) => {
    const block = new RegExp(`(<!-- generated: ${name} -->\n\n)([^]*?)(\n\n<!-- end -->)`);
    if (!block.test(text))
      throw new Error(`The page has no block <!-- generated: ${name} --> that ends with <!-- end -->.`);
    return text.replace(block, (_, begin: string, present: string, end: string) => begin + make(present) + end);
  }, page);
}
