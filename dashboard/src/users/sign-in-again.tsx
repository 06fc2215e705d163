import { Anchor, Text } from '@mantine/core';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { sessionExpiredQuery } from '../service/session.ts';
import { Dialog } from '../shared/dialogs.tsx';
import { deleteDrafts } from '../shared/drafts.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Opens over the page when the session has ended. The page and its forms stay as they are. */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Dialog
      title={t('Sign in again')}
      onClose={() => {}}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Text size="sm" mb="md">
        {t('Your session has ended. Sign in to continue where you left off: your changes on this page are kept.')}
      </Text>
      <SignInForm
        email={email}
        onSignedIn={() => {
          queryClient.setQueryData(sessionExpiredQuery().queryKey, false);
          void queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== 'session' });
        }}
      />
      <Text size="sm" mt="md">
        <Anchor href="/" size="sm" onClick={deleteDrafts}>
          {t('Sign in as another user')}
        </Anchor>
      </Text>
    </Dialog>
  );
}
