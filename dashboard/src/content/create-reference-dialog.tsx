import type { Collection, Entry } from '@headwater/sdk';
import { Alert, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldInputProps } from '../field-types/definition.ts';
import { isActive } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useForm } from '../shared/use-form.ts';
import { SlugSources } from './made-slug.ts';
import { collectionsQuery, invalidateEntries } from './queries.ts';

interface CreateReferenceDialogProps {
  collectionIds: readonly string[];
  /** What was searched for, as its title. */
  title: string;
  FieldInput: FieldInputProps['FieldInput'];
  onCreated: (entryId: string) => void;
  onClose: () => void;
}

/** Creates an entry where it is referenced. */
export default function CreateReferenceDialog({ collectionIds, ...props }: CreateReferenceDialogProps) {
  const { data: all = [] } = useQuery(collectionsQuery());
  const collections = all.filter(({ id }) => collectionIds.includes(id));
  const [chosen, setChosen] = useState(collectionIds[0]);
  const collection = collections.find(({ id }) => id === chosen) ?? collections[0];
  if (!collection) return null;
  return (
    <CreateForm
      key={collection.id}
      {...props}
      collection={collection}
      chooser={
        collections.length > 1 && (
          <Select
            label={t('Collection')}
            data={collections.map(({ id, name }) => ({ value: id, label: name }))}
            value={collection.id}
            onChange={(id) => setChosen(id ?? chosen)}
            allowDeselect={false}
          />
        )
      }
    />
  );
}

interface CreateFormProps extends Omit<CreateReferenceDialogProps, 'collectionIds'> {
  collection: Collection;
  chooser: React.ReactNode;
}

function CreateForm({ collection, title, chooser, FieldInput, onCreated, onClose }: CreateFormProps) {
  const fields = collection.fields.filter((field) => isActive(field) && field.computed === undefined);
  const titleField =
    fields.find(({ id }) => id === collection.displayFieldId) ??
    fields.find(({ type, format }) => type === 'text' && format === undefined);
  const needed = fields.filter((field) => field.required || field === titleField);
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || needed.length === 0 ? fields : needed;
  const form = useForm<Record<string, unknown>, Entry>({
    initial: titleField && title.trim() !== '' ? { [titleField.id]: title.trim() } : {},
    save: async (values) => {
      const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      return headwater.createEntry({ collectionId: collection.id }, { values: set });
    },
    onSaved: (entry) => {
      invalidateEntries(collection.id, entry);
      onCreated(entry.id);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('New entry in {name}', { name: collection.name })}
      submit={t('Create')}
      size="lg"
      onClose={onClose}
    >
      <Stack>
        {chooser}
        {form.error && (
          <Alert color="red" variant="light" role="alert" title={t("Couldn't save")}>
            {form.errors.size > 0 ? t('Fix the highlighted fields.') : errorMessage(form.error).detail}
          </Alert>
        )}
        <SlugSources value={{ fields, values: form.values }}>
          {shown.map((field) => (
            <FieldInput
              key={field.id}
              field={field}
              value={form.values[field.id] ?? undefined}
              onChange={(value) => form.set({ [field.id]: value })}
              errors={form.errors}
              pointer={`/values/${field.id}`}
            />
          ))}
        </SlugSources>
        {shown.length < fields.length && (
          <Text
            component="button"
            type="button"
            size="sm"
            c="var(--mantine-primary-color-light-color)"
            onClick={() => setIsWhole(true)}
            style={{ alignSelf: 'flex-start', background: 'none', border: 0, padding: 0, cursor: 'pointer' }}
          >
            {t('Show all {count} fields', { count: fields.length })}
          </Text>
        )}
        {collection.publishing && (
          <Text size="sm" c="dimmed">
            {t('It is a draft until it is published.')}
          </Text>
        )}
      </Stack>
    </FormDialog>
  );
}
