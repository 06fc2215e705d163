import { Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { PRESET_LABELS, type Preset } from './labels.ts';
import { invalidateAlerts } from './queries.ts';

/** What of a preset is set, and its default. */
const LIMITS: Record<Preset, { member: 'percent' | 'value' | 'minutes'; label: string; value: number; min: number }> = {
  salesDrop: { member: 'percent', label: t('Percent under what is usual'), value: 40, min: 1 },
  scriptSilent: { member: 'minutes', label: t('Minutes without a visit'), value: 30, min: 5 },
  destinationBehind: { member: 'value', label: t('Percent less than was earned'), value: 20, min: 0 },
  costWithoutClicks: { member: 'value', label: t('Cost of a day of more than'), value: 0, min: 0 },
};

/** Adds an alert of a preset. */
export function AlertDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({
    initial: { preset: 'salesDrop' as Preset, limit: LIMITS.salesDrop.value, mail: true, webhook: false, chat: '' },
    isValid: ({ mail, webhook, chat }) => mail || webhook || chat.trim() !== '',
    save: ({ preset, limit, mail, webhook, chat }) =>
      headwater.createAlert({
        ...{ preset, name: PRESET_LABELS[preset], [LIMITS[preset].member]: limit },
        channels: [
          ...(mail ? [{ type: 'mail' as const }] : []),
          ...(webhook ? [{ type: 'webhook' as const }] : []),
          ...(chat.trim() ? [{ type: 'slack' as const, url: chat.trim() }] : []),
        ],
      }),
    onSaved: () => {
      invalidateAlerts();
      notify(t('Alert added.'));
      onClose();
    },
  });
  const { preset, limit, mail, webhook, chat } = form.values;
  const { label, min } = LIMITS[preset];
  return (
    <FormDialog form={form} title={t('Add alert')} submit={t('Add')} onClose={onClose}>
      <Stack>
        <Select
          label={t('When')}
          allowDeselect={false}
          value={preset}
          onChange={(next) => {
            const chosen = (next ?? 'salesDrop') as Preset;
            form.set({ preset: chosen, limit: LIMITS[chosen].value });
          }}
          data={Object.entries(PRESET_LABELS).map(([value, text]) => ({ value, label: text }))}
          data-autofocus
        />
        <NumberInput
          label={label}
          min={min}
          value={limit}
          onChange={(next) => form.set({ limit: Math.max(min, Number(next) || 0) })}
        />
        <Checkbox
          label={t('Email every owner')}
          checked={mail}
          onChange={(event) => form.set({ mail: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('Send to webhooks with the events of alerts')}
          checked={webhook}
          onChange={(event) => form.set({ webhook: event.currentTarget.checked })}
        />
        <TextInput
          label={t('Chat webhook URL')}
          description={t('An incoming webhook of Slack, or of a service that accepts the same.')}
          type="url"
          value={chat}
          onChange={(event) => form.set({ chat: event.currentTarget.value })}
        />
      </Stack>
    </FormDialog>
  );
}
