import { Button, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { t } from '../languages/translate.ts';
import { discardWithUndo } from './form.tsx';
import classes from './save-bar.module.css';
import type { FormState } from './use-form.ts';

interface SaveBarProps {
  form: FormState;
  submit: string;
  /** What became of unsaved changes so far. */
  note?: string | undefined;
}

/** The actions of a long form, which Ctrl+S saves from every field. The bar stays at the bottom of the window while the form scrolls. */
export function SaveBar({ form, submit, note }: SaveBarProps) {
  useHotkeys([['mod+S', () => form.submit()]], [], true);
  const isUntouched = !form.isDirty && form.result === undefined;
  const state = isUntouched ? t('No unsaved changes') : t('Saved.');
  return (
    <div className={classes.bar} data-save-bar>
      <Text size="sm" c="dimmed" role="status" visibleFrom={isUntouched ? 'xs' : undefined}>
        {form.isDirty ? [t('Unsaved changes'), note].filter(Boolean).join(', ') : state}
      </Text>
      <Group gap="xs">
        {form.isDirty && (
          <Button variant="subtle" color="gray" onClick={() => discardWithUndo(form)}>
            {t('Discard')}
          </Button>
        )}
        <Button type="submit" loading={form.isPending} disabled={!form.canSubmit}>
          {submit}
        </Button>
      </Group>
    </div>
  );
}
