import { Alert, Badge, Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import { t } from '../languages/translate.ts';
import { headwater } from '../service/session.ts';
import { Card } from '../shared/card.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { Dialog } from '../shared/dialogs.tsx';
import { downloadText } from '../shared/download-text.ts';
import { FormDialog } from '../shared/form-dialog.tsx';
import { notify } from '../shared/notify.tsx';
import { useForm } from '../shared/use-form.ts';
import { refreshSecurity } from '../users/security.ts';
import { PasswordDialog } from './password-dialog.tsx';

type Step =
  | { name: 'enable' | 'disable' | 'replace' }
  | { name: 'scan'; secret: string; url: string }
  | { name: 'codes'; codes: string[] };

interface TwoFactorProps {
  isEnabled: boolean;
  recoveryCodesLeft: number;
}

/** Enables and disables the codes of an authenticator app. */
export function TwoFactor({ isEnabled, recoveryCodesLeft }: TwoFactorProps) {
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  const showCodes = ({ recoveryCodes }: { recoveryCodes: string[] }) => {
    void refreshSecurity();
    setStep({ name: 'codes', codes: recoveryCodes });
  };
  return (
    <Card
      title={t('Two-factor authentication')}
      controls={
        <Badge variant={isEnabled ? 'light' : 'default'} color="teal">
          {isEnabled ? t('Enabled') : t('Disabled')}
        </Badge>
      }
    >
      <Text size="sm" c="dimmed">
        {t(
          'Sign-ins by password also ask for a code of an authenticator app, such as 1Password, Google Authenticator or Aegis.{isEnabled}',
          {
            isEnabled:
              isEnabled && ` ${t('You have {recoveryCodesLeft} unused recovery codes.', { recoveryCodesLeft })}`,
          },
        )}
      </Text>
      <Group>
        {isEnabled ? (
          <>
            <Button variant="default" onClick={() => setStep({ name: 'replace' })}>
              {t('New recovery codes')}
            </Button>
            <Button variant="light" color="red" onClick={() => setStep({ name: 'disable' })}>
              {t('Disable')}
            </Button>
          </>
        ) : (
          <Button onClick={() => setStep({ name: 'enable' })}>{t('Enable')}</Button>
        )}
      </Group>
      {step?.name === 'enable' && (
        <PasswordDialog
          title={t('Enable two-factor authentication')}
          submit={t('Continue')}
          run={({ currentPassword }) => headwater.startTwoFactor({ currentPassword })}
          onDone={({ secret, url }) => setStep({ name: 'scan', secret, url })}
          onClose={close}
        >
          {t('Enter your password to continue.')}
        </PasswordDialog>
      )}
      {step?.name === 'scan' && <ScanDialog {...step} onDone={showCodes} onClose={close} />}
      {step?.name === 'codes' && <CodesDialog codes={step.codes} onClose={close} />}
      {step?.name === 'replace' && (
        <PasswordDialog
          title={t('New recovery codes')}
          submit={t('Create codes')}
          asksForCode
          run={(body) => headwater.replaceRecoveryCodes(body)}
          onDone={showCodes}
          onClose={close}
        >
          {t('The previous recovery codes will no longer work.')}
        </PasswordDialog>
      )}
      {step?.name === 'disable' && (
        <PasswordDialog
          title={t('Disable two-factor authentication')}
          submit={t('Disable')}
          asksForCode
          run={(body) => headwater.disableTwoFactor(body)}
          onDone={() => {
            close();
            void refreshSecurity();
            notify(t('Two-factor authentication is disabled.'));
          }}
          onClose={close}
        >
          {t('Sign-ins will only ask for your password.')}
        </PasswordDialog>
      )}
    </Card>
  );
}

interface ScanDialogProps {
  secret: string;
  url: string;
  onDone: (result: { recoveryCodes: string[] }) => void;
  onClose: () => void;
}

function ScanDialog({ secret, url, onDone, onClose }: ScanDialogProps) {
  const form = useForm({
    initial: { code: '' },
    isValid: ({ code }) => code.trim() !== '',
    save: ({ code }) => headwater.confirmTwoFactor({ code: code.trim() }),
    onSaved: onDone,
  });
  return (
    <FormDialog form={form} title={t('Scan with your authenticator app')} submit={t('Enable')} onClose={onClose}>
      <Group justify="center">
        <Box
          component="img"
          w={200}
          h={200}
          p="xs"
          bg="white"
          style={{ borderRadius: 8 }}
          alt={t('QR code for the authenticator app')}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 1 }))}`}
        />
      </Group>
      <Text size="sm">{t('Or enter this key in the app:')}</Text>
      <CopyField label={t('Key')} value={secret} />
      <TextInput
        label={t('Code from the app')}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...form.text('code')}
      />
    </FormDialog>
  );
}

/** Shown once: only the button closes it. */
function CodesDialog({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title={t('Recovery codes')}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert variant="light" color="orange">
          {t(
            'Keep these codes in a safe place. Each works once instead of a code of the app. They are not shown again.',
          )}
        </Alert>
        <CopyField label={t('Recovery codes')} value={text} block />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => downloadText('headwater-recovery-codes.txt', 'text/plain', `${text}\n`)}
          >
            {t('Download')}
          </Button>
          <Button onClick={onClose}>{t('I have saved them')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
