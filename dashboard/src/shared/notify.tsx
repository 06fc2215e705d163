import { Button, Group, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { errorMessage } from './error-messages.ts';

type Notices = typeof import('./notices.tsx')['notifications'];

const notices = async (run: (notices: Notices) => void) => run((await import('./notices.tsx')).notifications);

const pressed = { x: 0, y: 0 };
const press = ({ clientX: x, clientY: y }: PointerEvent) => void Object.assign(pressed, { x, y });
document.addEventListener('pointerdown', press, { capture: true, passive: true });

/** Buttons are on the right, so notices are on the left, unless they would cover what was just clicked. */
const place = () => {
  const isThere = pressed.y > window.innerHeight - 240 && (window.innerWidth < 700 || pressed.x < 480);
  const other = window.innerWidth < 700 ? ('top-center' as const) : ('bottom-right' as const);
  return { withBorder: true, position: isThere ? other : ('bottom-left' as const) };
};

/** Confirms an action. */
export function notify(message: string): void {
  void notices((all) => all.show({ ...place(), message, autoClose: 3_000 }));
}

/** Confirms an action and offers to undo it. */
export function notifyWithUndo(message: string, undo: () => Promise<unknown>): void {
  void notices((all) => {
    const id = all.show({
      ...place(),
      autoClose: 12_000,
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
  void notices((all) => all.show({ ...place(), color: 'red', title, message: detail, autoClose: 8_000 }));
}
