import { type Collection, type Entry, type Field, isHeadwaterError } from '@headwater/sdk';
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { defaultsOf, isActive, isMadeDefault } from '../field-types/fields.ts';
import { t } from '../languages/translate.ts';
import { baseOf, type EntryLocales, otherLocales, withTranslations } from '../locales/locales.ts';
import { headwater, useSession } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { focusFirstError } from '../shared/focus-first-error.ts';
import { Form } from '../shared/form.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { lazy } from '../shared/lazy.tsx';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { SaveBar } from '../shared/save-bar.tsx';
import { EmptyState } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRights } from '../users/rights.ts';
import classes from './columns.module.css';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DeletedEntryAlert } from './deleted-entry-alert.tsx';
import { EntryActions } from './entry-actions.tsx';
import { EntryFields } from './entry-fields.tsx';
import { entryTitle } from './entry-title.ts';
import { FieldLocks } from './field-locks.ts';
import { type FieldTarget, focusPointer, pointerOf } from './field-target.ts';
import { SlugSources } from './made-slug.ts';
import { mergeChanges } from './merge-changes.ts';
import { OtherDraft } from './other-draft.tsx';
import { PresentUsers, usePresence } from './presence.tsx';
import { invalidateEntries } from './queries.ts';
import { useAutosave } from './use-autosave.ts';

const PreviewPane = lazy(() => import('../releases/preview-pane.tsx'));
const EditorialPanel = lazy(() => import('./editorial-panel.tsx'));
const PublishBar = lazy(() => import('./publish-bar.tsx'));
const EntryUsages = lazy(() => import('./entry-usages.tsx'));

/** From this width on, what is about an entry stands beside its values. */
const TWO_COLUMNS = '(min-width: 1100px)';

interface EntryFormProps {
  collection: Collection;
  /** If fields are localized. */
  locales: EntryLocales | undefined;
  onCreated: (entryId: string) => void;
  /** As it is now in the service; undefined creates one. */
  stored: Entry | undefined;
  /** The entry whose values a new one starts with. */
  copyOf: Entry | undefined;
  /** The field, and its locale, at which the entry is opened. */
  field?: string | undefined;
  fieldLocale?: string | undefined;
}

type Values = Record<string, unknown>;

/** A field of a new entry says that it need not be entered. */
function withHint(field: Field): Field {
  const { helpText, type, defaultValue } = field;
  if (type === 'group' || !isMadeDefault(field, defaultValue)) return field;
  return {
    ...field,
    helpText: [helpText, t('Filled in when you save, unless you enter a value.')].filter(Boolean).join(' '),
  };
}

const unless = (isLocked: (id: string) => boolean, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([id]) => !isLocked(id)));

interface FormValues {
  /** By field; null clears the value. */
  changes: Values;
  /** The version the changes are based on. */
  version: number | undefined;
}

/** The locale beside the default one stays the same when the entry is saved, and for the next one. */
let lastLocale: string | undefined;

/** The form of an entry: its values, and beside them what is published, its review and where it is used. */
export function EntryForm(props: EntryFormProps) {
  const { collection, locales, stored, copyOf, field: openedAt, fieldLocale, onCreated } = props;
  const { id: collectionId } = collection;
  // The entry that the changes are based on.
  const [entry, setEntry] = useState(stored);
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
  const { user, account } = useSession();
  const [conflict, setConflict] = useState<{ theirs: Entry; by: string | undefined; isOwn: boolean }>();
  const [refused, setRefused] = useState(NO_ERRORS);
  const isWide = useMediaQuery(TWO_COLUMNS, undefined, { getInitialValueInEffect: false });
  const [isPreviewing, setIsPreviewing] = useState(false);
  const isNew = entry === undefined;
  const fields = useMemo(
    () => collection.fields.filter(isActive).map((field) => (isNew ? withHint(field) : field)),
    [collection, isNew],
  );
  const isDeleted = entry?.status === 'deleted';
  const rights = useRights();
  const action = entry ? 'update' : 'create';
  const isReadOnly = !rights.may(action, collectionId) || isDeleted;
  const lockOf = (field: Field) => rights.lockOf(action, collection, field, locales && baseOf(locales));
  const isLocked = (id: string) => {
    const field = whole.fields.find((each) => each.id === id);
    return field !== undefined && lockOf(field) !== undefined;
  };

  const form = useForm<FormValues, Entry>({
    initial: {
      changes: unless(isLocked, copyOf?.values ?? (entry ? {} : defaultsOf(fields))),
      version: entry?.version,
    },
    mustChange: entry !== undefined,
    draft: copyOf && !entry ? `copy of ${copyOf.id}` : 'entry',
    save: ({ changes, version }) =>
      entry
        ? headwater.updateEntry({ collectionId, entryId }, { values: changes, version })
        : headwater.createEntry({ collectionId }, { values: changes }),
    settle: ({ version }, sent, { changes }) => ({
      saved: { changes: {}, version },
      values: { changes: changedSince(sent.changes, changes, entry?.values), version },
    }),
    onSaved: (saved) => {
      setEntry(saved);
      invalidateEntries(collectionId, saved);
      if (entry) return;
      onCreated(saved.id);
      void navigate({ to: `/content/${collectionId}/${saved.id}`, replace: true });
    },
    onError: async (error) => {
      if (!isHeadwaterError(error, 'version_conflict')) return;
      const path = { collectionId, entryId, includeDeleted: true };
      const based = form.values.version;
      const [theirs, { versions }, before] = await Promise.all([
        headwater.getEntry(path),
        headwater.listEntryVersions({ ...path, pageSize: 1 }),
        based === entry?.version ? entry?.values : readVersion(path, based),
      ]);
      const merged = before && theirs.status === 'active' && mergeChanges(before, form.values.changes, theirs.values);
      if (merged) {
        setEntry(theirs);
        form.set({ changes: merged, version: theirs.version });
        setIsMerged(true);
        return;
      }
      const by = versions[0]?.by;
      setConflict({
        theirs,
        by: by?.type === 'user' && by.name !== null ? by.name : undefined,
        isOwn: by?.id === user.id,
      });
    },
  });
  const adopt = (next: Entry) => {
    setEntry(next);
    form.reset({ changes: {}, version: next.version });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what happened to the entry elsewhere, such as publishing
  useEffect(() => {
    if (!stored || stored === entry) return;
    if (stored.version === entry?.version) setEntry(stored);
    else if (!form.isDirty) adopt(stored);
  }, [stored]);
  const [target, setTarget] = useState<{ pointer: string }>();
  const reveal = (shown: FieldTarget) =>
    setTarget({ pointer: pointerOf(shown, { ...entry?.values, ...form.values.changes }, locales) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is opened at a field
  useEffect(() => {
    if (openedAt !== undefined) reveal({ field: openedAt, locale: fieldLocale });
  }, [openedAt, fieldLocale]);
  useEffect(() => (target ? focusPointer(form.element.current, target.pointer) : undefined), [target, form.element]);
  const errors = useMemo(
    // Without a message: the field is shown, in whichever tab, locale or folded row it is.
    () => new Map([...(target ? [[target.pointer, ''] as const] : []), ...refused, ...form.errors]),
    [target, refused, form.errors],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what publishing refused; the form does the same for saving
  useEffect(() => {
    if (refused.size > 0) focusFirstError(form.element.current);
  }, [refused]);
  const { changes } = form.values;
  const autosave = useAutosave(entry, form.values.version, isReadOnly || account.isView ? undefined : changes);
  const [isMerged, setIsMerged] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the merged changes are the form's
  useEffect(() => {
    if (!isMerged) return;
    setIsMerged(false);
    void form.save().then((saved) => saved && notify(t('Saved together with what others changed.')));
  }, [isMerged]);
  const [editing, setEditing] = useState<string>();
  /** Of the localized field that had the focus last. */
  const [editedLocale, setEditedLocale] = useState<string>();
  const focus = (id: string | undefined) => {
    setEditing(id);
    const [name, tag] = id?.split('@') ?? [];
    if (fields.some((field) => field.localized && field.id === name)) setEditedLocale(tag);
  };
  const present = usePresence(entry, editing, isReadOnly || account.isView);
  const values = { ...entry?.values, ...changes };
  const change = (id: string, value: unknown) => {
    const { [id]: _, ...others } = changes;
    setTarget(undefined);
    const isStored = JSON.stringify(value) === JSON.stringify(entry?.values[id]);
    form.set({ changes: isStored ? others : { ...others, [id]: value ?? null } });
  };

  const publishing = entry && collection.publishing && !isDeleted && (
    <Suspense>
      <PublishBar
        collection={collection}
        locales={others.length > 0 ? locales : undefined}
        entry={entry}
        isDirty={form.isDirty}
        save={form.save}
        isReadOnly={!rights.may('publish', collectionId)}
        mayUpdate={!isReadOnly}
        onRefused={setRefused}
      />
    </Suspense>
  );
  return (
    <>
      <Form form={form} noValidate>
        <Page
          size={isPreviewing || locale !== undefined ? 'wide' : 'editor'}
          title={entry ? entryTitle(collection, entry) : t('New entry in {name}', { name: collection.name })}
          description={
            entry &&
            t('Updated {updatedAt} · version {version}', {
              updatedAt: formatRelativeTime(entry.updatedAt),
              version: entry.version,
            })
          }
          back={{ to: `/content/${collectionId}`, label: collection.name }}
          actions={
            entry && (
              <EntryActions
                collection={whole}
                entry={entry}
                isDirty={form.isDirty}
                isDeleted={isDeleted}
                onPreview={() => setIsPreviewing(true)}
                onDeleted={() => form.reset()}
                onRestored={adopt}
              />
            )
          }
        >
          {autosave.offered && !form.isDirty && !form.offered && (
            <KeptChanges
              at={autosave.offered.updatedAt}
              onTake={() => {
                const { changes: kept, version } = autosave.offered ?? { changes: {}, version: undefined };
                form.set({ changes: kept, version });
                autosave.take();
              }}
              onDiscard={() => void autosave.discard()}
            />
          )}
          {autosave.offered && form.isDirty && (
            <OtherDraft
              collection={whole}
              changes={changes}
              draft={autosave.offered}
              onMerged={(merged) => {
                form.set({ changes: merged });
                autosave.take();
              }}
            />
          )}
          {isDeleted && <DeletedEntryAlert collection={collection} entry={entry} />}
          <div className={classes.columns} data-side={entry !== undefined} data-preview={isPreviewing || undefined}>
            {!isWide && publishing}
            <div className={classes.values}>
              {form.error && !isHeadwaterError(form.error, 'version_conflict') && (
                <Alert color="red" variant="light" role="alert" title={t("Couldn't save")}>
                  {refused.size + form.errors.size > 0
                    ? t('Fix the highlighted fields.')
                    : errorMessage(form.error).detail}
                </Alert>
              )}
              {isReadOnly && !isDeleted && (
                <Alert color="gray" variant="light" icon={<Icon name="lock" size={16} />}>
                  {t('You can read this entry. Your role may not change it.')}
                </Alert>
              )}
              {fields.length === 0 ? (
                <NoFields collectionId={collectionId} />
              ) : (
                <fieldset
                  disabled={isReadOnly}
                  onFocus={(event) => focus(fieldOf(event.target))}
                  onBlur={() => {
                    setEditing(undefined);
                    autosave.flush();
                  }}
                  className="plain-fieldset"
                >
                  <PresentUsers value={present}>
                    <FieldLocks value={lockOf}>
                      <SlugSources value={{ fields, values, locales }}>
                        <Stack className="surface" p={{ base: 'md', sm: 'lg' }} gap="md">
                          <EntryFields
                            {...{ fields, values, errors, locales, locale }}
                            onChange={change}
                            onLocale={selectLocale}
                          />
                        </Stack>
                      </SlugSources>
                    </FieldLocks>
                  </PresentUsers>
                </fieldset>
              )}
              {!isReadOnly && (
                <SaveBar
                  form={form}
                  submit={entry ? t('Save') : t('Create entry')}
                  note={autosave.isKept ? t('kept for you') : undefined}
                />
              )}
            </div>
            {entry && isPreviewing && (
              <Suspense>
                <PreviewPane
                  entry={entry}
                  {...{ fields, values, locales }}
                  locale={locales && locale !== undefined ? (editedLocale ?? baseOf(locales)) : undefined}
                  onEdit={reveal}
                  onClose={() => setIsPreviewing(false)}
                />
              </Suspense>
            )}
            {entry && (
              <aside className={classes.side} aria-label={t('About this entry')}>
                {isWide && publishing}
                {!isDeleted && (
                  <Suspense>
                    <EditorialPanel collection={collection} entry={entry} users={present} />
                  </Suspense>
                )}
                <Suspense>
                  <EntryUsages collectionId={collectionId} entryId={entryId} />
                </Suspense>
              </aside>
            )}
          </div>
        </Page>
      </Form>
      {conflict && (
        <ConflictDialog
          collection={whole}
          yours={values}
          changes={changes}
          {...conflict}
          onClose={() => setConflict(undefined)}
          onSaved={(saved) => {
            setConflict(undefined);
            adopt(saved);
            invalidateEntries(collectionId, saved);
          }}
        />
      )}
    </>
  );
}

const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** The changes that were made after others were sent. One that was taken back leads to the value from before. */
const changedSince = (sent: Values, latest: Values, before: Values = {}): Values =>
  Object.fromEntries(
    Object.keys({ ...sent, ...latest })
      .map((id) => [id, (id in latest ? latest[id] : before[id]) ?? null] as const)
      .filter(([id, value]) => JSON.stringify(value) !== JSON.stringify(sent[id])),
  );

async function readVersion(path: { collectionId: string; entryId: string }, version: number | undefined) {
  if (version === undefined) return undefined;
  const found = await headwater.getEntryVersion({ ...path, version: String(version), includeDeleted: true });
  return found.values;
}

/** The field that contains an input. */
const fieldOf = (element: Element) => element.closest('[data-field]')?.getAttribute('data-field') ?? undefined;

interface KeptChangesProps {
  at: string;
  onTake: () => void;
  onDiscard: () => void;
}

/** What the user has not saved in another browser. */
const KeptChanges = ({ at, onTake, onDiscard }: KeptChangesProps) => (
  <Alert color="blue" variant="light" role="status">
    <Group justify="space-between">
      {t('You have unsaved changes to this entry, last edited {at}.', { at: formatRelativeTime(at) })}
      <Group gap="xs">
        <Button variant="default" size="compact-sm" onClick={onDiscard}>
          {t('Discard them')}
        </Button>
        <Button size="compact-sm" onClick={onTake}>
          {t('Continue here')}
        </Button>
      </Group>
    </Group>
  </Alert>
);

function NoFields({ collectionId }: { collectionId: string }) {
  return (
    <div className="surface">
      <EmptyState
        icon="columns"
        title={t('This collection has no fields')}
        action={
          <Button component={Link} to={`/content/${collectionId}/schema`}>
            {t('Add fields')}
          </Button>
        }
      >
        {t('Add fields to the collection before you create entries.')}
      </EmptyState>
    </div>
  );
}
