import { MultiSelect, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SettingsProps } from '../field-types/definition.ts';
import { collectionsQuery } from './queries.ts';

/** Which entries a field can reference, and whether these can be deleted. */
export default function ReferenceSettings({ field, onChange, errors, pointer }: SettingsProps) {
  const { data: collections = [] } = useQuery(collectionsQuery());
  const error = [...errors].find(([at]) => at.startsWith(`${pointer}/collectionIds`))?.[1];
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Collections"
        description="Entries of these collections can be referenced"
        withAsterisk
        searchable
        data={collections.map(({ id, name }) => ({ value: id, label: name }))}
        value={field.collectionIds}
        error={error}
        onChange={(collectionIds) => onChange({ ...field, collectionIds })}
      />
      <Switch
        label="Protect referenced entries"
        description="They can't be deleted while an entry references them"
        checked={field.onDelete === 'refuse'}
        error={errors.get(`${pointer}/onDelete`)}
        onChange={(event) => onChange({ ...field, onDelete: event.currentTarget.checked ? 'refuse' : 'keep' })}
      />
    </Stack>
  );
}
