import type { SharedLink } from '@headwater/sdk';
import {
  ActionIcon,
  Badge,
  Button,
  Checkbox,
  Group,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inSentence, t } from '../languages/translate.ts';
import { PERIODS } from '../reports/overview-state.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { CopyField } from '../shared/copy-field.tsx';
import { formatRange } from '../shared/date-range-button.tsx';
import { ConfirmDialog, Dialog } from '../shared/dialogs.tsx';
import { Form, FormError } from '../shared/form.tsx';
import { formatRelativeTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { notify } from '../shared/notify.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { rangeOfLink } from './link-range.ts';
import type { Shareable } from './shared-period.ts';

const KEY = ['shared links'];
const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });

interface SharedLinksDialogProps {
  report: Shareable;
  onClose: () => void;
}

/** Creates a link to the current report, and lists the links of the account. */
export function SharedLinksDialog({ report, onClose }: SharedLinksDialogProps) {
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await headwater.listSharedLinks({ signal })).links,
  });
  const [created, setCreated] = useState<SharedLink>();
  return (
    <Dialog onClose={onClose} title={t('Share this report')} size="lg">
      <Stack gap="lg">
        {created ? <Created link={created} /> : <NewLink report={report} onCreated={setCreated} />}
        <Loaded query={query} rows={3}>
          {(links) => links.length > 0 && <Links links={links} />}
        </Loaded>
      </Stack>
    </Dialog>
  );
}

function NewLink({ report, onCreated }: { report: Shareable; onCreated: (link: SharedLink) => void }) {
  const form = useForm({
    initial: { name: '', password: '', isInteractive: false, hasAnnotations: false },
    isValid: ({ name }) => name.trim() !== '',
    save: ({ password, ...values }) =>
      headwater.createSharedLink({ ...report, ...values, password: password === '' ? null : password }),
    onSaved: (link) => {
      onCreated(link);
      void refresh();
    },
  });
  return (
    <Form form={form} isGuarded={false}>
      <Stack>
        <Text size="sm">
          {t(
            'Anyone with the link sees this {funnel} without signing in: {report}. Nothing else of the account is shared, and you can revoke the link at any time.',
            { funnel: report.funnel ? t('funnel') : t('overview'), report: scopeOf(report) },
          )}
        </Text>
        <TextInput
          label={t('Name')}
          description={t('Shown above the report')}
          placeholder={t('Monthly report for the agency')}
          required
          {...form.text('name')}
          data-autofocus
        />
        <PasswordInput
          label={t('Password')}
          description={t('Optional, at least 8 characters. Readers enter it before they see the report.')}
          autoComplete="new-password"
          {...form.text('password')}
        />
        <Checkbox
          label={
            report.funnel
              ? t('Readers can choose another period')
              : t('Readers can choose another period and add filters')
          }
          checked={form.values.isInteractive}
          onChange={(event) => form.set({ isInteractive: event.currentTarget.checked })}
        />
        {!report.funnel && (
          <Checkbox
            label={t('Show annotations to readers')}
            checked={form.values.hasAnnotations}
            onChange={(event) => form.set({ hasAnnotations: event.currentTarget.checked })}
          />
        )}
        <FormError form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={form.isPending} disabled={!form.canSubmit}>
            {t('Create link')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function Created({ link }: { link: SharedLink }) {
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={600}>
        {t('{name} is shared', { name: link.name })}
      </Text>
      <CopyField label={t('Link')} value={link.url} />
      <Text size="sm" c="dimmed">
        {t('To show it on another site, embed it:')}
      </Text>
      <CopyField label={t('Embed code')} value={embedCode(link)} block />
    </Stack>
  );
}

const embedCode = ({ embedUrl, name }: SharedLink) =>
  `<iframe src="${embedUrl}" title="${name.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)}" width="100%" height="1600" style="border:0" loading="lazy"></iframe>`;

function Links({ links }: { links: SharedLink[] }) {
  const [revoked, setRevoked] = useState<SharedLink>();
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text);
    notify(t('{what} copied.', { what }));
  };
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('Shared links')}
      </Title>
      {links.map((link) => (
        <Group key={link.id} justify="space-between" wrap="nowrap" gap="xs">
          <div style={{ minWidth: 0 }}>
            <Group gap={6}>
              <Text size="sm" fw={550} truncate>
                {link.name}
              </Text>
              {link.hasPassword && <Badge variant="light">{t('Password')}</Badge>}
              {link.isInteractive && <Badge variant="light">{t('Interactive')}</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              {scopeOf(link)} ·{' '}
              {link.lastReadAt
                ? t('opened {lastReadAt}', { lastReadAt: formatRelativeTime(link.lastReadAt) })
                : t('never opened')}
            </Text>
          </div>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              aria-label={t('Copy the link {name}', { name: link.name })}
              onClick={() => void copy(link.url, t('Link'))}
            >
              <Icon name="copy" size={16} />
            </ActionIcon>
            <ActionIcon
              aria-label={t('Copy the embed code of {name}', { name: link.name })}
              onClick={() => void copy(embedCode(link), t('Embed code'))}
            >
              <Icon name="code" size={16} />
            </ActionIcon>
            <ActionIcon aria-label={t('Revoke {name}', { name: link.name })} onClick={() => setRevoked(link)}>
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      {revoked && (
        <ConfirmDialog
          title={t('Revoke {name}?', { name: revoked.name })}
          action={t('Revoke')}
          run={async () => {
            await headwater.deleteSharedLink({ linkId: revoked.id });
            await refresh();
            notify(t('{name} revoked.', { name: revoked.name }));
          }}
          onClose={() => setRevoked(undefined)}
        >
          {t('The link and its embeds stop working at once. You cannot restore it.')}
        </ConfirmDialog>
      )}
    </Stack>
  );
}

/** "Overview, 30 days, filtered by source". */
function scopeOf({ period, filters = {}, funnel }: Shareable): string {
  const days = 'preset' in period ? PERIODS[period.preset].label : formatRange(rangeOfLink(period));
  const names = Object.keys(filters);
  return [
    funnel
      ? t('{count, plural, one {funnel of # step} other {funnel of # steps}}', { count: funnel.steps.length })
      : t('overview'),
    days && inSentence(days),
    ...(names.length > 0 ? [t('filtered by {names}', { names: names.join(', ') })] : []),
  ].join(', ');
}
