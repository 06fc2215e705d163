import type { Entry, Release } from '@headwater/sdk';
import { Select, Text } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { t } from '../languages/translate.ts';
import { localeName } from '../locales/locales.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { displayTimeZone } from '../shared/time-zone.ts';
import { useForm } from '../shared/use-form.ts';
import { instantOf, wallTimeOf } from '../shared/wall-time.ts';
import { FaultList, faultsOfError, ReleaseFaults } from './fault-list.tsx';
import { invalidateReleases } from './queries.ts';

interface ScheduleDialogProps {
  /** The entry of a new schedule. */
  entry?: Entry;
  /** The only locales of the entry to publish or unpublish. */
  locales?: string[];
  /** The release to schedule, or to schedule again. */
  release?: Release;
  onClose: () => void;
}

const WHAT = [
  { value: 'publish', label: t('Publish this version') },
  { value: 'latest', label: t('Publish the latest version at that time') },
  { value: 'unpublish', label: t('Unpublish') },
];

/** Chooses when an entry or a release is published, in the time zone of the account. */
export default function ScheduleDialog({ entry, locales, release, onClose }: ScheduleDialogProps) {
  const form = useForm({
    initial: { what: 'publish', at: release?.at ? wallTimeOf(release.at) : (null as string | null) },
    isValid: ({ at }) => at !== null,
    save: ({ what, at }) => {
      const time = at === null ? null : instantOf(at);
      if (release) return headwater.updateRelease({ releaseId: release.id }, { at: time, version: release.version });
      const { collectionId, id: entryId, version } = entry as Entry;
      const action: 'publish' | 'unpublish' = what === 'unpublish' ? 'unpublish' : 'publish';
      const item = { collectionId, entryId, action, version: what === 'publish' ? version : null };
      return headwater.createRelease({ at: time, items: [{ ...item, ...(locales && { locales }) }] });
    },
    onSaved: ({ at }) => {
      invalidateReleases();
      if (at) notify(t('Scheduled for {at}.', { at: formatDateTime(at) }));
      onClose();
    },
  });
  const { values, error, errorOf } = form;
  const faults = error &&
    errorOf('at') === undefined && { title: t("Couldn't schedule"), faults: faultsOfError(error) };
  return (
    <FormDialog form={form} title={t('Schedule')} submit={t('Schedule')} onClose={onClose}>
      {entry && (
        <Select
          label={t('Action')}
          data={WHAT}
          value={values.what}
          onChange={(what) => form.set({ what: what ?? 'publish' })}
          allowDeselect={false}
        />
      )}
      <DateTimePicker
        label={t('Date and time')}
        placeholder={t('Date and time')}
        value={values.at}
        onChange={(at) => form.set({ at })}
        error={errorOf('at')}
        minDate={new Date()}
        required
        data-autofocus
      />
      {locales && (
        <Text size="sm" c="dimmed">
          {t('Locales: {locales}', { locales: locales.map(localeName).join(', ') })}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('Time zone: {displayTimeZone}', { displayTimeZone: displayTimeZone() })}
      </Text>
      {faults && (release ? <ReleaseFaults release={release} {...faults} /> : <FaultList {...faults} entries={[]} />)}
    </FormDialog>
  );
}
