import type { Entry, Release } from '@headwater/sdk';
import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { invalidateReleases, loadItems, releasesQuery, releaseTitle } from './queries.ts';

interface AddToReleaseDialogProps {
  entries: readonly Entry[];
  onClose: () => void;
}

const NEW = 'new';

/** Adds entries, at their latest version when it is published, to a release. */
export default function AddToReleaseDialog({ entries, onClose }: AddToReleaseDialogProps) {
  const { data = [] } = useQuery(releasesQuery({ status: 'pending' }));
  const releases = data.filter(({ name }) => name !== null);
  const form = useForm<{ releaseId: string; name: string }, Release>({
    initial: { releaseId: NEW, name: '' },
    isValid: ({ releaseId, name }) => releaseId !== NEW || name.trim() !== '',
    save: async ({ releaseId, name }) => {
      const added = entries.map(({ collectionId, id: entryId }) => ({ collectionId, entryId, version: null }));
      if (releaseId === NEW) return headwater.createRelease({ name: name.trim(), items: added });
      // The version first: if the items change meanwhile, the service refuses it.
      const { version } = await headwater.getRelease({ releaseId });
      const items = await loadItems(releaseId);
      const ids = new Set(items.map(({ entryId }) => entryId));
      const missing = added.filter(({ entryId }) => !ids.has(entryId));
      return headwater.updateRelease({ releaseId }, { items: [...items, ...missing], version });
    },
    onSaved: (release) => {
      invalidateReleases();
      notify(t('Added to {release}.', { release: releaseTitle(release) }));
      onClose();
    },
  });
  return (
    <FormDialog form={form} title={t('Add to release')} submit={t('Add')} onClose={onClose}>
      <Select
        label={t('Release')}
        data={[
          { value: NEW, label: t('New release') },
          ...releases.map((each) => ({ value: each.id, label: releaseTitle(each) })),
        ]}
        value={form.values.releaseId}
        onChange={(releaseId) => form.set({ releaseId: releaseId ?? NEW })}
        allowDeselect={false}
      />
      {form.values.releaseId === NEW && <TextInput label={t('Name')} required {...form.text('name')} data-autofocus />}
    </FormDialog>
  );
}
