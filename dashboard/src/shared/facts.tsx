import { SimpleGrid, Text } from '@mantine/core';

/** What is known of one thing, name by name; what is not known is left out. */
export function Facts({ facts }: { facts: readonly [name: string, value: string | null][] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} className="surface" p="lg" spacing="sm">
      {facts.map(
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
