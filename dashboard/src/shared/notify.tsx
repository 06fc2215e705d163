import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messageOf } from './messages.ts';

/** Says that something was done. */
export function tell(message: string): void {
  notifications.show({ message, autoClose: 3_000, withBorder: true });
}

/** Says that something was done, and offers to undo it. */
export function tellUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    autoClose: 12_000,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            undo().catch(tellFailure);
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Says why something was not done. */
export function tellFailure(error: unknown): void {
  const { title, detail } = messageOf(error);
  notifications.show({ color: 'red', title, message: detail, autoClose: 8_000, withBorder: true });
}
