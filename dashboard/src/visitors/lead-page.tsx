import type { LeadWithProperties } from '@headwater/sdk';
import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { DescriptionList } from '../shared/description-list.tsx';
import { ConfirmDialog } from '../shared/dialogs.tsx';
import { downloadText } from '../shared/download-text.ts';
import { Form, FormError } from '../shared/form.tsx';
import { formatDateTime } from '../shared/formats.ts';
import { notify } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Loaded } from '../shared/states.tsx';
import { useForm } from '../shared/use-form.ts';
import { useMayWrite } from '../users/rights.ts';
import { useLeadValues } from './row-numbers.ts';
import { VisitorTimeline } from './visitor-timeline.tsx';

export function LeadPage() {
  const { leadId } = useParams({ from: '/shell/leads/$leadId' });
  const query = useQuery({
    queryKey: ['lead', leadId],
    queryFn: ({ signal }) => headwater.getLead({ leadId }, { signal }),
  });
  return <Loaded query={query}>{(lead) => <LeadDetails lead={lead} />}</Loaded>;
}

function LeadDetails({ lead }: { lead: LeadWithProperties }) {
  const mayEdit = useMayWrite('analytics');
  const navigate = useNavigate();
  const [isErasing, setIsErasing] = useState(false);
  const download = useMutation({ mutationFn: () => downloadLead(lead) });
  const value = useLeadValues([lead]).get(lead.id);
  const properties = Object.entries(lead.properties);
  return (
    <Page
      title={lead.name ?? lead.email}
      description={t('{name}First seen {firstSeenAt}, last seen {lastSeenAt}', {
        name: lead.name === null ? '' : `${lead.email} · `,
        firstSeenAt: formatDateTime(lead.firstSeenAt),
        lastSeenAt: formatDateTime(lead.lastSeenAt),
      })}
      back={{ to: '/leads', label: t('Leads') }}
      actions={
        <>
          <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
            {t('Export data')}
          </Button>
          {mayEdit && (
            <Button variant="default" color="red" onClick={() => setIsErasing(true)}>
              {t('Erase')}
            </Button>
          )}
        </>
      }
    >
      <DescriptionList
        items={[
          [t('Lifetime value'), value ?? t('No conversions')],
          ...properties.map(([name, value]): [string, string] => [name, String(value)]),
        ]}
      />
      {mayEdit ? <Notes lead={lead} /> : lead.notes !== null && <DescriptionList items={[[t('Notes'), lead.notes]]} />}
      <VisitorTimeline of={{ leadId: lead.id }} />
      {isErasing && (
        <ConfirmDialog
          title={t('Erase {email}?', { email: lead.email })}
          action={t('Erase permanently')}
          onClose={() => setIsErasing(false)}
          run={async () => {
            await headwater.eraseLead({ email: lead.email });
            notify(t('The lead is being erased.'));
            await queryClient.invalidateQueries({ queryKey: ['leads'] });
            await navigate({ to: '/leads' });
          }}
        >
          {t(
            'This removes the email, the name, your notes, the visitor IDs, click IDs and URL queries of all sessions, the titles of visits, the properties of events except values, the identifiers of conversions, and the files of earlier exports. Counts and revenue remain. It cannot be undone.',
          )}
        </ConfirmDialog>
      )}
    </Page>
  );
}

function Notes({ lead }: { lead: LeadWithProperties }) {
  const form = useForm({
    initial: { notes: lead.notes ?? '' },
    draft: 'notes',
    mustChange: true,
    save: ({ notes }) => headwater.updateLead({ leadId: lead.id }, { notes: notes === '' ? null : notes }),
    onSaved: (saved) => {
      queryClient.setQueryData(['lead', lead.id], saved);
      notify(t('Notes saved.'));
    },
  });
  return (
    <Form form={form}>
      <Stack gap="xs" className="surface" p="md">
        <Textarea
          label={t('Notes')}
          description={t('Visible to all members of the account.')}
          autosize
          minRows={2}
          {...form.text('notes')}
        />
        <FormError form={form} />
        {form.isDirty && (
          <Group justify="flex-end">
            <Button type="submit" loading={form.isPending}>
              {t('Save notes')}
            </Button>
          </Group>
        )}
      </Stack>
    </Form>
  );
}

/** Everything that is stored about a lead, as JSON. */
async function downloadLead(lead: LeadWithProperties): Promise<void> {
  const timeline = await headwater.getTimeline({ leadId: lead.id, pageSize: 100 }).all();
  downloadText(`${lead.id}.json`, 'application/json', JSON.stringify({ lead, timeline }, null, 2));
}
