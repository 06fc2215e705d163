import { SimpleGrid, Text } from '@mantine/core';

/** The properties of one record. Properties without a value are left out. */
export function DescriptionList({ items }: { items: readonly [name: string, value: string | null][] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} className="surface" p="lg" spacing="sm">
      {items.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <Text size="xs" c="dimmed">
                {name}
              </Text>
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </div>
          ),
      )}
    </SimpleGrid>
  );
}
