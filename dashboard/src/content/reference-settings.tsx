import { MultiSelect, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { SettingsProps } from '../field-types/definition.ts';
import { t } from '../languages/translate.ts';
import { IsNewCollection, SELF } from './own-collection.ts';
import { collectionsQuery } from './queries.ts';

/** Which entries a field can reference, or a rich text can link to, and whether these can be deleted. */
export default function ReferenceSettings({ field, onChange, errors, pointer }: SettingsProps) {
  const { data: collections = [], isSuccess } = useQuery(collectionsQuery());
  const isNew = useContext(IsNewCollection);
  const error = [...errors].find(([at]) => at.startsWith(`${pointer}/collectionIds`))?.[1];
  const isText = field.format === 'richtext';
  return (
    <Stack gap="sm">
      <MultiSelect
        label={isText ? t('Links to entries') : t('Collections')}
        description={
          isText
            ? t('Links can lead to entries of these collections, and follow their URLs')
            : t('Entries of these collections can be referenced')
        }
        withAsterisk={!isText}
        searchable
        nothingFoundMessage={
          isSuccess && collections.length === 0
            ? t('There is no other collection yet. Create that one first, and then add this field.')
            : t('No results')
        }
        data={[
          ...(isNew ? [{ value: SELF, label: t('This collection') }] : []),
          ...collections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={field.collectionIds}
        error={error}
        onChange={(collectionIds) => onChange({ ...field, collectionIds })}
      />
      {(!isText || field.collectionIds.length > 0) && (
        <Switch
          label={t('Protect referenced entries')}
          description={t("They can't be deleted while an entry references them")}
          checked={field.onDelete === 'refuse'}
          error={errors.get(`${pointer}/onDelete`)}
          onChange={(event) => onChange({ ...field, onDelete: event.currentTarget.checked ? 'refuse' : 'keep' })}
        />
      )}
    </Stack>
  );
}
