import { TextInput } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { localeDefaults } from '../shared/locale-defaults.ts';
import { useForm } from '../shared/use-form.ts';

/** Creates another account, and opens it. */
export default function NewAccountDialog({ onClose }: { onClose: () => void }) {
  const { accounts } = useSession();
  const form = useForm({
    initial: { name: '' },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ name }) => headwater.createAccount({ name: name.trim(), ...localeDefaults() }),
    onSaved: (state) => {
      const created = state.accounts.find(({ id }) => !accounts.some((each) => each.id === id));
      window.location.assign(created ? `/${created.id}/home` : '/');
    },
  });
  return (
    <FormDialog form={form} title={t('New account')} submit={t('Create account')} onClose={onClose}>
      <TextInput
        label={t('Account name')}
        description={t('Its data, members and keys are separate from those of your other accounts.')}
        dir="auto"
        data-autofocus
        {...form.text('name')}
      />
    </FormDialog>
  );
}
