import type { NestedField } from '@headwater/sdk';
import type { AnyField } from './definition.ts';

export const isActive = ({ status }: { status: string }): boolean => status === 'active';

export const isRepeated = (field: AnyField): boolean => field.repeated ?? false;

/** The IDs of the collections that fields reference. */
export const referencedBy = (fields: readonly AnyField[]): Set<string> =>
  new Set(
    fields
      .filter(isActive)
      .flatMap((field) => [
        ...(field.collectionIds ?? []),
        ...referencedBy(nestedFieldsOf(field)),
        ...(field.blocks ?? []).flatMap((block) => [...referencedBy(block.fields)]),
      ]),
  );

export const nestedFieldsOf = (field: AnyField): NestedField[] => field.fields ?? [];
