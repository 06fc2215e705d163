import type { Collection } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import type { AnyField, Operator } from '../field-types/definition.ts';
import { isActive, nestedFieldsOf } from '../field-types/fields.ts';
import { operatorsOf } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { collectionsQuery } from './queries.ts';

/** A value that a filter can be about: a field, one within a group, a block or a referenced entry, or a time of the entry. */
export interface FilterPath {
  path: string;
  label: string;
  field: AnyField;
  /** A role can compare it with whoever reads. */
  mayBeUser?: boolean;
  /** Those that it has of its field's type; absent: all. */
  operators?: readonly Operator[];
}

const systemField = (id: string, label: string, type: AnyField['type'] = 'timestamp'): AnyField => ({
  ...{ id, label, type, required: false, status: 'active', repeated: false, options: null },
});

/** The path of what is published of an entry. */
export const PUBLISHING_STATE = 'publishingState';

const STATES: [value: string, label: string][] = [
  ['draft', t('Draft')],
  ['published', t('Published')],
  ['changed', t('Unpublished changes')],
  ['scheduled', t('Scheduled')],
];

const SYSTEM = [
  systemField('createdAt', t('Created')),
  systemField('updatedAt', t('Updated')),
  systemField('publishedAt', t('Published')),
  {
    ...systemField(PUBLISHING_STATE, t('Status'), 'select'),
    required: true,
    options: STATES.map(([value, label]) => ({ value, label, status: 'active' as const })),
  },
];

const OF_PUBLISHING = new Set(['publishedAt', PUBLISHING_STATE]);

/** The operators that are offered for a path. */
export const operatorsAt = ({ field, operators }: FilterPath) =>
  operatorsOf(field).filter(({ value }) => operators === undefined || operators.includes(value));

/** All paths of a collection, through one reference at most. */
export function useFilterPaths(collection: Collection): FilterPath[] {
  const { data: collections = [] } = useQuery(collectionsQuery());
  const within = (fields: readonly AnyField[], path: string, label: string, references: number): FilterPath[] =>
    fields.filter(isActive).flatMap((field): FilterPath[] => {
      const own = { path: path + field.id, label: label + field.label, field };
      const below = (nested: readonly AnyField[], name = '', title = '', depth = references) =>
        within(nested, `${own.path}.${name}`, `${own.label} › ${title}`, depth);
      const blocks = (field.blocks ?? [])
        .filter(isActive)
        .flatMap((block) => below(block.fields, `${block.id}.`, `${block.label} › `));
      const [only, ...others] = field.collectionIds ?? [];
      const referenced =
        others.length === 0 && references > 0 ? collections.find(({ id }) => id === only)?.fields : undefined;
      return [own, ...below(nestedFieldsOf(field)), ...blocks, ...below(referenced ?? [], '', '', references - 1)];
    });
  const ids = new Set(collection.fields.filter(isActive).map(({ id }) => id));
  const system = SYSTEM.filter(({ id }) => !ids.has(id) && (!OF_PUBLISHING.has(id) || collection.publishing));
  return [
    ...within(collection.fields, '', '', 1),
    ...system.map((field) => ({
      ...{ path: field.id, label: field.label, field },
      ...(field.id === PUBLISHING_STATE && { operators: ['eq', 'ne'] as const }),
    })),
  ].filter(({ field }) => operatorsOf(field).length > 0);
}
