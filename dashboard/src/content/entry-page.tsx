import type { Collection } from '@headwater/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntryLocales, entryLocales, isLocalized, localesQuery } from '../locales/locales.ts';
import { Loaded } from '../shared/states.tsx';
import { EntryForm } from './entry-form.tsx';
import { collectionQuery, entryQuery } from './queries.ts';

export function EntryPage() {
  const { collectionId, entryId } = useParams({ from: '/shell/content/$collectionId/$entryId' });
  const { from, field, locale }: { from?: unknown; field?: unknown; locale?: unknown } = useSearch({ strict: false });
  const query = useQuery(collectionQuery(collectionId));
  const [key, keepFor] = useFormKey(`${collectionId}/${entryId}`);
  const needsLocales = query.data !== undefined && isLocalized(query.data);
  const locales = useQuery({ ...localesQuery(), enabled: needsLocales });
  if (needsLocales && !locales.data) return <Loaded query={locales}>{() => null}</Loaded>;
  return (
    <Loaded query={query}>
      {(collection) => (
        <LoadedForm
          key={key}
          collection={collection}
          locales={locales.data && entryLocales(locales.data, collection)}
          entryId={entryId}
          from={typeof from === 'string' ? from : undefined}
          field={typeof field === 'string' ? field : undefined}
          fieldLocale={typeof locale === 'string' ? locale : undefined}
          onCreated={(id) => keepFor(`${collectionId}/${id}`)}
        />
      )}
    </Loaded>
  );
}

/** Another key for each entry, except that the form that created an entry goes on as the form of that entry. */
function useFormKey(path: string): [key: number, keepFor: (path: string) => void] {
  const [form, setForm] = useState<{ path: string; created?: string; key: number }>({ path, key: 0 });
  if (path === form.created) setForm({ path, key: form.key });
  else if (path !== form.path) setForm({ path, key: form.key + 1 });
  return [form.key, (created) => setForm((now) => ({ ...now, created }))];
}

interface LocalizedProps {
  collection: Collection;
  /** If fields are localized. */
  locales: EntryLocales | undefined;
  /** The field, and its locale, at which the entry is opened. */
  field: string | undefined;
  fieldLocale: string | undefined;
  onCreated: (entryId: string) => void;
}

interface LoadedFormProps extends LocalizedProps {
  entryId: string;
  /** The entry whose values a new one starts with. */
  from: string | undefined;
}

function LoadedForm({ entryId, from, ...props }: LoadedFormProps) {
  const { id } = props.collection;
  const [needed] = useState(entryId === 'new' ? from : entryId);
  const query = useQuery({ ...entryQuery(id, entryId), enabled: entryId !== 'new' });
  const source = useQuery({ ...entryQuery(id, needed ?? ''), enabled: needed !== undefined });
  if (needed !== undefined && !source.data) return <Loaded query={source}>{() => null}</Loaded>;
  return (
    <EntryForm
      {...props}
      stored={query.data}
      copyOf={needed === from && from !== undefined ? source.data : undefined}
    />
  );
}
