import { Alert, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { macroOf, PLATFORM_LABELS } from '../shared/click-ids.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { DataTable } from '../shared/data-table.tsx';
import { KeyInput } from './key-input.tsx';
import { AD_PLATFORMS, NETWORKS } from './networks.ts';
import { postbackUrl } from './postback.ts';
import { StepCard } from './step-card.tsx';

const CLICK_SOURCES = Object.entries({ ...PLATFORM_LABELS, sessionHash: t('Your own shop, by session') }).map(
  ([value, label]) => ({ value, label }),
);
const CUSTOM = { valueMacro: '{value}', eventIdMacro: '{order_id}', event: '' };

interface PostbackBuilderProps {
  baseUrl: string;
  /** Of the account. */
  currency: string;
  isDone: boolean | undefined;
}

export function PostbackBuilder({ baseUrl, currency: own, isDone }: PostbackBuilderProps) {
  const [network, setNetwork] = useState<string | null>(null);
  const [identifier, setIdentifier] = useState('gclid');
  const [clickMacro, setClickMacro] = useState<string>();
  const [key, setKey] = useState('');
  const [rest, setRest] = useState({ ...CUSTOM, currency: own });
  const url = postbackUrl({
    baseUrl,
    key: key || '{postback_key}',
    identifier,
    clickMacro: clickMacro ?? macroOf(identifier),
    ...rest,
  });
  const input = (name: keyof typeof rest, label: string, description: string) => (
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
    <StepCard title={t('Postback URL')} isDone={isDone}>
      <Text size="sm">
        {t(
          'For networks and shops that report sales by calling a URL. They replace the macros in braces: enter the macros that your network uses, or choose it.',
        )}
      </Text>
      <Select
        label={t('Network')}
        placeholder={t('Other')}
        description={
          network && NETWORKS[network]
            ? t(
                'Add the session to the links of {name}: {linkParameter}=SESSION_HASH. Compare the macros with the list of your network.',
                { name: NETWORKS[network].name, linkParameter: NETWORKS[network].linkParameter },
              )
            : t('Fills in its macros')
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
          label={t('Click source')}
          data={CLICK_SOURCES}
          value={identifier}
          onChange={(next) => {
            setIdentifier(next ?? identifier);
            setClickMacro(undefined);
          }}
          searchable
          description={t('Reported as {identifier}', { identifier })}
        />
        <KeyInput
          type="postback"
          label={t('Postback key')}
          description={t('Only reports conversions through this URL')}
          value={key}
          onChange={setKey}
        />
        <TextInput
          label={t('Click ID')}
          description={t('Macro')}
          value={clickMacro ?? macroOf(identifier)}
          onChange={(event) => setClickMacro(event.currentTarget.value)}
        />
        {input('eventIdMacro', t('Order ID'), t('Macro. Conversions are deduplicated by order ID'))}
        {input('valueMacro', t('Value'), t('Macro. A number with a decimal point'))}
        {input('currency', t('Currency'), t('ISO code, or a macro'))}
      </SimpleGrid>
      <Group>
        <div style={{ flex: 1, minWidth: 0 }}>
          <CopyField label={t('Postback URL')} value={url} />
        </div>
      </Group>
      <Alert variant="light" color="gray">
        {t(
          'The response says whether the conversion was matched. Unmatched conversions are kept for 30 days and matched automatically when their visit arrives.',
        )}
      </Alert>
      <DataTable
        label={t('Click IDs of ad platforms')}
        query={{ data: AD_PLATFORMS }}
        isDense
        rowKey={({ clickId }) => clickId}
        columns={[
          { id: 'platform', label: t('Ad platform'), cell: ({ name }) => name },
          { id: 'clickId', label: t('Click ID'), cell: ({ clickId }) => <code>{clickId}</code> },
          { id: 'setup', label: t('In the URL of the ad'), cell: ({ setup }) => setup },
        ]}
      />
    </StepCard>
  );
}
