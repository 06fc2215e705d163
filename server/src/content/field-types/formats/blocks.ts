import { defineFieldType } from '../field-type.ts';
import { group } from '../group.ts';

/** Rows of different kinds, such as the parts of a page. */
export const blocks = defineFieldType<Record<string, unknown>>({
  ...group,
  formatOf: 'group',
  settings: {},
  description:
    'of a repeated `group`: rows of different kinds, each an object with the ID of its block (`_block`), its own ID (`_id`), and the ' +
    'values of the fields of the block by their IDs',
  sdkType: { read: '$blocks', write: '$blocks' },
});
