import type { Collection, Entry } from '@headwater/sdk';
import { Alert, Group, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { entryTitle } from '../content/entry-title.ts';
import { FieldInput } from '../content/field-input.tsx';
import { collectionQuery, collectionsQuery, entryQuery } from '../content/queries.ts';
import { type AnyField, formatValue, isActive } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { IconButton } from '../shared/icon-button.tsx';
import type { EntryValues, FormValues } from './form-values.ts';

type Content = FormValues['content'];

interface ContentValuesProps {
  content: Content;
  variants: FormValues['variants'];
  errors: ReadonlyMap<string, string>;
  onContent: (content: Content) => void;
  onValues: (variant: number, values: EntryValues) => void;
}

/** The entries that variants change, with the values of all variants side by side. */
export function ContentValues({ content, onContent, ...props }: ContentValuesProps) {
  const remove = (entryId: string) => onContent(content.filter((each) => each.entryId !== entryId));
  return (
    <Stack>
      {content.map((each, i) => (
        <EntryValuesEditor
          key={each.entryId}
          {...each}
          {...props}
          error={
            props.errors.get(`/content/${i}/entryId`) ??
            props.errors.get(`/content/${i}/collectionId`) ??
            props.errors.get(`/content/${i}`)
          }
          onRemove={() => remove(each.entryId)}
        />
      ))}
      <EntryPicker chosen={content} onPick={(next) => onContent([...content, next])} />
    </Stack>
  );
}

function EntryPicker({ chosen, onPick }: { chosen: Content; onPick: (entry: Content[number]) => void }) {
  const { data: collections = [] } = useQuery(collectionsQuery());
  const [collectionId, setCollectionId] = useState<string | null>(null);
  const collection = collections.find(({ id }) => id === collectionId);
  const { data: entries = [] } = useQuery({
    queryKey: ['experiments', 'entries', collectionId],
    queryFn: ({ signal }) =>
      headwater
        .listEntries({ collectionId: collectionId ?? '', pageSize: 100 }, { signal })
        .then((page) => page.entries),
    enabled: collectionId !== null,
  });
  const isChosen = (id: string) => chosen.some(({ entryId }) => entryId === id);
  return (
    <Group grow>
      <Select
        label={t('Change content of')}
        placeholder={t('Choose a public collection')}
        data={collections.filter((each) => each.public).map(({ id, name }) => ({ value: id, label: name }))}
        value={collectionId}
        onChange={setCollectionId}
        clearable
      />
      {collection && (
        <Select
          label={t('Entry')}
          searchable
          value={null}
          data={entries
            .filter(({ id }) => !isChosen(id))
            .map((entry) => ({ value: entry.id, label: entryTitle(collection, entry) }))}
          onChange={(entryId) => entryId && onPick({ collectionId: collection.id, entryId })}
        />
      )}
    </Group>
  );
}

interface EditorProps extends Omit<ContentValuesProps, 'content' | 'onContent'> {
  collectionId: string;
  entryId: string;
  error: string | undefined;
  onRemove: () => void;
}

function EntryValuesEditor(props: EditorProps) {
  const { data: collection } = useQuery(collectionQuery(props.collectionId));
  const { data: entry } = useQuery(entryQuery(props.collectionId, props.entryId));
  return collection && entry ? <Values {...props} collection={collection} entry={entry} /> : null;
}

/** Variants change what everybody sees, and nothing that an entry is found by. */
const isVariable = (field: AnyField & { private?: boolean; unique?: boolean }) =>
  isActive(field) && !field.private && !field.unique && field.computed === undefined && field.format !== 'slug';

function Values({
  collection,
  entry,
  entryId,
  variants,
  errors,
  error,
  onValues,
  onRemove,
}: EditorProps & { collection: Collection; entry: Entry }) {
  const fields = collection.fields.filter(isVariable);
  const changed = new Set(variants.flatMap(({ values }) => Object.keys(values[entryId] ?? {})));
  const [added, setAdded] = useState<string[]>([]);
  const shown = fields.filter(({ id }) => changed.has(id) || added.includes(id));
  const set = (i: number, id: string, value: unknown) => {
    const { [id]: _, ...rest } = variants[i]?.values[entryId] ?? {};
    onValues(i, { ...variants[i]?.values, [entryId]: value === undefined ? rest : { ...rest, [id]: value } });
  };
  return (
    <Stack className="surface" p="md">
      <Group justify="space-between">
        <Title order={3}>{entryTitle(collection, entry)}</Title>
        <IconButton icon="trash" variant="default" onClick={onRemove}>
          {t('Remove {name}', { name: entryTitle(collection, entry) })}
        </IconButton>
      </Group>
      {error && (
        <Alert color="red" variant="light" role="alert">
          {error}
        </Alert>
      )}
      {shown.map((field) => (
        <SimpleGrid key={field.id} cols={{ base: 1, sm: variants.length }}>
          {variants.map(({ key, values }, i) =>
            i === 0 ? (
              <div key={key}>
                <Text size="sm" fw={500}>
                  {t('{field} now', { field: field.label })}
                </Text>
                <Text size="sm">{formatValue(field, entry.values[field.id]) || '–'}</Text>
              </div>
            ) : (
              <FieldInput
                // biome-ignore lint/suspicious/noArrayIndexKey: variants have no identity of their own
                key={i}
                field={{ ...field, required: false }}
                label={t('{field} in {variant}', { field: field.label, variant: key })}
                value={values[entryId]?.[field.id]}
                onChange={(value: unknown) => set(i, field.id, value)}
                errors={errors as Map<string, string>}
                pointer={`/variants/${i}/values/${entryId}/${field.id}`}
              />
            ),
          )}
        </SimpleGrid>
      ))}
      <Select
        label={t('Change a field')}
        value={null}
        data={fields.filter((field) => !shown.includes(field)).map(({ id, label }) => ({ value: id, label }))}
        onChange={(id) => id && setAdded([...added, id])}
      />
    </Stack>
  );
}
