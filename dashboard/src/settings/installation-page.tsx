import { Alert, Anchor, Button, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { spanOf } from '../overview/overview-state.ts';
import { headwater, useSession } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { formatNumber } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { KEY_KINDS, NewKey } from './keys-page.tsx';
import { PLATFORMS, postbackUrl } from './postback.ts';

interface Script {
  url: string;
  latest: string;
  integrity: string;
}

/** The addresses of the page's script, which the service tells to everybody. */
async function loadScript({ signal }: { signal: AbortSignal }): Promise<Script> {
  const response = await fetch('/headwater.json', { signal });
  if (!response.ok) throw new Error(`/headwater.json answered ${response.status}`);
  return response.json();
}

export function InstallationPage() {
  const query = useQuery({ queryKey: ['script'], queryFn: loadScript, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Page title="Installation" description="Put the script on your pages, and tell your shop where sales are reported.">
      <Loaded query={query}>
        {(script) => (
          <>
            <Snippet script={script} />
            <Seen />
            <PostbackBuilder baseUrl={new URL(script.latest).origin} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface KeyInputProps {
  kind: 'publishable' | 'postback';
  label: string;
  description: string;
  value: string;
  onChange: (key: string) => void;
  error?: string;
}

/** A key is shown when it is made, and never again: one that was kept is pasted, or another one is made here. */
function KeyInput({ kind, label, description, value, onChange, error }: KeyInputProps) {
  const { account } = useSession();
  const [isMaking, setIsMaking] = useState(false);
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        placeholder={`${KEY_KINDS[kind].prefix}…`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
        error={error}
        rightSectionWidth={104}
        rightSection={
          account.role === 'owner' && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => setIsMaking(true)}
              aria-label={`Make one: ${label.toLowerCase()}`}
            >
              Make one
            </Button>
          )
        }
      />
      {isMaking && <NewKey kind={kind} onClose={() => setIsMaking(false)} onMade={({ token }) => onChange(token)} />}
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
    <Stack className="surface" p="lg">
      <Title order={2}>The script</Title>
      <Text size="sm">
        It goes into the head of every page. It records visits, keeps ad clicks, and stores no cookie.
      </Text>
      <KeyInput
        kind="publishable"
        label="Publishable key"
        description="It may stand in a page's source: it records visits and events, and nothing else."
        value={key}
        onChange={setKey}
        error={isSecret ? 'This is a secret token. It must never stand in a page.' : undefined}
      />
      {!isSecret && <CopyField block label="Snippet" value={text} />}
      <Text size="sm" c="dimmed">
        With a strict content security policy, use the fixed version with its hash:{' '}
        <Anchor underline="always" href="/headwater.json" target="_blank" rel="noreferrer" size="sm">
          its address and integrity
        </Anchor>
        .
      </Text>
    </Stack>
  );
}

/** Whether pages have recorded anything of late; looked at again and again, for whoever has just put the script there. */
function Seen() {
  const span = spanOf({ period: 'week', compare: 'none' });
  const query = useQuery({
    queryKey: ['seen', span],
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
            ? 'Whether your pages record could not be looked up.'
            : visits > 0
              ? `Your pages record: ${formatNumber(visits)} ${visits === 1 ? 'visit' : 'visits'} in the last seven days.`
              : 'No visit in the last seven days. Open one of your pages: it appears here within a minute.'}
        </Text>
      </Group>
      {visits > 0 && (
        <Button component={Link} to="/overview" variant="default" size="compact-sm">
          See them
        </Button>
      )}
    </Group>
  );
}

const CUSTOM = { valueMacro: '{value}', currency: 'EUR', eventIdMacro: '{order_id}', event: '' };

function PostbackBuilder({ baseUrl }: { baseUrl: string }) {
  const [identifier, setIdentifier] = useState('gclid');
  const platform = PLATFORMS.find((each) => each.identifier === identifier) ?? PLATFORMS[0];
  const [clickMacro, setClickMacro] = useState<string>();
  const [key, setKey] = useState('');
  const [rest, setRest] = useState(CUSTOM);
  if (!platform) return null;
  const url = postbackUrl({
    baseUrl,
    key: key || '{postback_key}',
    platform,
    clickMacro: clickMacro ?? platform.clickMacro,
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
    <Stack className="surface" p="lg">
      <Title order={2}>Postback address</Title>
      <Text size="sm">
        A network or a shop that can only call an address reports a sale by this one. What stands in braces it replaces:
        put its own words there.
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label="Where the click came from"
          data={PLATFORMS.map((each) => ({ value: each.identifier, label: each.name }))}
          value={identifier}
          onChange={(next) => {
            setIdentifier(next ?? identifier);
            setClickMacro(undefined);
          }}
          allowDeselect={false}
          searchable
          description={`Reported as ${platform.identifier}`}
        />
        <KeyInput
          kind="postback"
          label="Postback key"
          description="Good for reporting by this address alone"
          value={key}
          onChange={setKey}
        />
        <TextInput
          label="Click id"
          description="The word for it there"
          value={clickMacro ?? platform.clickMacro}
          onChange={(event) => setClickMacro(event.currentTarget.value)}
        />
        {input('eventIdMacro', 'Order number', 'The same one again changes the value, and makes no second sale')}
        {input('valueMacro', 'Value', 'A number with a point')}
        {input('currency', 'Currency', 'Three letters')}
      </SimpleGrid>
      <Group>
        <div style={{ flex: 1, minWidth: 0 }}>
          <CopyField label="Postback address" value={url} />
        </div>
      </Group>
      <Alert variant="light" color="gray">
        Each call is answered whether the sale was matched. One that is not matched is kept for 30 days, and matched by
        itself if its visit arrives late.
      </Alert>
    </Stack>
  );
}
