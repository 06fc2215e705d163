import { Alert, Anchor, Button, Group, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { spanOf } from '../overview/overview-state.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { macroOf, PLATFORM_LABELS } from '../shared/click-ids.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KEY_TYPES } from './key-types.ts';
import { postbackUrl } from './postback.ts';

interface Script {
  url: string;
  latest: string;
  integrity: string;
}

/** The public URLs of the tracking script. */
async function loadScript({ signal }: { signal: AbortSignal }): Promise<Script> {
  const response = await fetch('/headwater.json', { signal });
  if (!response.ok) throw new Error(`/headwater.json answered ${response.status}`);
  return response.json();
}

export function InstallationPage() {
  const query = useQuery({ queryKey: ['script'], queryFn: loadScript, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page title="Installation" description="Add the script to your pages, and connect your shop and ad platforms.">
      <Loaded query={query}>
        {(script) => (
          <>
            <Snippet script={script} />
            <InstallationStatus />
            <PostbackBuilder baseUrl={new URL(script.latest).origin} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface KeyInputProps {
  type: 'publishable' | 'postback';
  label: string;
  description: string;
  value: string;
  onChange: (key: string) => void;
  error?: string;
}

/** A key is shown only once: paste a saved one, or create another. */
function KeyInput({ type, label, description, value, onChange, error }: KeyInputProps) {
  const { account } = useSession();
  const [isCreating, setIsCreating] = useState(false);
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        placeholder={`${KEY_TYPES[type].prefix}…`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        error={error}
        rightSectionWidth={104}
        rightSection={
          account.role === 'owner' && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setIsCreating(true)}
              aria-label={`Create ${label.toLowerCase()}`}
            >
              Create
            </Button>
          )
        }
      />
      {isCreating && (
        <CreateKeyDialog type={type} onClose={() => setIsCreating(false)} onCreated={({ token }) => onChange(token)} />
      )}
    </div>
  );
}

function Snippet({ script }: { script: Script }) {
  const [key, setKey] = useState('');
  const apiKey = key.trim() || 'hw_pk_…';
  const isSecret = key.trim().startsWith('hw_sk_');
  const text = `<script>window.headwater={apiKey:'${apiKey}',q:[],consent:m=>{headwater.mode=m},track:(...a)=>new Promise(r=>{headwater.q.push([r,...a]);setTimeout(r,5e3,{success:false,error:'pending'})})}</script>
<script async src="${script.latest}"></script>`;
  return (
    <Card title="Script">
      <Text size="sm">Add it to the head of every page. It records visits and ad clicks, and sets no cookies.</Text>
      <KeyInput
        type="publishable"
        label="Publishable key"
        description="Safe in page source: it records visits and events only."
        value={key}
        onChange={setKey}
        error={isSecret ? 'This is a secret token. Never put it in a page; use a publishable key.' : undefined}
      />
      {!isSecret && <CopyField block label="Snippet" value={text} />}
      <Text size="sm" c="dimmed">
        With a strict content security policy, use the versioned script with its hash:{' '}
        <Anchor underline="always" href="/headwater.json" target="_blank" rel="noreferrer" size="sm">
          URL and integrity hash
        </Anchor>
        .
      </Text>
    </Card>
  );
}

/** Whether visits arrive. Polls, so that the first one shows right after the script is installed. */
function InstallationStatus() {
  const span = spanOf({ period: 'week', compare: 'none' });
  const query = useQuery({
    queryKey: ['installation status', span],
    queryFn: ({ signal }) => headwater.getOverview(span, { signal }),
    refetchInterval: 5_000,
  });
  const visits = query.data?.current.visits ?? 0;
  return (
    <Group className="surface" p="lg" justify="space-between" role="status">
      <Group gap="sm" wrap="nowrap">
        <Icon name={visits > 0 ? 'check' : 'clock'} color={visits > 0 ? 'var(--better)' : undefined} />
        <Text size="sm">
          {query.isError
            ? 'The status could not be loaded.'
            : visits > 0
              ? `Receiving data: ${formatNumber(visits)} ${visits === 1 ? 'visit' : 'visits'} in the last 7 days.`
              : 'No visits in the last 7 days. Open one of your pages: the visit appears here within a minute.'}
        </Text>
      </Group>
      {visits > 0 && (
        <Button component={Link} to="/overview" variant="default" size="compact-sm">
          View
        </Button>
      )}
    </Group>
  );
}

const CLICK_SOURCES = Object.entries({ ...PLATFORM_LABELS, sessionHash: 'Your own shop, by session' }).map(
  ([value, label]) => ({ value, label }),
);
const CUSTOM = { valueMacro: '{value}', currency: 'EUR', eventIdMacro: '{order_id}', event: '' };

function PostbackBuilder({ baseUrl }: { baseUrl: string }) {
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
    <Card title="Postback URL">
      <Text size="sm">
        For networks and shops that report sales by calling a URL. They replace the macros in braces: enter the macros
        that your network uses.
      </Text>
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
    </Card>
  );
}
