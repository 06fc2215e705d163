import { Alert, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { macroOf, PLATFORM_LABELS } from '../shared/click-ids.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { DataTable } from '../shared/data-table.tsx';
import { KeyInput } from './key-input.tsx';
import { AD_PLATFORMS, NETWORKS } from './networks.ts';
import { postbackUrl } from './postback.ts';
import { StepCard } from './step-card.tsx';

const CLICK_SOURCES = Object.entries({ ...PLATFORM_LABELS, sessionHash: 'Your own shop, by session' }).map(
  ([value, label]) => ({ value, label }),
);
const CUSTOM = { valueMacro: '{value}', currency: 'EUR', eventIdMacro: '{order_id}', event: '' };

export function PostbackBuilder({ baseUrl, isDone }: { baseUrl: string; isDone: boolean | undefined }) {
  const [network, setNetwork] = useState<string | null>(null);
  const [identifier, setIdentifier] = useState('gclid');
  const [clickMacro, setClickMacro] = useState<string>();
  const [key, setKey] = useState('');
  const [rest, setRest] = useState(CUSTOM);
  const url = postbackUrl({
    baseUrl,
    key: key || '{postback_key}',
    identifier,
    clickMacro: clickMacro ?? macroOf(identifier),
    ...rest,
  });
  const input = (name: keyof typeof CUSTOM, label: string, description: string) => (
    <TextInput
      label={label}
      description={description}
      value={rest[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setRest((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <StepCard title="Postback URL" isDone={isDone}>
      <Text size="sm">
        For networks and shops that report sales by calling a URL. They replace the macros in braces: enter the macros
        that your network uses, or choose it.
      </Text>
      <Select
        label="Network"
        placeholder="Other"
        description={
          network && NETWORKS[network]
            ? `Add the session to the links of ${NETWORKS[network].name}: ${NETWORKS[network].linkParameter}=SESSION_HASH. Compare the macros with the list of your network.`
            : 'Fills in its macros'
        }
        data={Object.entries(NETWORKS).map(([value, { name }]) => ({ value, label: name }))}
        value={network}
        onChange={(next) => {
          setNetwork(next);
          const chosen = next === null ? undefined : NETWORKS[next];
          if (!chosen) return;
          const { clickMacro: macro, valueMacro, currency, eventIdMacro } = chosen;
          setIdentifier('sessionHash');
          setClickMacro(macro);
          setRest((before) => ({ ...before, valueMacro, currency, eventIdMacro }));
        }}
        clearable
        maw={400}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Click source"
          data={CLICK_SOURCES}
          value={identifier}
          onChange={(next) => {
            setIdentifier(next ?? identifier);
            setClickMacro(undefined);
          }}
          searchable
          description={`Reported as ${identifier}`}
        />
        <KeyInput
          type="postback"
          label="Postback key"
          description="Only reports conversions through this URL"
          value={key}
          onChange={setKey}
        />
        <TextInput
          label="Click ID"
          description="Macro"
          value={clickMacro ?? macroOf(identifier)}
          onChange={(event) => setClickMacro(event.currentTarget.value)}
        />
        {input('eventIdMacro', 'Order ID', 'Macro. Conversions are deduplicated by order ID')}
        {input('valueMacro', 'Value', 'Macro. A number with a decimal point')}
        {input('currency', 'Currency', 'ISO code, or a macro')}
      </SimpleGrid>
      <Group>
        <div style={{ flex: 1, minWidth: 0 }}>
          <CopyField label="Postback URL" value={url} />
        </div>
      </Group>
      <Alert variant="light" color="gray">
        The response says whether the conversion was matched. Unmatched conversions are kept for 30 days and matched
        automatically when their visit arrives.
      </Alert>
      <DataTable
        label="Click IDs of ad platforms"
        query={{ data: AD_PLATFORMS }}
        isDense
        rowKey={({ clickId }) => clickId}
        columns={[
          { id: 'platform', label: 'Ad platform', cell: ({ name }) => name },
          { id: 'clickId', label: 'Click ID', cell: ({ clickId }) => <code>{clickId}</code> },
          { id: 'setup', label: 'In the URL of the ad', cell: ({ setup }) => setup },
        ]}
      />
    </StepCard>
  );
}
