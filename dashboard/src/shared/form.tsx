import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { LeaveGuard } from './leave-guard.tsx';
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
  return (
    <form ref={form.element} onSubmit={form.submit} noValidate={noValidate}>
      {form.isRestored && (
        <Alert color="blue" variant="light" role="status" mb="md">
          <Group justify="space-between">
            Your unsaved changes were restored.
            <Button variant="default" size="compact-sm" onClick={() => form.reset()}>
              Discard changes
            </Button>
          </Group>
        </Alert>
      )}
      {children}
      {isGuarded && <LeaveGuard shouldBlock={form.hasUnsavedChanges} onDiscard={() => form.reset()} />}
    </form>
  );
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
  cancel = 'Cancel',
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
