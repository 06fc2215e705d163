import { Button, Group, Text } from '@mantine/core';
import { messageOf } from './messages.ts';

type Notices = typeof import('./notices.tsx')['notifications'];

const notices = async (run: (notices: Notices) => void) => run((await import('./notices.tsx')).notifications);

/** Says that something was done. */
export function tell(message: string): void {
  void notices((all) => all.show({ message, autoClose: 3_000, withBorder: true }));
}

/** Says that something was done, and offers to undo it. */
export function tellUndo(message: string, undo: () => Promise<unknown>): void {
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
              undo().catch(tellFailure);
            }}
          >
            Undo
          </Button>
        </Group>
      ),
    });
  });
}

/** Says why something was not done. */
export function tellFailure(error: unknown): void {
  const { title, detail } = messageOf(error);
  void notices((all) => all.show({ color: 'red', title, message: detail, autoClose: 8_000, withBorder: true }));
}
