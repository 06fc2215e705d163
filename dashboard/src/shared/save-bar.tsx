import { Button, Group, Text } from '@mantine/core';
import classes from './save-bar.module.css';
import type { FormState } from './use-form.ts';

interface SaveBarProps {
  form: FormState & { reset: () => void };
  submit: string;
}

/** The actions of a long form. The bar stays at the bottom of the window while the form scrolls. */
export function SaveBar({ form, submit }: SaveBarProps) {
  return (
    <div className={classes.bar}>
      <Text size="sm" c="dimmed">
        {form.isDirty ? 'Unsaved changes' : 'No unsaved changes'}
      </Text>
      <Group gap="xs">
        {form.isDirty && (
          <Button variant="subtle" color="gray" onClick={() => form.reset()}>
            Discard
          </Button>
        )}
        <Button type="submit" loading={form.isPending} disabled={!form.canSubmit}>
          {submit}
        </Button>
      </Group>
    </div>
  );
}
