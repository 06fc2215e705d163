import { type Collection, type Entry, isHeadwaterError, type Locales } from '@headwater/sdk';
import { Alert, Button, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { isActive } from '../field-types/fields.ts';
import { isLocalized, localesQuery, otherLocales, valuesIn, withTranslations } from '../locales/locales.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { Form } from '../shared/form.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { IconButton } from '../shared/icon-button.tsx';
import { notify, notifyWithUndo } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DeletedEntryAlert } from './deleted-entry-alert.tsx';
import { entryTitle } from './entry-title.ts';
import { FieldInput } from './field-input.tsx';
import { collectionQuery, entryQuery, invalidateEntries, type UsagePage, usagesQuery } from './queries.ts';

const HistoryDrawer = lazy(() => import('./history-drawer.tsx'));
const PreviewPane = lazy(() => import('../releases/preview-pane.tsx'));
const EditorialPanel = lazy(() => import('./editorial-panel.tsx'));
const LocalizedFields = lazy(() => import('../locales/localized-fields.tsx'));
const PublishBar = lazy(() => import('./publish-bar.tsx'));
const EntryUsages = lazy(() => import('./entry-usages.tsx'));
const DeleteUsedDialog = lazy(async () => ({ default: (await import('./entry-usages.tsx')).DeleteUsedDialog }));

export function EntryPage() {
  const { collectionId, entryId } = useParams({ from: '/shell/content/$collectionId/$entryId' });
  const { from }: { from?: unknown } = useSearch({ strict: false });
  const query = useQuery(collectionQuery(collectionId));
  const needsLocales = query.data !== undefined && isLocalized(query.data);
  const locales = useQuery({ ...localesQuery(), enabled: needsLocales });
  if (needsLocales && !locales.data) return <Loaded query={locales}>{() => null}</Loaded>;
  return (
    <Loaded query={query}>
      {(collection) =>
        entryId !== 'new' ? (
          <ExistingEntry collection={collection} locales={locales.data} entryId={entryId} />
        ) : typeof from === 'string' ? (
          <Duplicate collection={collection} locales={locales.data} from={from} />
        ) : (
          <EntryForm key="new" collection={collection} locales={locales.data} />
        )
      }
    </Loaded>
  );
}

interface LocalizedProps {
  collection: Collection;
  /** If fields are localized. */
  locales: Locales | undefined;
}

function ExistingEntry({ entryId, ...props }: LocalizedProps & { entryId: string }) {
  const { collection } = props;
  const query = useQuery(entryQuery(collection.id, entryId));
  return (
    <Loaded query={query}>{(entry) => <EntryForm key={entry.id + entry.version} {...props} entry={entry} />}</Loaded>
  );
}

/** A new entry with the values of another one. */
function Duplicate({ from, ...props }: LocalizedProps & { from: string }) {
  const { collection } = props;
  const query = useQuery(entryQuery(collection.id, from));
  return (
    <Loaded query={query}>{(source) => <EntryForm key={`copy of ${source.id}`} {...props} copyOf={source} />}</Loaded>
  );
}

interface EntryFormProps extends LocalizedProps {
  /** undefined creates one. */
  entry?: Entry;
  /** The entry whose values a new one starts with. */
  copyOf?: Entry;
}

type Values = Record<string, unknown>;

const defaultsOf = (fields: Collection['fields']): Values =>
  Object.fromEntries(
    fields.flatMap(({ id, defaultValue }) => (defaultValue === undefined ? [] : [[id, defaultValue]])),
  );

interface FormValues {
  /** By field; null clears the value. */
  changes: Values;
  /** The version the changes are based on. */
  version: number | undefined;
}

/** The locale beside the default one stays the same when the entry is saved, and for the next one. */
let lastLocale: string | undefined;

function EntryForm({ collection, locales, entry, copyOf }: EntryFormProps) {
  const { id: collectionId } = collection;
  const others = locales ? otherLocales(locales) : [];
  const [selected, setSelected] = useState(lastLocale);
  const locale = selected !== undefined && others.includes(selected) ? selected : others[0];
  const selectLocale = useCallback((next: string) => {
    lastLocale = next;
    setSelected(next);
  }, []);
  const whole = withTranslations(collection, locales);
  const entryId = entry?.id ?? '';
  const navigate = useNavigate();
  const [conflict, setConflict] = useState<Entry>();
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const fields = collection.fields.filter(isActive);
  const isDeleted = entry?.status === 'deleted';
  const isReadOnly = !useMayEdit() || isDeleted;

  const form = useForm<FormValues, Entry>({
    initial: { changes: copyOf?.values ?? (entry ? {} : defaultsOf(fields)), version: entry?.version },
    mustChange: entry !== undefined,
    draft: copyOf ? `copy of ${copyOf.id}` : 'entry',
    save: ({ changes, version }) =>
      entry
        ? headwater.updateEntry({ collectionId, entryId }, { values: changes, version })
        : headwater.createEntry({ collectionId }, { values: changes }),
    onSaved: (saved) => {
      invalidateEntries(collectionId, saved);
      notify(entry ? 'Saved.' : 'The entry was created.');
      if (!entry) void navigate({ to: `/content/${collectionId}/${saved.id}`, replace: true });
    },
    onError: async (error) => {
      if (isHeadwaterError(error, 'version_conflict'))
        setConflict(await headwater.getEntry({ collectionId, entryId, includeDeleted: true }));
    },
  });
  const { errors } = form;
  const { changes } = form.values;
  const values = { ...entry?.values, ...changes };
  const change = (id: string, value: unknown) => {
    const { [id]: _, ...others } = changes;
    const isStored = JSON.stringify(value) === JSON.stringify(entry?.values[id]);
    form.set({ changes: isStored ? others : { ...others, [id]: value ?? null } });
  };
  useHotkeys([['mod+S', () => form.submit()]], []);

  const [used, setUsed] = useState<UsagePage>();
  const deleteEntry = useMutation({
    mutationFn: () => headwater.updateEntry({ collectionId, entryId }, { status: 'deleted' }),
    onSuccess: (deleted) => {
      form.reset();
      invalidateEntries(collectionId, deleted);
      notifyWithUndo('The entry was deleted.', async () =>
        invalidateEntries(collectionId, await headwater.updateEntry({ collectionId, entryId }, { status: 'active' })),
      );
      void navigate({ to: '/content/$collectionId', params: { collectionId } });
    },
  });

  /** Deletes an unused entry at once. */
  const warn = useMutation({
    mutationFn: () => queryClient.fetchQuery(usagesQuery(collectionId, entryId)),
    onSuccess: (page) => (page.usages.length > 0 ? setUsed(page) : deleteEntry.mutate()),
  });

  const actions = (
    <>
      {entry && (
        <IconButton icon="clock" variant="default" onClick={() => setIsHistoryOpen(true)}>
          History
        </IconButton>
      )}
      {entry && !isReadOnly && collection.previewUrl && (
        <IconButton icon="out" variant="default" onClick={() => setIsPreviewing(true)}>
          Preview
        </IconButton>
      )}
      {entry && !isReadOnly && (
        <IconButton
          icon="copy"
          variant="default"
          onClick={() => navigate({ to: `/content/${collectionId}/new`, search: { from: entryId } })}
        >
          Duplicate
        </IconButton>
      )}
      {entry && !isReadOnly && (
        <IconButton
          icon="trash"
          variant="default"
          loading={deleteEntry.isPending || warn.isPending}
          onClick={() => warn.mutate()}
        >
          Delete
        </IconButton>
      )}
    </>
  );
  return (
    <>
      <Form form={form} noValidate>
        <Page
          wide={isPreviewing}
          title={entry ? entryTitle(collection, entry) : `New entry in ${collection.name}`}
          description={entry && `Updated ${formatRelativeTime(entry.updatedAt)} · version ${entry.version}`}
          back={{ to: `/content/${collectionId}`, label: collection.name }}
          actions={actions}
        >
          {isDeleted && <DeletedEntryAlert collection={collection} entry={entry} />}
          {entry && collection.publishing && !isDeleted && (
            <Suspense>
              <PublishBar
                collection={collection}
                locales={others.length > 0 ? locales : undefined}
                entry={entry}
                isDirty={form.isDirty}
                isReadOnly={isReadOnly}
              />
            </Suspense>
          )}
          {form.error && !isHeadwaterError(form.error, 'version_conflict') && (
            <Alert color="red" variant="light" role="alert" title="Couldn't save">
              {errors.size > 0 ? 'Fix the highlighted fields.' : errorMessage(form.error).detail}
            </Alert>
          )}
          <div className={entry && isPreviewing ? 'side-by-side' : undefined}>
            {fields.length === 0 ? (
              <NoFields collectionId={collectionId} />
            ) : (
              <fieldset disabled={isReadOnly} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
                <Stack className="surface" p={{ base: 'md', sm: 'lg' }} gap="md">
                  {locales && locale !== undefined ? (
                    <Suspense>
                      <LocalizedFields
                        {...{ locales, fields, values, errors, locale }}
                        onChange={change}
                        onLocale={selectLocale}
                      />
                    </Suspense>
                  ) : (
                    fields.map((field) => (
                      <FieldInput
                        key={field.id}
                        field={field}
                        value={values[field.id] ?? undefined}
                        onChange={(value) => change(field.id, value)}
                        errors={errors}
                        pointer={`/values/${field.id}`}
                      />
                    ))
                  )}
                </Stack>
              </fieldset>
            )}
            {entry && isPreviewing && (
              <Suspense>
                <PreviewPane
                  entry={entry}
                  values={locales && locale !== undefined ? valuesIn(locales, locale, fields, values) : values}
                  locale={locale}
                  onClose={() => setIsPreviewing(false)}
                />
              </Suspense>
            )}
          </div>
          {entry && !isDeleted && (
            <Suspense>
              <EditorialPanel collection={collection} entry={entry} isReadOnly={isReadOnly} />
            </Suspense>
          )}
          {entry && (
            <Suspense>
              <EntryUsages collectionId={collectionId} entryId={entryId} />
            </Suspense>
          )}
          {!isReadOnly && <SaveBar form={form} submit={entry ? 'Save' : 'Create entry'} />}
        </Page>
      </Form>
      {entry && isHistoryOpen && (
        <Suspense>
          <HistoryDrawer
            collection={whole}
            entry={entry}
            obstacle={
              isDeleted
                ? 'Restore the entry before you restore this version.'
                : form.isDirty
                  ? 'Save or discard your changes before you restore this version.'
                  : undefined
            }
            onClose={() => setIsHistoryOpen(false)}
            onRestored={(restored) => invalidateEntries(collectionId, restored)}
          />
        </Suspense>
      )}
      {used && (
        <Suspense>
          <DeleteUsedDialog
            usages={used.usages}
            hasMore={used.nextPageToken !== null}
            run={() => deleteEntry.mutateAsync()}
            onClose={() => setUsed(undefined)}
          />
        </Suspense>
      )}
      {conflict && (
        <ConflictDialog
          collection={whole}
          yours={values}
          changes={changes}
          theirs={conflict}
          onClose={() => setConflict(undefined)}
          onSaved={(saved) => {
            setConflict(undefined);
            form.reset();
            invalidateEntries(collectionId, saved);
            notify('Saved.');
          }}
        />
      )}
    </>
  );
}

function NoFields({ collectionId }: { collectionId: string }) {
  return (
    <div className="surface">
      <EmptyState
        icon="columns"
        title="This collection has no fields"
        action={
          <Button component={Link} to={`/content/${collectionId}/schema`}>
            Add fields
          </Button>
        }
      >
        Add fields to the collection before you create entries.
      </EmptyState>
    </div>
  );
}
