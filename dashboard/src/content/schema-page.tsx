import type { Collection } from '@headwater/sdk';
import { Alert, Group, SegmentedControl, Select, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { DraftField } from '../field-types/draft.ts';
import { isActive, isSortable } from '../field-types/index.ts';
import { t } from '../languages/translate.ts';
import { localesQuery } from '../locales/locales.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { Form } from '../shared/form.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { toKey } from './api-id.ts';
import classes from './columns.module.css';
import { SchemaError, useDataLoss } from './data-loss.tsx';
import { FieldList } from './field-list.tsx';
import { IsNewCollection } from './own-collection.ts';
import { collectionQuery, collectionsQuery, invalidateCollections } from './queries.ts';
import { apiIdOf, articlesDraft, emptyDraft, type SchemaDraft, toDraft } from './schema-draft.ts';
import { draftToRequest } from './schema-request.ts';
import { UniqueTogether } from './unique-together.tsx';
import { ensureTransliteration, useTransliteration } from './use-transliteration.ts';

/** Empty, or with the fields of a template, which are localized where the account has locales. */
export function NewCollectionPage() {
  const { template }: { template?: unknown } = useSearch({ strict: false });
  const isTemplate = template === 'articles';
  const locales = useQuery({ ...localesQuery(), enabled: isTemplate });
  if (!isTemplate) return <SchemaEditor />;
  return (
    <Loaded query={locales}>{(found) => <SchemaEditor template={articlesDraft(found.default !== null)} />}</Loaded>
  );
}

export function SchemaPage() {
  const { collectionId } = useParams({ from: '/shell/content/$collectionId/schema' });
  const query = useQuery(collectionQuery(collectionId));
  return (
    <Loaded query={query}>{(collection) => <SchemaEditor key={collection.updatedAt} collection={collection} />}</Loaded>
  );
}

/** Edits the fields of a collection, or those of a new one. */
function SchemaEditor({ collection, template }: { collection?: Collection; template?: SchemaDraft }) {
  const navigate = useNavigate();
  const { data: others = [] } = useQuery(collectionsQuery());
  const suggest = (name: string) =>
    collection
      ? ''
      : toKey(
          name,
          others.map(({ key }) => key),
        );
  const dataLoss = useDataLoss<SchemaDraft>();
  const form = useForm({
    initial: collection ? toDraft(collection) : (template ?? emptyDraft()),
    mustChange: template === undefined,
    draft: `fields ${collection?.updatedAt ?? (template ? 'articles' : '')}`,
    isValid: ({ name }) => name.trim() !== '',
    save: async (draft: SchemaDraft) => {
      await ensureTransliteration(draft);
      const named = { ...draft, collectionKey: draft.collectionKey || suggest(draft.name) };
      const request = draftToRequest(named, collection && toDraft(collection));
      if (!collection) return headwater.createCollection(request);
      return dataLoss.save(draft, (allowed) =>
        headwater.updateCollection({ collectionId: collection.id }, { ...request, ...allowed }),
      );
    },
    onSaved: (saved) => {
      invalidateCollections(saved);
      notify(collection ? t('Fields saved.') : t('{name} was created.', { name: saved.name }));
      void navigate({ to: '/content/$collectionId', params: { collectionId: saved.id } });
    },
  });
  const { values: draft, errors } = form;
  useTransliteration(draft);
  return (
    <Form form={form} noValidate>
      <Page
        size="editor"
        title={collection ? t('Fields of {name}', { name: collection.name }) : t('New collection')}
        back={
          collection
            ? { to: `/content/${collection.id}`, label: collection.name }
            : { to: '/content', label: t('Content') }
        }
      >
        {form.error && (
          <SchemaError error={form.error} hasFields={errors.size > 0} isRefused={dataLoss.refused === draft} />
        )}
        <div className={classes.columns} data-side>
          <div className={classes.values}>
            <Stack className="surface" p="lg">
              <TextInput
                {...form.text('name')}
                label={t('Name')}
                placeholder={t('Landing pages')}
                required
                dir="auto"
                data-autofocus={!collection || undefined}
              />
              <Textarea
                {...form.text('description')}
                label={t('Description')}
                description={t('Tells your team what belongs in this collection')}
                dir="auto"
                autosize
                minRows={1}
              />
              <TextInput
                label={t('Key')}
                description={t(
                  'Stands for the ID in the API, such as posts. It can change, and the old one then leads nowhere.',
                )}
                value={draft.collectionKey || suggest(draft.name)}
                error={errors.get('/key')}
                onChange={(event) => form.set({ collectionKey: event.currentTarget.value })}
              />
              <Group gap="lg">
                <Switch
                  label={t('One entry')}
                  description={t('Such as the header of a site')}
                  checked={draft.isSingleton}
                  error={errors.get('/singleton')}
                  onChange={(event) => form.set({ isSingleton: event.currentTarget.checked })}
                />
                <Switch
                  label={t('Manual order')}
                  description={t('Entries are listed in the order in which people place them')}
                  checked={draft.isOrdered}
                  disabled={draft.isTree}
                  error={errors.get('/ordering')}
                  onChange={(event) => form.set({ isOrdered: event.currentTarget.checked })}
                />
                <Switch
                  label={t('Tree')}
                  description={t('Entries can be below others')}
                  checked={draft.isTree}
                  error={errors.get('/tree')}
                  onChange={(event) => {
                    const isTree = event.currentTarget.checked;
                    form.set({ isTree, ...(isTree && { isOrdered: true }) });
                  }}
                />
              </Group>
            </Stack>
            <div>
              <Title order={2} mb="sm">
                {t('Fields')}
              </Title>
              <IsNewCollection value={!collection}>
                <FieldList
                  fields={draft.fields}
                  onChange={(fields) => form.set({ fields })}
                  errors={errors}
                  pointer="/fields"
                />
              </IsNewCollection>
            </div>
            <SaveBar form={form} submit={collection ? t('Save') : t('Create collection')} />
          </div>
          <div className={classes.side}>
            <PublishingSettings draft={draft} set={form.set} errorOf={form.errorOf} />
            <ListSettings draft={draft} set={form.set} errorOf={form.errorOf} />
            <UniqueTogether draft={draft} set={form.set} errors={errors} />
          </div>
        </div>
      </Page>
    </Form>
  );
}

interface ListSettingsProps {
  draft: SchemaDraft;
  set: (part: Partial<SchemaDraft>) => void;
  errorOf: (name: string) => string | undefined;
}

const referencedByDraft = ({ collectionIds, fields, blocks }: DraftField): string[] => [
  ...collectionIds,
  ...[...fields, ...blocks.flatMap((block) => block.fields)].flatMap(referencedByDraft),
];

/** Whether entries are drafts first, and who reads what is published. */
function PublishingSettings({ draft, set, errorOf }: ListSettingsProps) {
  const { data: collections = [] } = useQuery(collectionsQuery());
  const referenced = new Set(draft.fields.flatMap(referencedByDraft));
  const hidden = collections.filter((each) => referenced.has(each.id) && !each.public);
  return (
    <Card title={t('Publishing')}>
      <Stack gap="sm">
        <Switch
          label={t('Drafts')}
          description={t('Entries and their changes are drafts until they are published')}
          checked={draft.publishing}
          error={errorOf('publishing')}
          onChange={(event) => set({ publishing: event.currentTarget.checked })}
        />
        {draft.publishing && (
          <Switch
            label={t('Public')}
            description={t('Published entries can be read with the publishable key, except private fields')}
            checked={draft.isPublic}
            error={errorOf('public')}
            onChange={(event) => set({ isPublic: event.currentTarget.checked })}
          />
        )}
        {draft.publishing && draft.isPublic && hidden.length > 0 && (
          <Alert color="orange" variant="light">
            {t(
              '{count, plural, one {{names} is not public: your site does not receive references to its entries.} other {{names} are not public: your site does not receive references to their entries.}}',
              { count: hidden.length, names: hidden.map(({ name }) => name).join(', ') },
            )}
          </Alert>
        )}
        {draft.publishing && (
          <Select
            label={t('Approval before publishing')}
            description={t('Only owners change this')}
            placeholder={t('Not required')}
            data={[
              { value: 'editor', label: t('By an editor') },
              { value: 'owner', label: t('By an owner') },
            ]}
            value={draft.review ?? null}
            onChange={(review) => set({ review: review as SchemaDraft['review'] })}
            error={errorOf('review')}
            clearable
          />
        )}
        {((draft.publishing && draft.isPublic) || draft.urlPattern) && (
          <TextInput
            label={t('URL pattern')}
            description={t(
              'The path of the page of an entry, which public entries then have as their URL. Placeholders: {names}',
              {
                names: placeholdersOf(draft, collections).join(', '),
              },
            )}
            placeholder="/blog/{slug}"
            value={draft.urlPattern ?? ''}
            error={errorOf('urlPattern')}
            onChange={(event) => set({ urlPattern: event.currentTarget.value })}
          />
        )}
        {draft.publishing && draft.isPublic && (
          <TextInput
            label={t('Preview URL')}
            description={t(
              "Where your site shows a draft. Placeholders: '{'id'}', '{'slug'}', '{'collectionId'}', '{'locale'}', '{'token'}'",
            )}
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

/** What a URL pattern can contain: values of fields, or of the slugs of entries that they reference. */
function placeholdersOf({ fields }: SchemaDraft, collections: readonly Collection[]): string[] {
  const isSingle = (field: DraftField) =>
    isActive(field) && !field.repeated && !field.isPrivate && apiIdOf(field) !== '';
  const paths = fields.filter(isSingle).flatMap((field) => {
    if (field.format === 'reference') {
      const target = collections.find(({ id }) => field.collectionIds.includes(id));
      const slug = target?.fields.find(({ format }) => format === 'slug');
      return slug ? [`${apiIdOf(field)}.${slug.id}`] : [];
    }
    const isText = field.type === 'text' && (!field.format || field.format === 'slug' || field.format === 'time');
    return isText || field.type === 'date' || field.type === 'select' ? [apiIdOf(field)] : [];
  });
  return ['id', ...(fields.some((field) => field.isLocalized) ? ['locale'] : []), ...paths].map((path) => `{${path}}`);
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
    <Card title={t('Lists')}>
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <Select
          {...choose(active, draft.displayFieldId)}
          label={t('Title field')}
          placeholder={t('First text field')}
          onChange={(displayFieldId) => set({ displayFieldId })}
          error={errorOf('displayFieldId')}
        />
        <Select
          {...choose(
            active.filter((field) => isSortable(field)),
            draft.sortFieldId,
          )}
          label={t('Sort by')}
          placeholder={t('Date created')}
          onChange={(sortFieldId) => set({ sortFieldId })}
          error={errorOf('defaultSort')}
        />
        {draft.sortFieldId !== null && (
          <div>
            <Text size="sm" fw={500} mb={2}>
              {t('Order')}
            </Text>
            <SegmentedControl
              fullWidth
              aria-label={t('Order')}
              value={draft.sortDirection}
              onChange={(direction) => set({ sortDirection: direction === 'desc' ? 'desc' : 'asc' })}
              data={[
                { value: 'asc', label: t('Ascending') },
                { value: 'desc', label: t('Descending') },
              ]}
            />
          </div>
        )}
      </Group>
    </Card>
  );
}
