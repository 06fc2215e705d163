import type { Collection } from '@headwater/sdk';
import { Alert, Group, SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { isActive, isSortable } from '../field-types/index.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { errorMessage } from '../shared/error-messages.ts';
import { Form } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { FieldList } from './field-list.tsx';
import { collectionQuery, invalidateCollections } from './queries.ts';
import { apiIdOf, emptyDraft, type SchemaDraft, toDraft } from './schema-draft.ts';
import { draftToRequest } from './schema-request.ts';
import { ensureTransliteration, useTransliteration } from './use-transliteration.ts';

export function NewCollectionPage() {
  return <SchemaEditor />;
}

export function SchemaPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/schema' });
  const query = useQuery(collectionQuery(collectionId));
  return (
    <Loaded query={query}>{(collection) => <SchemaEditor key={collection.updatedAt} collection={collection} />}</Loaded>
  );
}

/** Edits the fields of a collection, or those of a new one. */
function SchemaEditor({ collection }: { collection?: Collection }) {
  const navigate = useNavigate();
  const form = useForm({
    initial: collection ? toDraft(collection) : emptyDraft(),
    mustChange: true,
    isValid: ({ name }) => name.trim() !== '',
    save: async (draft: SchemaDraft) => {
      await ensureTransliteration(draft);
      const request = draftToRequest(draft);
      if (!collection) return headwater.createCollection(request);
      return headwater.updateCollection({ collectionId: collection.id }, request);
    },
    onSaved: (saved) => {
      invalidateCollections(saved);
      notify(collection ? 'Fields saved.' : `${saved.name} was created.`);
      void navigate({ to: '/content/$collectionId', params: { collectionId: saved.id } });
    },
  });
  const { values: draft, errors } = form;
  useTransliteration(draft);
  return (
    <Form form={form} noValidate>
      <Page
        title={collection ? `Fields of ${collection.name}` : 'New collection'}
        back={
          collection
            ? { to: `/content/${collection.id}`, label: collection.name }
            : { to: '/content', label: 'Content' }
        }
      >
        {form.error && (
          <Alert color="red" variant="light" role="alert" title="Couldn't save">
            {errors.size > 0 ? 'Fix the highlighted fields.' : errorMessage(form.error).detail}
          </Alert>
        )}
        <Stack className="surface" p="lg">
          <TextInput
            {...form.text('name')}
            label="Name"
            placeholder="Landing pages"
            required
            dir="auto"
            data-autofocus={!collection || undefined}
          />
          <Textarea
            {...form.text('description')}
            label="Description"
            description="Tells your team what belongs in this collection"
            dir="auto"
            autosize
            minRows={1}
          />
        </Stack>
        <div>
          <Title order={2} mb="sm">
            Fields
          </Title>
          <FieldList
            fields={draft.fields}
            onChange={(fields) => form.set({ fields })}
            errors={errors}
            pointer="/fields"
          />
        </div>
        <PublishingSettings draft={draft} set={form.set} errorOf={form.errorOf} />
        <ListSettings draft={draft} set={form.set} errorOf={form.errorOf} />
        <SaveBar form={form} submit={collection ? 'Save' : 'Create collection'} />
      </Page>
    </Form>
  );
}

interface ListSettingsProps {
  draft: SchemaDraft;
  set: (part: Partial<SchemaDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

/** Whether entries are drafts first, and who reads what is published. */
function PublishingSettings({ draft, set, errorOf }: ListSettingsProps) {
  return (
    <Card title="Publishing">
      <Stack gap="sm">
        <Switch
          label="Drafts"
          description="Entries and their changes are drafts until they are published"
          checked={draft.publishing}
          error={errorOf('publishing')}
          onChange={(event) => set({ publishing: event.currentTarget.checked })}
        />
        {draft.publishing && (
          <Switch
            label="Public"
            description="Published entries can be read with the publishable key, except private fields"
            checked={draft.isPublic}
            error={errorOf('public')}
            onChange={(event) => set({ isPublic: event.currentTarget.checked })}
          />
        )}
        {draft.publishing && (
          <Select
            label="Approval before publishing"
            description="Only owners change this"
            placeholder="Not required"
            data={[
              { value: 'editor', label: 'By an editor' },
              { value: 'owner', label: 'By an owner' },
            ]}
            value={draft.review ?? null}
            onChange={(review) => set({ review: review as SchemaDraft['review'] })}
            error={errorOf('review')}
            clearable
          />
        )}
        {draft.publishing && draft.isPublic && (
          <TextInput
            label="Preview URL"
            description="Where your site shows a draft. Placeholders: {id}, {slug}, {collectionId}, {token}"
            placeholder="https://shop.example/api/preview?slug={slug}&token={token}"
            value={draft.previewUrl}
            error={errorOf('previewUrl')}
            onChange={(event) => set({ previewUrl: event.currentTarget.value })}
          />
        )}
      </Stack>
    </Card>
  );
}

/** The title and the order of entries in lists. */
function ListSettings({ draft, set, errorOf }: ListSettingsProps) {
  const active = draft.fields.filter((field) => isActive(field) && apiIdOf(field) !== '');
  const choose = (fields: typeof active, chosen: string | null) => ({
    data: fields.map((field) => ({ value: apiIdOf(field), label: field.label || apiIdOf(field) })),
    value: fields.some((field) => apiIdOf(field) === chosen) ? chosen : null,
    clearable: true,
    miw: 200,
  });
  return (
    <Card title="Lists">
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select
          {...choose(active, draft.displayFieldId)}
          label="Title field"
          placeholder="First text field"
          onChange={(displayFieldId) => set({ displayFieldId })}
          error={errorOf('displayFieldId')}
        />
        <Select
          {...choose(
            active.filter((field) => isSortable(field)),
            draft.sortFieldId,
          )}
          label="Sort by"
          placeholder="Date created"
          onChange={(sortFieldId) => set({ sortFieldId })}
          error={errorOf('defaultSort')}
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
              onChange={(direction) => set({ sortDirection: direction === 'desc' ? 'desc' : 'asc' })}
              data={[
                { value: 'asc', label: 'Ascending' },
                { value: 'desc', label: 'Descending' },
              ]}
            />
          </div>
        )}
      </Group>
    </Card>
  );
}
