import { Anchor, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { GuideLink } from '../shared/guide-link.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { TextLink } from '../shared/text-link.tsx';
import { conversionRecipes } from './conversion-recipes.ts';
import { FirstPartyCheck } from './first-party-check.tsx';
import { HiddenVisit } from './hidden-visit.tsx';
import { EVENT_RECIPE, installRecipes } from './install-recipes.ts';
import { KeyInput } from './key-input.tsx';
import { PostbackBuilder } from './postback-builder.tsx';
import { useLatestSession, useSetupSteps } from './setup-steps.ts';
import { StepCard } from './step-card.tsx';

export interface Script {
  url: string;
  latest: string;
  integrity: string;
}

/** The public URLs of the tracking script. */
export async function loadScript({ signal }: { signal: AbortSignal }): Promise<Script> {
  const response = await fetch('/headwater.json', { signal });
  if (!response.ok) throw new Error(`/headwater.json answered ${response.status}`);
  return response.json();
}

export function InstallationPage() {
  const script = useQuery({ queryKey: ['script'], queryFn: loadScript, staleTime: Number.POSITIVE_INFINITY });
  const account = useQuery({ queryKey: ['account'], queryFn: ({ signal }) => headwater.getAccount({ signal }) });
  const done = useSetupSteps();
  return (
    <Page
      title={t('Installation')}
      description={t(
        'Add the script to your pages, and connect your shop and ad platforms. Each step is checked automatically.',
      )}
    >
      <Loaded query={script}>
        {(urls) => (
          <Loaded query={account}>
            {({ publishableKey, currency }) => (
              <>
                <InstallStep script={urls} publishableKey={publishableKey} isDone={done.script} />
                <StepCard title={t('First-party ID')} isDone={undefined}>
                  <FirstPartyCheck apiKey={publishableKey ?? ''} />
                </StepCard>
                <EventStep isDone={done.event} />
                <ConversionStep
                  baseUrl={new URL(urls.latest).origin}
                  currency={currency ?? 'EUR'}
                  isDone={done.conversion}
                />
                <PostbackBuilder
                  baseUrl={new URL(urls.latest).origin}
                  currency={currency ?? 'EUR'}
                  isDone={done.postback}
                />
                <IntegrationStep isDone={done.integration} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

interface InstallStepProps {
  script: Script;
  publishableKey: string | null;
  isDone: boolean | undefined;
}

function InstallStep({ script, publishableKey, isDone }: InstallStepProps) {
  const [key, setKey] = useState(publishableKey ?? '');
  const isSecret = key.trim().startsWith('hw_sk_');
  const session = useLatestSession();
  const recipes = installRecipes(key.trim() || 'hw_pk_…', script.latest);
  return (
    <StepCard title={t('Script')} isDone={isDone}>
      <Text size="sm">
        {t('It records visits and ad clicks, and sets no cookies unless you turn on the first-party ID.')}
      </Text>
      <KeyInput
        type="publishable"
        label={t('Publishable key')}
        description={t('Safe in page source: it records visits and events only.')}
        value={key}
        onChange={setKey}
        isKnown={publishableKey !== null}
        error={isSecret ? t('This is a secret token. Never put it in a page; use a publishable key.') : undefined}
      />
      <Text size="sm">
        {t(
          'Choose one of these ways, in the pages or by a tag manager. A second copy, such as that of a theme and a plugin, records nothing twice, but its settings are ignored.',
        )}
      </Text>
      {!isSecret && (
        <Recipes
          label={t('Platform')}
          recipes={Object.fromEntries(
            Object.entries(recipes).map(([name, recipe]) => [name, { ...recipe, name: t('Snippet') }]),
          )}
        />
      )}
      <Text size="sm" c="dimmed">
        {rich(
          'With a strict content security policy, use the versioned script with its hash: <anchor>URL and integrity hash</anchor>.',
          {
            anchor: (text) => (
              <Anchor underline="always" href="/headwater.json" target="_blank" rel="noreferrer" size="sm">
                {text}
              </Anchor>
            ),
          },
        )}
      </Text>
      {session === null && <HiddenVisit />}
      <Text size="sm" role="status">
        {session
          ? rich('Receiving data. <textlink>Latest visit {lastSeenAt}</textlink>', {
              textlink: (text) => <TextLink to={`/sessions/${session.id}`}>{text}</TextLink>,
              lastSeenAt: formatRelativeTime(session.lastSeenAt),
            })
          : t('No visits yet. Open one of your pages: the visit appears here within seconds.')}
      </Text>
    </StepCard>
  );
}

function EventStep({ isDone }: { isDone: boolean | undefined }) {
  return (
    <StepCard title={t('First event')} isDone={isDone}>
      <Text size="sm">
        {rich(
          'Track what visitors do. An event with an <code>email</code> creates a lead; one with a <code>value</code> counts as a conversion. This form tracks a sign-up:',
          { code: (text) => <code>{text}</code> },
        )}
      </Text>
      <CopyField block label={t('Event')} value={EVENT_RECIPE} />
      <GuideLink to="tracking#track-events">{t('Guide: track events')}</GuideLink>
    </StepCard>
  );
}

interface ConversionStepProps {
  baseUrl: string;
  currency: string;
  isDone: boolean | undefined;
}

function ConversionStep({ baseUrl, currency, isDone }: ConversionStepProps) {
  const [token, setToken] = useState('');
  const session = useLatestSession();
  const recipes = conversionRecipes({
    ...{ baseUrl, currency },
    token: token || 'hw_sk_…',
    sessionHash: session?.hash ?? 'SESSION_HASH',
  });
  return (
    <StepCard title={t('First conversion from your server')} isDone={isDone}>
      <Text size="sm">
        {rich(
          'Store <code>headwater.session.hash</code> with each order, and report the order with it. The examples use the latest session.',
          { code: (text) => <code>{text}</code> },
        )}
      </Text>
      <KeyInput
        type="secret"
        label={t('Secret token')}
        description={t('For your server only. It is filled into the examples and shown once.')}
        value={token}
        onChange={setToken}
      />
      <Recipes
        label={t('Language')}
        recipes={Object.fromEntries(
          Object.entries(recipes).map(([name, recipe]) => [name, { ...recipe, name: t('Request') }]),
        )}
      />
      <GuideLink to="conversions">{t('Guide: conversions')}</GuideLink>
    </StepCard>
  );
}

function IntegrationStep({ isDone }: { isDone: boolean | undefined }) {
  return (
    <StepCard title={t('Webhook or ad platform')} isDone={isDone}>
      <Text size="sm">
        {t('Send leads and conversions to your own systems with a webhook, or conversions back to ad platforms.')}
      </Text>
      <Group gap="md">
        <TextLink to="/webhooks">{t('Webhooks')}</TextLink>
        <TextLink to="/destinations">{t('Ad platforms')}</TextLink>
      </Group>
    </StepCard>
  );
}

interface RecipesProps {
  label: string;
  recipes: Record<string, { label: string; where?: string; name: string; code: string }>;
}

/** Tabs of copyable code. */
function Recipes({ label, recipes }: RecipesProps) {
  const [first = ''] = Object.keys(recipes);
  return (
    <Tabs defaultValue={first} keepMounted={false}>
      <Tabs.List aria-label={label} mb="sm">
        {Object.entries(recipes).map(([id, recipe]) => (
          <Tabs.Tab key={id} value={id}>
            {recipe.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(recipes).map(([id, { where, name, code }]) => (
        <Tabs.Panel key={id} value={id}>
          {where && (
            <Text size="sm" c="dimmed" mb="xs">
              {where}
            </Text>
          )}
          <CopyField block label={name} value={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
