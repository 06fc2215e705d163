import type { ApiKey, MadeApiKey } from '@headwater/sdk';
import {
  Alert,
  Badge,
  Button,
  Group,
  Modal,
  Radio,
  SegmentedControl,
  Stack,
  Table,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { queryClient } from '../service/query-client.ts';
import { headwater } from '../service/session.ts';
import { Confirm } from '../shared/confirm.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { formatAgo, formatDate, formatTime } from '../shared/formats.ts';
import { Icon } from '../shared/icons.tsx';
import { Listing } from '../shared/listing.tsx';
import { faultsOf } from '../shared/messages.ts';
import { tell } from '../shared/notify.tsx';
import { Page } from '../shared/page.tsx';
import { Empty } from '../shared/states.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';

type Kind = ApiKey['kind'];

export const KEY_KINDS: Record<Kind, { label: string; description: string; prefix: string }> = {
  secret: {
    label: 'Secret token',
    description: 'For your servers. It can do everything the API does.',
    prefix: 'hw_sk_',
  },
  publishable: {
    label: 'Publishable key',
    description: 'For your pages. It records visits and events, and nothing else.',
    prefix: 'hw_pk_',
  },
  postback: {
    label: 'Postback key',
    description: 'For ad platforms. It reports conversions by an address, and nothing else.',
    prefix: 'hw_pb_',
  },
};

const forgetKeys = () => queryClient.invalidateQueries({ queryKey: ['keys'] });

export function KeysPage() {
  const [isMaking, setIsMaking] = useState(false);
  const [revoked, setRevoked] = useState(false);
  const [going, setGoing] = useState<ApiKey>();
  const query = useInfiniteQuery({
    queryKey: ['keys', revoked],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => headwater.listKeys({ revoked, pageToken: pageParam }, { signal }),
    getNextPageParam: (page) => page.nextPageToken ?? undefined,
  });
  const keys = query.data?.pages.flatMap((page) => page.keys) ?? [];
  const newButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIsMaking(true)}>
      New key
    </Button>
  );
  return (
    <Page
      wide
      title="API keys"
      description="What your servers, pages and ad platforms call the service with."
      actions={newButton}
    >
      <div>
        <SegmentedControl
          mb="sm"
          aria-label="Which keys"
          value={String(revoked)}
          onChange={(next) => setRevoked(next === 'true')}
          data={[
            { value: 'false', label: 'In use' },
            { value: 'true', label: 'Revoked' },
          ]}
        />
        <Listing
          query={query}
          label="Loading keys"
          isEmpty={keys.length === 0}
          empty={
            <Empty icon="key" title={revoked ? 'No key was revoked' : 'No keys yet'} action={!revoked && newButton}>
              {!revoked && 'A key lets a program act for this account.'}
            </Empty>
          }
        >
          <Table.ScrollContainer minWidth={640}>
            <Table className="data-table" verticalSpacing="sm" horizontalSpacing="md">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Kind</Table.Th>
                  <Table.Th>Key</Table.Th>
                  <Table.Th>Made</Table.Th>
                  <Table.Th>{revoked ? 'Revoked' : 'Last used'}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>Actions</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {keys.map((key) => (
                  <Table.Tr key={key.id}>
                    <Table.Td fw={550}>{key.name}</Table.Td>
                    <Table.Td>
                      <Badge variant={key.kind === 'secret' ? 'light' : 'default'} tt="none" fw={500}>
                        {KEY_KINDS[key.kind].label}
                      </Badge>
                    </Table.Td>
                    <Table.Td ff="monospace" fz="sm">
                      {KEY_KINDS[key.kind].prefix}…{key.hint}
                    </Table.Td>
                    <Table.Td>{formatDate(key.createdAt)}</Table.Td>
                    <LastMoment at={revoked ? key.revokedAt : key.lastUsedAt} />
                    <Table.Td ta="right">
                      {key.revokedAt === null && (
                        <Button
                          variant="subtle"
                          color="red"
                          size="compact-sm"
                          onClick={() => setGoing(key)}
                          aria-label={`Revoke ${key.name}`}
                        >
                          Revoke
                        </Button>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Listing>
      </div>
      {isMaking && <NewKey onClose={() => setIsMaking(false)} />}
      <Confirm
        opened={going !== undefined}
        onClose={() => setGoing(undefined)}
        title={`Revoke ${going?.name ?? ''}?`}
        action="Revoke key"
        run={async () => {
          await headwater.revokeKey({ keyId: going?.id ?? '' });
          void forgetKeys();
          tell('The key was revoked.');
        }}
      >
        Whatever uses it is refused from this moment on. It cannot be brought back.
      </Confirm>
    </Page>
  );
}

function LastMoment({ at }: { at: string | null }) {
  return at === null ? (
    <Table.Td c="dimmed">Never</Table.Td>
  ) : (
    <Table.Td title={formatTime(at)}>{formatAgo(at)}</Table.Td>
  );
}

/** Makes a key and shows it, the only time that it is shown. */
export function NewKey({
  onClose,
  onMade,
  kind: only,
}: {
  onClose: () => void;
  onMade?: (key: MadeApiKey) => void;
  kind?: Kind;
}) {
  useFocusBack();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>(only ?? 'secret');
  const mutation = useMutation({
    meta: { shown: true },
    mutationFn: () => headwater.createKey({ name: name.trim(), kind }),
    onSuccess: (made) => {
      void forgetKeys();
      onMade?.(made);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (mutation.data) {
    return (
      <Modal opened onClose={onClose} title={`${mutation.data.name} is ready`} closeOnClickOutside={false} size="lg">
        <Stack>
          <Alert variant="light" color="orange">
            Copy it now: it is not shown again, and nobody can read it out of the service.
          </Alert>
          <CopyField label="The new key" value={mutation.data.token} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Modal opened onClose={onClose} title={only ? `New ${KEY_KINDS[only].label.toLowerCase()}` : 'New key'} size="lg">
      <form onSubmit={submit}>
        <Stack>
          {!only && (
            <Radio.Group label="Kind" value={kind} onChange={(next) => setKind(next as Kind)}>
              <Stack gap="xs" mt={4}>
                {Object.entries(KEY_KINDS).map(([value, { label, description }]) => (
                  <Radio key={value} value={value} label={label} description={description} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <TextInput
            label="Name"
            description="Where it is used, so that you know what stops when you revoke it"
            placeholder={
              kind === 'secret' ? 'Shop back end' : kind === 'publishable' ? 'outdoor.example' : 'Affiliate network'
            }
            required
            value={name}
            error={faultsOf(mutation.error).get('/name')}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          {mutation.isError && faultsOf(mutation.error).size === 0 && (
            <Text c="red">The key could not be made. Try again.</Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={mutation.isPending} disabled={name.trim() === ''}>
              Make the key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
