import type { Collection } from '@headwater/sdk';
import { Button, Group, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConditionEditor } from '../content/condition-editor.tsx';
import { type FilterPath, useFilterPaths } from '../content/filter-paths.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { localeName, localesQuery } from '../locales/locales.ts';
import type { Permission } from '../users/rights.ts';

type Choice = 'all' | 'fields' | 'exceptFields';
const choiceOf = ({ fields, exceptFields }: Permission): Choice =>
  fields ? 'fields' : exceptFields ? 'exceptFields' : 'all';

/** The limits of a permission in a few words. */
export function useSummary(permission: Permission, collection: Collection | undefined): string {
  const { fields, exceptFields, locales, where } = permission;
  const labels = (ids: readonly string[]) =>
    ids.map((id) => collection?.fields.find((field) => field.id === id)?.label ?? id).join(', ');
  return [
    ...(fields ? [t('Only {fields}', { fields: labels(fields) })] : []),
    ...(exceptFields?.length ? [t('All but {fields}', { fields: labels(exceptFields) })] : []),
    ...(locales ? [locales.map(localeName).join(', ')] : []),
    ...(where ? [t('Some entries')] : []),
  ].join(' · ');
}

interface PermissionLimitsProps {
  permission: Permission;
  /** undefined: all of them. */
  collection: Collection | undefined;
  onChange: (permission: Permission) => void;
  /** Adds a permission for other actions of the collection. */
  onAdd: () => void;
  onRemove: (() => void) | undefined;
}

/** To which fields, languages and entries a permission is limited. */
export function PermissionLimits({ permission, collection, onChange, onAdd, onRemove }: PermissionLimitsProps) {
  const { data: locales } = useQuery(localesQuery());
  const { fields, exceptFields, where: _, ...rest } = permission;
  const choice = choiceOf(permission);
  const set = (next: Choice, ids: string[]) => {
    const { fields: _fields, exceptFields: _except, ...others } = permission;
    onChange({ ...others, ...(next !== 'all' && { [next]: ids }) });
  };
  const { locales: chosen, ...unlimited } = permission;
  const known = locales?.locales.map(({ locale }) => locale) ?? [];
  return (
    <Stack gap="md" maw={720}>
      {collection && (
        <Stack gap="xs">
          <Text size="sm" fw={550} component="div">
            {t('Fields')}
          </Text>
          <SegmentedControl
            aria-label={t('Fields')}
            value={choice}
            onChange={(next) => set(next as Choice, fields ?? exceptFields ?? [])}
            data={[
              { value: 'all', label: t('All') },
              { value: 'fields', label: t('Only these') },
              { value: 'exceptFields', label: t('All but these') },
            ]}
          />
          {choice !== 'all' && (
            <MultiSelect
              aria-label={choice === 'fields' ? t('Only these fields') : t('All fields but these')}
              data={collection.fields.filter(isActive).map(({ id, label }) => ({ value: id, label }))}
              value={fields ?? exceptFields ?? []}
              onChange={(ids) => set(choice, ids)}
              searchable
            />
          )}
        </Stack>
      )}
      {(known.length > 1 || chosen) && (
        <MultiSelect
          label={t('Locales')}
          description={t('Of localized fields. Empty: all')}
          data={[...new Set([...known, ...(chosen ?? [])])].map((each) => ({ value: each, label: localeName(each) }))}
          value={chosen ?? []}
          searchable
          onChange={(next) => onChange({ ...unlimited, ...(next.length > 0 && { locales: next }) })}
        />
      )}
      {collection && (
        <Condition
          key={collection.id}
          collection={collection}
          where={permission.where}
          onChange={(where) =>
            onChange({
              ...rest,
              ...(fields && { fields }),
              ...(exceptFields && { exceptFields }),
              ...(where && { where }),
            })
          }
        />
      )}
      <Group gap="xs">
        {collection && (
          <Button variant="default" size="compact-sm" onClick={onAdd}>
            {t('Other limits for other actions')}
          </Button>
        )}
        {onRemove && (
          <Button variant="subtle" color="gray" size="compact-sm" onClick={onRemove}>
            {t('Remove these limits')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface ConditionProps {
  collection: Collection;
  where: Permission['where'];
  onChange: (where: Permission['where']) => void;
}

/** Which entries exist for the role, by the filters of the table of entries. */
function Condition({ collection, where, onChange }: ConditionProps) {
  const paths = useFilterPaths(collection).map(
    (each): FilterPath => ({ ...each, mayBeUser: each.field.type === 'text' && !each.field.repeated }),
  );
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550} component="div">
        {t('Entries')}
      </Text>
      <ConditionEditor
        title={t('Entries that exist for the role')}
        paths={paths}
        where={where}
        onChange={onChange}
        none={t('All entries of the collection')}
      />
    </Stack>
  );
}
