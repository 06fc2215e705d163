import { Text } from '@mantine/core';

/** The totals of a list, above it: "154 leads · €1,230.00". */
export function TotalLine({ parts }: { parts: (string | false | undefined)[] | undefined }) {
  return (
    <Text size="sm" c="dimmed" className="number" mih={20} role="status">
      {parts?.filter(Boolean).join(' · ')}
    </Text>
  );
}
