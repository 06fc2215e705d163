import type { Warehouse } from '@headwater/sdk';
import { MultiSelect, PasswordInput, Switch, TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { DATASET_LABELS, type Dataset } from './labels.ts';
import { refreshWarehouses } from './queries.ts';

const ALL = Object.keys(DATASET_LABELS) as Dataset[];

/** Connects a bucket, or changes its connection. */
export function WarehouseForm({ warehouse, onClose }: { warehouse?: Warehouse | undefined; onClose: () => void }) {
  const form = useForm({
    initial: {
      name: warehouse?.name ?? '',
      endpoint: warehouse?.endpoint ?? '',
      region: warehouse?.region ?? '',
      bucket: warehouse?.bucket ?? '',
      prefix: warehouse?.prefix ?? '',
      pathStyle: warehouse?.pathStyle ?? true,
      accessKeyId: warehouse?.accessKeyId ?? '',
      secretAccessKey: '',
      datasets: warehouse?.datasets ?? ALL,
      startsOn: warehouse?.startsOn ?? '',
    },
    mustChange: warehouse !== undefined,
    save: ({ secretAccessKey, endpoint, startsOn, pathStyle, ...values }) => {
      const all = {
        ...values,
        endpoint: endpoint.trim() || null,
        startsOn: startsOn || null,
        ...(endpoint.trim() && { pathStyle }),
      };
      if (!warehouse) return headwater.createWarehouse({ ...all, secretAccessKey });
      // What is not changed is not sent: what decides where the secret goes asks for a confirmation.
      const isChanged = ([name, value]: [string, unknown]) =>
        JSON.stringify(value) !== JSON.stringify(warehouse[name as keyof Warehouse]);
      const changed = Object.fromEntries(Object.entries(all).filter(isChanged));
      const secret = secretAccessKey !== '' && { secretAccessKey };
      return headwater.updateWarehouse({ warehouseId: warehouse.id }, { ...changed, ...secret });
    },
    onSaved: () => {
      onClose();
      void refreshWarehouses();
      notify(warehouse ? t('Saved.') : t('Connected. Everything is exported now.'));
    },
  });
  const { values } = form;
  const isKept =
    warehouse !== undefined &&
    values.endpoint.trim() === (warehouse.endpoint ?? '') &&
    values.pathStyle === warehouse.pathStyle &&
    (['region', 'bucket', 'accessKeyId'] as const).every((name) => values[name] === warehouse[name]);
  return (
    <FormDialog
      form={form}
      title={warehouse ? t('Edit {name}', { name: warehouse.name }) : t('Add bucket')}
      submit={warehouse ? t('Save') : t('Connect')}
      onClose={onClose}
      size="lg"
    >
      <TextInput label={t('Name')} required data-autofocus {...form.text('name')} />
      <TextInput
        label={t('Endpoint')}
        description={t('URL of a service that speaks S3. Empty: Amazon S3.')}
        placeholder="https://storage.googleapis.com"
        {...form.text('endpoint')}
      />
      <TextInput label={t('Region')} required {...form.text('region')} />
      <TextInput label={t('Bucket')} required {...form.text('bucket')} />
      <TextInput label={t('Folder')} {...form.text('prefix')} />
      {values.endpoint.trim() !== '' && (
        <Switch
          label={t('The bucket is in the path of URLs')}
          checked={values.pathStyle}
          onChange={({ currentTarget }) => form.set({ pathStyle: currentTarget.checked })}
        />
      )}
      <TextInput
        label={t('Access key ID')}
        required
        autoComplete="off"
        spellCheck={false}
        {...form.text('accessKeyId')}
      />
      <PasswordInput
        label={t('Secret access key')}
        description={t('Stored encrypted, and never shown again.')}
        placeholder={isKept ? t('Unchanged') : ''}
        required={!isKept}
        autoComplete="off"
        {...form.text('secretAccessKey')}
      />
      <MultiSelect
        label={t('Datasets')}
        data={ALL.map((value) => ({ value, label: DATASET_LABELS[value] }))}
        value={values.datasets}
        error={form.errors.get('/datasets')}
        onChange={(datasets) => form.set({ datasets: datasets as Dataset[] })}
      />
      <TextInput
        type="date"
        label={t('First day')}
        description={t('Empty: all that there is.')}
        {...form.text('startsOn')}
      />
    </FormDialog>
  );
}
