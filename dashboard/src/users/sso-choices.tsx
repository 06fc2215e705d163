import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';

const PAUSE_MS = 300;

export const ssoStart = (accountId: string, query: Record<string, string>) =>
  `/auth/sso/${accountId}/start?${new URLSearchParams(query)}`;

/** Buttons of the identity providers for the domain of an email. Only the domain is sent. */
export function SsoChoices({ email }: { email: string }) {
  const domain = useDelayed(/@((?:[\w-]+\.)+[\w-]{2,})$/.exec(email.trim())?.[1]?.toLowerCase() ?? '');
  const { data } = useQuery({
    queryKey: ['sso of domain', domain],
    queryFn: ({ signal }) => headwater.listSsoOfDomain({ domain }, { signal }),
    enabled: domain !== '',
    // Without it, the password is what there is.
    meta: { shown: true },
    retry: false,
  });
  const returnTo = window.location.pathname + window.location.search;
  return data?.connections.map(({ accountId, name }) => (
    <Button
      key={accountId}
      component="a"
      variant="default"
      href={ssoStart(accountId, returnTo === '/' ? {} : { returnTo })}
    >
      {t('Continue with single sign-on ({name})', { name })}
    </Button>
  ));
}

function useDelayed(value: string): string {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return delayed;
}
