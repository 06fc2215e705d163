import { Button, Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { errorMessage } from './error-messages.ts';

type Notices = typeof import('./notices.tsx')['notifications'];

const notices = async (run: (notices: Notices) => void) => run((await import('./notices.tsx')).notifications);

/** Confirms an action. */
export function notify(message: string): void {
  void notices((all) => all.show({ message, autoClose: 3_000, withBorder: true }));
}

/** Confirms an action and offers to undo it. */
export function notifyWithUndo(message: string, undo: () => Promise<unknown>): void {
  void notices((all) => {
    const id = all.show({
      autoClose: 12_000,
      withBorder: true,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{message}</Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              all.hide(id);
              undo().catch(notifyError);
            }}
          >
            {t('Undo')}
          </Button>
        </Group>
      ),
    });
  });
}

/** Says that a part of the page is gone, which happens when the service is updated. */
export function offerReload(): void {
  notices((all) =>
    all.show({
      id: 'reload',
      color: 'orange',
      autoClose: false,
      withBorder: true,
      title: t('This part could not be loaded'),
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{t('Headwater may have been updated. Save your changes, then reload the page.')}</Text>
          <Button size="compact-sm" variant="light" onClick={() => window.location.reload()}>
            {t('Reload')}
          </Button>
        </Group>
      ),
    }),
  ).catch(() => {
    // The notices themselves are gone.
  });
}

/** Shows why an action failed. */
export function notifyError(error: unknown): void {
  const { title, detail } = errorMessage(error);
  void notices((all) => all.show({ color: 'red', title, message: detail, autoClose: 8_000, withBorder: true }));
}
