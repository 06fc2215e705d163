import { Alert, Button, Group } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { t } from '../languages/translate.ts';
import { formatRelativeTime } from './formats.ts';
import { LeaveGuard } from './leave-guard.tsx';
import { notifyWithUndo } from './notify.tsx';
import type { FormState } from './use-form.ts';

interface FormProps {
  form: FormState;
  /** Lets the service check the values, not the browser. */
  noValidate?: boolean;
  /** Leaving asks first when there are unsaved changes. Off where a dialog does that. */
  isGuarded?: boolean;
  children: ReactNode;
}

/** A form with its error message. */
export function Form({ form, noValidate = false, isGuarded = true, children }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // The form of a dialog is not within the one that opened it, but its events are.
    event.stopPropagation();
    form.submit(event);
  };
  return (
    <form ref={form.element} onSubmit={submit} noValidate={noValidate}>
      {form.isRestored && (
        <Alert color="blue" variant="light" role="status" mb="md">
          <Group justify="space-between">
            {t('Your unsaved changes were restored.')}
            <Button variant="default" size="compact-sm" onClick={() => discardWithUndo(form)}>
              {t('Discard changes')}
            </Button>
          </Group>
        </Alert>
      )}
      {form.offered && !form.isDirty && (
        <Alert color="blue" variant="light" role="status" mb="md">
          <Group justify="space-between">
            {t('Another tab has unsaved changes to this form, last edited {value}.', {
              value: formatRelativeTime(new Date(form.offered.at).toISOString()),
            })}
            <Group gap="xs">
              <Button variant="default" size="compact-sm" onClick={form.offered.discard}>
                {t('Discard them')}
              </Button>
              <Button size="compact-sm" onClick={form.offered.take}>
                {t('Continue here')}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {children}
      {isGuarded && <LeaveGuard shouldBlock={form.hasUnsavedChanges} onDiscard={() => form.reset()} />}
    </form>
  );
}

/** Discards the unsaved changes of a form at once, and offers to bring them back. */
export function discardWithUndo(form: Pick<FormState, 'discard'>): void {
  const restore = form.discard();
  notifyWithUndo(t('Your changes were discarded.'), async () => restore());
}

export function FormError({ form, title }: { form: Pick<FormState, 'message'>; title?: string }) {
  if (form.message === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={title}>
      {form.message}
    </Alert>
  );
}

interface FormActionsProps {
  form: FormState;
  submit: string;
  cancel?: string;
  onCancel?: () => void;
  isDisabled?: boolean;
  /** Opposite the buttons. */
  children?: ReactNode;
}

/** The bar with Cancel and the button that submits. */
export function FormActions({
  form,
  submit,
  cancel = t('Cancel'),
  onCancel,
  isDisabled = false,
  children,
}: FormActionsProps) {
  return (
    <Group justify={children ? 'space-between' : 'flex-end'}>
      {children}
      <Group gap="sm">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {cancel}
          </Button>
        )}
        <Button type="submit" loading={form.isPending} disabled={isDisabled || !form.canSubmit}>
          {submit}
        </Button>
      </Group>
    </Group>
  );
}
