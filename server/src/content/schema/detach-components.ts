import type { Tx } from '../../shared/postgres/database.ts';
import { refill } from '../collections/components/fill-fields.ts';
import {
  byPublicId,
  lockCollectionsWith,
  lockComponents,
  updateComponentRow,
} from '../collections/components/queries.ts';
import { type Field, isActive, type NestedField } from '../collections/field.ts';
import { replaceFields } from '../collections/queries.ts';

/**
 * Gives deleted fields, and those of deleted collections, the fields of components as their own, so that the components can be
 * deleted. @param removed their public IDs
 */
export async function detachComponents(tx: Tx, account_id: string, removed: ReadonlySet<string>): Promise<void> {
  const rows = await lockComponents(tx, { account_id });
  const components = byPublicId(rows);
  for (const { id, key, name, fields, ...row } of rows) {
    if (removed.has(id)) continue;
    const detached = detach(
      refill(fields as Field[], components, () => {}),
      removed,
      false,
    );
    if (detached === undefined) continue;
    await updateComponentRow(tx, {
      account_id,
      id,
      key,
      name,
      fields: JSON.stringify(detached),
      now: new Date(),
      ...row,
    });
  }
  for (const { id, fields, status } of await lockCollectionsWith(tx, { account_id, components: [...removed] })) {
    const detached = detach(fields, removed, status === 'deleted');
    if (detached) await replaceFields(tx, { account_id, id, fields: JSON.stringify(detached) });
  }
}

/** undefined: no deleted field has one of the components. */
function detach(
  fields: readonly NestedField[],
  removed: ReadonlySet<string>,
  isDeleted: boolean,
): NestedField[] | undefined {
  let isChanged = false;
  const visit = (of: readonly NestedField[], isWithin: boolean): NestedField[] =>
    of.map((field) => {
      const isGone = isWithin || !isActive(field);
      const { componentId, ...rest } = field;
      const isDetached = isGone && componentId !== undefined && removed.has(componentId);
      if (isDetached) isChanged = true;
      return {
        ...(isDetached ? rest : field),
        ...(field.fields && { fields: visit(field.fields, isGone) }),
        ...(field.blocks && {
          blocks: field.blocks.map((block) => {
            const isBlockGone = isGone || !isActive(block);
            const { componentId: ofBlock, ...own } = block;
            const isFreed = isBlockGone && ofBlock !== undefined && removed.has(ofBlock);
            if (isFreed) isChanged = true;
            return { ...(isFreed ? own : block), fields: visit(block.fields, isBlockGone) };
          }),
        }),
      };
    });
  const detached = visit(fields, isDeleted);
  return isChanged ? detached : undefined;
}
