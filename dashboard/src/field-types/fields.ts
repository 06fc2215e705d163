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

/** Whether the service makes the default value of a field when an entry is created: the time, the user, or the defaults of a group. */
export const isMadeDefault = ({ type, format }: Pick<AnyField, 'type' | 'format'>, value: unknown): boolean =>
  type === 'group' ||
  (format !== 'json' && typeof value === 'object' && value !== null && ('now' in value || 'currentUser' in value));

/** The values that a new entry or row starts with; the service adds those that it makes. */
export const defaultsOf = (fields: readonly AnyField[]): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(
        (field) => isActive(field) && field.defaultValue !== undefined && !isMadeDefault(field, field.defaultValue),
      )
      .map(({ id, defaultValue }) => [id, defaultValue]),
  );
