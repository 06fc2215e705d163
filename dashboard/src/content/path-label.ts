import type { AnyField } from '../field-types/definition.ts';
import { nestedFieldsOf } from '../field-types/fields.ts';

/** What the fields and blocks on a path are called: `Links › Page` for `links.page`. */
export function pathLabel(fields: readonly AnyField[], path: string): string {
  let among = fields;
  let blocks: NonNullable<AnyField['blocks']> = [];
  const labels = path.split('.').map((id) => {
    const block = blocks.find((each) => each.id === id);
    const field = among.find((each) => each.id === id);
    blocks = block ? [] : (field?.blocks ?? []);
    among = block?.fields ?? (field ? [...nestedFieldsOf(field), ...blocks.flatMap((each) => each.fields)] : []);
    return block?.label ?? field?.label ?? id;
  });
  return labels.join(' › ');
}
