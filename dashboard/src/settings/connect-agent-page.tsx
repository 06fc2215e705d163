import { Alert, Anchor, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useIsOwner } from '../service/session.ts';
import { Form, FormActions, FormError } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { EmptyState, Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useRoles } from '../users/use-roles.ts';
import { EVERYTHING, endIn, PERIODS, refreshKeys } from './create-key-dialog.tsx';

/** What an agent asks for by the link that it opens. */
function requestOfLink() {
  const sent = new URLSearchParams(window.location.hash.slice(1));
  const [state, resource] = [sent.get('state'), sent.get('resource')];
  return {
    clientId: sent.get('client_id') ?? '',
    redirectUri: sent.get('redirect_uri') ?? '',
    codeChallenge: sent.get('code_challenge_method') === 'S256' ? (sent.get('code_challenge') ?? '') : '',
    ...(state !== null && { state }),
    ...(resource !== null && { resource }),
  };
}

/** An agent asks for access to the account: an owner chooses what it may do, and the browser returns to the agent. */
export function ConnectAgentPage() {
  const [request] = useState(requestOfLink);
  const isOwner = useIsOwner();
  const query = useQuery({
    queryKey: ['agent', request],
    queryFn: ({ signal }) => headwater.checkAgent(request, { signal }),
    enabled: isOwner,
    retry: false,
  });
  return (
    <Page title={t('Connect an agent')} description={t('A program asks for access to this account.')}>
      {isOwner ? (
        <Loaded query={query}>{(agent) => <ConnectForm agent={agent} request={request} />}</Loaded>
      ) : (
        <EmptyState icon="key" title={t('Only owners connect agents')}>
          {t('Ask an owner of this account to open the link of the agent.')}
        </EmptyState>
      )}
    </Page>
  );
}

interface ConnectFormProps {
  agent: Awaited<ReturnType<typeof headwater.checkAgent>>;
  request: ReturnType<typeof requestOfLink>;
}

function ConnectForm({ agent: { name, host, redirectTarget, deniedUrl }, request }: ConnectFormProps) {
  const roles = [...useRoles().options.filter(({ value }) => value !== 'owner'), EVERYTHING];
  const form = useForm({
    initial: { roleId: 'viewer', days: '90' },
    save: ({ roleId, days }) =>
      headwater.connectAgent({ ...request, ...(roleId !== EVERYTHING.value && { roleId }), ...endIn(days) }),
    onSaved: ({ redirectTo }) => {
      void refreshKeys();
      window.location.assign(redirectTo);
    },
  });
  return (
    <Form form={form} isGuarded={false}>
      <Stack maw={480}>
        <FormError form={form} />
        <Text>
          {t('{name} wants to use this account. Its token goes to {redirectTarget}.', { name, redirectTarget })}
        </Text>
        <Alert variant="light" color={host === null ? 'yellow' : 'water'}>
          {host === null
            ? t(
                'The program chose this name itself. Connect it only if you have just started this from a program that you trust.',
              )
            : t('{host} says that this is its program.', { host })}
        </Alert>
        <Select label={t('May do')} allowDeselect={false} data={roles} {...form.input('roleId')} />
        <Select label={t('Ends')} allowDeselect={false} data={PERIODS} {...form.input('days')} />
        <Text size="sm" c="dimmed">
          {t('You can revoke its access at any time in Settings › API keys.')}
        </Text>
        <Group justify="space-between">
          <Anchor href={deniedUrl} size="sm">
            {t('Deny')}
          </Anchor>
          <FormActions form={form} submit={t('Connect')} />
        </Group>
      </Stack>
    </Form>
  );
}
