import { Group, Text } from '@mantine/core';

export function Logo() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/icon.svg" width={26} height={26} alt="" />
      <Text fw={650} size="lg" style={{ letterSpacing: '-0.01em' }}>
        Headwater
      </Text>
    </Group>
  );
}
