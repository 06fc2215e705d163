import type { ConversionWithReports } from '@headwater/sdk';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { decimalOf } from './columns.ts';

/** Changes the value of a conversion through its order ID. Without one, a report would create a second conversion. */
export function AdjustValue({ conversion }: { conversion: ConversionWithReports }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayEdit = useMayWrite('conversions');
  if (!mayEdit || conversion.eventId === null || conversion.sessionId === null) return null;
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t('Adjust value')}
      </Button>
      {isOpen && <AdjustValueDialog conversion={conversion} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function AdjustValueDialog({ conversion, onClose }: { conversion: ConversionWithReports; onClose: () => void }) {
  const { eventId, sessionId, currency } = conversion;
  const form = useForm({
    initial: { value: '' },
    isValid: ({ value }) => value.trim() !== '',
    save: ({ value }) => headwater.reportConversion({ sessionId, eventId, value: decimalOf(value.trim()) }),
    onSaved: (result) => {
      onClose();
      notify(result.reported ? t('Value adjusted.') : (result.reason ?? t('The session is no longer available.')));
      void queryClient.invalidateQueries();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('Adjust the value of {eventId}', { eventId })}
      submit={t('Adjust value')}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('The new value replaces the old one, which stays in the report history. Enter 0 to refund.')}
      </Text>
      <TextInput
        label={currency ? t('New value in {currency}', { currency }) : t('New value')}
        inputMode="decimal"
        required
        data-autofocus
        {...form.text('value')}
      />
    </FormDialog>
  );
}
