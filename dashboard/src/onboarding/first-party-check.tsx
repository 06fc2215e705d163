import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater, useMayEdit } from '../service/session.ts';
import { errorMessage } from '../shared/error-messages.ts';
import { GuideLink } from '../shared/guide-link.tsx';
import { TextLink } from '../shared/text-link.tsx';

type Problem = Awaited<ReturnType<typeof headwater.checkFirstParty>>['problems'][number];

const PROBLEMS: Record<Problem['code'], string> = {
  turned_off: t('The first-party ID is turned off in the tracking settings.'),
  not_https: t('Browsers keep the cookie over HTTPS only.'),
  unreachable: t('Your domain cannot be reached from the service.'),
  key_refused: t('The service refused the publishable key, or the domain is not allowed.'),
  not_forwarded: t('The path v1/batch is not forwarded to this service.'),
  cookie_removed: t('The proxy removes the cookie hw_id from requests.'),
  set_cookie_removed: t('The proxy removes Set-Cookie from responses, or caches them.'),
  header_removed: t('The proxy removes the header Sec-Fetch-Site.'),
};

/** Checks from outside whether the first-party cookie arrives. */
export function FirstPartyCheck({ apiKey }: { apiKey: string }) {
  const mayEdit = useMayEdit();
  const [scriptUrl, setScriptUrl] = useState('');
  const check = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.checkFirstParty({ scriptUrl: scriptUrl.trim(), apiKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate();
  };
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          'Safari deletes what scripts store after seven days. Under a path of your own domain, the service keeps the visitor in a first-party cookie instead, with consent.',
        )}
      </Text>
      <Group gap="md">
        <TextLink to="/settings/tracking">{t('Turn it on')}</TextLink>
        <GuideLink to="how-to/keep-visitors-on-your-own-domain">{t('Guide: your own domain')}</GuideLink>
      </Group>
      {mayEdit && (
        <form onSubmit={submit}>
          <Group gap="xs" align="flex-end">
            <TextInput
              type="url"
              required
              flex={1}
              label={t('URL of the script on your domain')}
              placeholder="https://shop.example/metrics/headwater.js"
              value={scriptUrl}
              onChange={(event) => setScriptUrl(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={check.isPending} disabled={scriptUrl.trim() === ''}>
              {t('Check')}
            </Button>
          </Group>
        </form>
      )}
      {check.error && (
        <Alert color="red" variant="light" role="alert">
          {errorMessage(check.error).detail}
        </Alert>
      )}
      {check.data?.works && (
        <Alert color="green" variant="light" role="status">
          {t('The cookie arrives, and the browser may keep it.')}
        </Alert>
      )}
      {check.data && !check.data.works && (
        <Alert color="yellow" variant="light" role="status" title={t('The cookie does not work yet')}>
          <List size="sm">
            {check.data.problems.map(({ code, detail }) => (
              <List.Item key={code}>
                {PROBLEMS[code]}
                {code === 'unreachable' && ` (${detail})`}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
