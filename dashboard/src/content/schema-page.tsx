import type { Collection } from '@headwater/sdk';
import {
  Alert,
  Anchor,
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { headwater } from '../service/session.ts';
import { faultsOf, messageOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { FieldList } from './field-list.tsx';
import { isActive } from './field-types.ts';
import { collectionQuery, forgetCollections } from './queries.ts';
import { type Draft, draftOf, newField, newRequestOf, requestOf } from './schema-draft.ts';

const EMPTY: Draft = {
  name: '',
  description: '',
  fields: [],
  displayFieldId: null,
  sortFieldId: null,
  sortDirection: 'asc',
};

export function NewCollectionPage() {
  const navigate = useNavigate();
  return (
    <SchemaEditor
      title="New collection"
      start={{ ...EMPTY, fields: [newField()] }}
      save={(draft) => headwater.createCollection(newRequestOf(draft))}
      onSaved={({ id }) => navigate({ to: '/content/$collectionId', params: { collectionId: id } })}
    />
  );
}

export function SchemaPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/schema' });
  const query = useQuery(collectionQuery(collectionId));
  return (
    <Loaded query={query}>
      {(collection) => <ExistingSchema key={collection.updatedAt} collection={collection} />}
    </Loaded>
  );
}

function ExistingSchema({ collection }: { collection: Collection }) {
  const navigate = useNavigate();
  const { id: collectionId, name } = collection;
  return (
    <SchemaEditor
      title={`Fields of ${name}`}
      collection={collection}
      start={draftOf(collection)}
      save={(draft) => headwater.updateCollection({ collectionId }, requestOf(draft))}
      onSaved={() => navigate({ to: '/content/$collectionId', params: { collectionId } })}
    />
  );
}

interface SchemaEditorProps {
  title: string;
  collection?: Collection;
  start: Draft;
  save: (draft: Draft) => Promise<Collection>;
  onSaved: (collection: Collection) => void;
}

function SchemaEditor({ title, collection, start, save, onSaved }: SchemaEditorProps) {
  const [draft, setDraft] = useState(start);
  const [first] = useState(start);
  const isChanged = useMemo(
    () => JSON.stringify(requestOf(draft)) !== JSON.stringify(requestOf(first)),
    [draft, first],
  );
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const mutation = useMutation({ mutationFn: save, meta: { shown: true } });
  const isSaved = useRef(false);
  useBlocker({
    shouldBlockFn: () => isChanged && !isSaved.current && !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: () => isChanged && !isSaved.current,
  });
  const faults = faultsOf(mutation.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate(draft, {
      onSuccess: (saved) => {
        isSaved.current = true;
        forgetCollections(saved);
        tell(collection ? 'The fields were saved.' : `${saved.name} was created.`);
        onSaved(saved);
      },
    });
  };
  const active = draft.fields.filter((field) => isActive(field) && field.id !== '');
  const named = (fields: typeof active) => fields.map(({ id, label }) => ({ value: id, label: label || id }));
  const sortable = active.filter(({ type, repeated }) => !repeated && type !== 'group' && type !== 'asset');
  return (
    <form onSubmit={submit} noValidate>
      <Page
        title={title}
        back={
          <Anchor component={Link} to={collection ? `/content/${collection.id}` : '/content'} size="sm" c="dimmed">
            {collection ? collection.name : 'Content'}
          </Anchor>
        }
        actions={
          <Button type="submit" loading={mutation.isPending} disabled={!isChanged || draft.name.trim() === ''}>
            {collection ? 'Save' : 'Create collection'}
          </Button>
        }
      >
        {mutation.isError && (
          <Alert color="red" variant="light" role="alert" title={messageOf(mutation.error).title}>
            {faults.size > 0 ? 'Look at what is marked below.' : messageOf(mutation.error).detail}
          </Alert>
        )}
        <Stack className="surface" p="lg">
          <TextInput
            label="Name"
            placeholder="Landing pages"
            required
            value={draft.name}
            error={faults.get('/name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
            data-autofocus={!collection || undefined}
          />
          <Textarea
            label="Description"
            description="For your colleagues: what belongs here"
            autosize
            minRows={1}
            value={draft.description}
            error={faults.get('/description')}
            onChange={(event) => set({ description: event.currentTarget.value })}
          />
        </Stack>
        <div>
          <Title order={2} mb="sm">
            Fields
          </Title>
          <FieldList fields={draft.fields} onChange={(fields) => set({ fields })} faults={faults} pointer="/fields" />
        </div>
        <Stack className="surface" p="lg">
          <Title order={2}>In lists</Title>
          <Group grow align="flex-start" preventGrowOverflow={false}>
            <Select
              label="An entry is called by"
              placeholder="Its first text"
              data={named(active)}
              value={active.some(({ id }) => id === draft.displayFieldId) ? draft.displayFieldId : null}
              onChange={(displayFieldId) => set({ displayFieldId })}
              error={faults.get('/displayFieldId')}
              clearable
              miw={200}
            />
            <Select
              label="Sorted by"
              placeholder="When it was created"
              data={named(sortable)}
              value={sortable.some(({ id }) => id === draft.sortFieldId) ? draft.sortFieldId : null}
              onChange={(sortFieldId) => set({ sortFieldId })}
              error={faults.get('/defaultSort/fieldId')}
              clearable
              miw={200}
            />
            {draft.sortFieldId !== null && (
              <div>
                <Text size="sm" fw={500} mb={2}>
                  Order
                </Text>
                <SegmentedControl
                  fullWidth
                  aria-label="Order"
                  value={draft.sortDirection}
                  onChange={(direction) => set({ sortDirection: direction as 'asc' | 'desc' })}
                  data={[
                    { value: 'asc', label: 'Smallest first' },
                    { value: 'desc', label: 'Largest first' },
                  ]}
                />
              </div>
            )}
          </Group>
        </Stack>
      </Page>
    </form>
  );
}
