import type { CostSource } from '@headwater/sdk';
import { Alert, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { destinationsQuery } from '../destinations/queries.ts';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { CredentialInput } from '../shared/credential-input.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { type CostPlatform, refreshSources } from './source-queries.ts';

interface SourceFormProps {
  platforms: CostPlatform[];
  /** The source to edit; a new one if undefined. */
  source?: CostSource | undefined;
  onClose: () => void;
}

/** Connects an account of an ad platform, or changes its connection. */
export function SourceForm({ platforms, source, onClose }: SourceFormProps) {
  const form = useForm({
    initial: {
      platform: (source?.platform ?? platforms[0]?.platform ?? 'google') as CostSource['platform'],
      name: source?.name ?? '',
      source: source?.source ?? '',
      destinationId: source?.destinationId ?? null,
      isLive: source?.mode !== 'off',
      credentials: { ...source?.connection } as Record<string, string>,
    },
    mustChange: source !== undefined,
    save: ({ platform, name, credentials, destinationId, isLive, ...values }) => {
      // A secret that is left empty stays as it is.
      const isSent = ([key, value]: [string, string]) => value !== '' || source?.connection[key] !== undefined;
      const sent = Object.fromEntries(Object.entries(credentials).filter(isSent));
      const isChanged = JSON.stringify(sent) !== JSON.stringify(source?.connection);
      const mode = isLive ? ('live' as const) : ('off' as const);
      const body = {
        name: name.trim() || nameOf(platform),
        ...(values.source.trim() && { source: values.source.trim() }),
      };
      if (!source) return headwater.createCostSource({ ...body, platform, mode, credentials: sent, destinationId });
      return headwater.updateCostSource(
        { costSourceId: source.id },
        {
          ...body,
          ...(mode !== source.mode && { mode }),
          ...(isChanged && { credentials: sent }),
          ...((isChanged || destinationId !== source.destinationId) && { destinationId }),
        },
      );
    },
    onSaved: () => {
      onClose();
      void refreshSources();
      notify(source ? t('Saved.') : t('Connected. The last 30 days are read now.'));
    },
  });
  const { values } = form;
  const platform = platforms.find((each) => each.platform === values.platform);
  const nameOf = (id: string) => platforms.find((each) => each.platform === id)?.name ?? id;
  const { data: destinations = [] } = useQuery(destinationsQuery());
  const lenders = destinations.filter((each) => each.platform === values.platform);
  const isMoved = (platform?.credentials ?? []).some(
    ({ name, decidesHost }) => decidesHost && values.credentials[name] !== source?.connection[name],
  );
  const reused = new Set(values.destinationId === null ? [] : platform?.reuses);
  return (
    <FormDialog
      form={form}
      title={source ? t('Edit {name}', { name: source.name }) : t('Connect ad account')}
      submit={source ? t('Save') : t('Connect')}
      onClose={onClose}
      size="lg"
    >
      {!source && (
        <Select
          label={t('Platform')}
          data={platforms.map((each) => ({ value: each.platform, label: each.name }))}
          allowDeselect={false}
          value={values.platform}
          onChange={(next) =>
            form.set({
              platform: (next ?? values.platform) as CostSource['platform'],
              ...{ credentials: {}, destinationId: null, source: '' },
            })
          }
        />
      )}
      <TextInput label={t('Name')} placeholder={platform?.name} {...form.text('name')} />
      {lenders.length > 0 && (platform?.reuses.length ?? 0) > 0 && (
        <Select
          label={t('Use the credentials of')}
          description={t('What a destination already has need not be entered again, if its permissions suffice.')}
          placeholder={t('None')}
          data={lenders.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          value={values.destinationId}
          onChange={(destinationId) => form.set({ destinationId })}
          error={form.errors.get('/destinationId')}
        />
      )}
      {platform?.credentials.map((field) => (
        <CredentialInput
          key={field.name}
          field={field}
          isKept={source !== undefined && field.isSecret && !isMoved}
          source={reused.has(field.name) ? t('From the destination') : undefined}
          value={values.credentials[field.name] ?? ''}
          error={form.errors.get(`/credentials/${field.name}`)}
          onChange={(value) => form.set({ credentials: { ...values.credentials, [field.name]: value } })}
        />
      ))}
      <TextInput
        label={t('Source of its sessions')}
        description={t('As in reports. Change it if your ads have another utm_source.')}
        placeholder={platform?.source}
        {...form.text('source')}
      />
      <Switch
        label={t('Read each hour')}
        checked={values.isLive}
        onChange={({ currentTarget }) => form.set({ isLive: currentTarget.checked })}
      />
      {!source && (
        <Alert variant="light" color="gray">
          {t('Ad spend of its days and campaigns that was imported by hand is replaced, so that nothing counts twice.')}
        </Alert>
      )}
    </FormDialog>
  );
}
