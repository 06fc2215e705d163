import { createHmac } from 'node:crypto';
import type { Fault } from '../../shared/errors.ts';
import { sha256 } from './hash.ts';
import type { Credentials, OutgoingEvent, Platform } from './platform.ts';
export const http = {
  name: 'HTTP',
  credentials: {
    url: {
      label: 'URL',
      description: 'An http or https URL on the public internet, without user name and password.',
      isSecret: false,
      decidesHost: true,
      isRequired: true,
      pattern: 'https?://\\S{1,2000}',
      example: 'https://ads.example/conversions',
    },
    secret: {
      label: 'Signing secret',
      description: 'Requests are signed with it according to Standard Webhooks: `whsec_` and Base64 of 24 to 64 bytes.',
      isSecret: true,
      isRequired: true,
      pattern: 'whsec_[A-Za-z0-9+/]{32,88}={0,2}',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    },
    authorization: {
      label: 'Authorization header',
      description: 'Sent with each request, if the receiver needs one.',
      isSecret: true,
      isRequired: false,
      pattern: '[\\x20-\\x7e]{1,2000}',
      example: 'Bearer abc',
    },
    template: {
      label: 'Body template',
      description: 'JSON of one conversion, in which `{{name}}` stands for a member; by default all members.',
      isSecret: false,
      decidesHost: false,
      isRequired: false,
      pattern: '[\\s\\S]{2,8000}',
      example: '{"id": "{{id}}", "amount": "{{value}}"}',
    },
  },
  target: {
    label: 'Name',
    description: 'Available in the template as `{{target}}`.',
    pattern: '\\S(.{0,98}\\S)?',
    example: 'purchase',
  },
  clickIds: [],
  uses: { email: true, client: false },
  maxAgeDays: 3650,
  adjustment: 'overwrite',
  validation: 'local',
  needs: 'none',
  needsCurrency: false,
  hosts: {},
  version: '',
  batch: 1,
  requestsPerMinute: 60_000,
  // The receiver recognizes a repetition by its `webhook-id`.
  dedupeHours: Number.POSITIVE_INFINITY,
  checkCredentials({ secret = '', template }: Credentials): Fault[] {
    const faults: Fault[] = [];
    const refuse = (name: string, detail: string) =>
      faults.push({ pointer: `/credentials/${name}`, code: 'credential_invalid', detail });
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    if (bytes < 24 || bytes > 64) refuse('secret', 'The secret must be `whsec_` and the Base64 of 24 to 64 bytes.');
    if (template !== undefined && !isTemplate(template)) {
      refuse(
        'template',
        `The template must be JSON and contain only: ${MEMBERS.map((name) => `{{${name}}}`).join(', ')}.`,
      );
    }
    return faults;
  },
  build([event], { credentials, now }) {
    const { url = '', secret = '', authorization, template } = credentials;
    if (event === undefined) throw new Error('a request has an event');
    const members = membersOf(event);
    const body = template === undefined ? JSON.stringify(members) : fill(template, members);
    const id = `${event.conversionId}.${members.version}`;
    const timestamp = String(Math.floor(now / 1000));
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
        ...(authorization !== undefined && { authorization }),
      },
      body,
    };
  },
  read: ({ status, error, response }) =>
    status === 409 ? { type: 'accepted', message: response ?? error ?? '' } : undefined,
} satisfies Platform;

type Members = ReturnType<typeof membersOf>;

function membersOf(event: OutgoingEvent) {
  return {
    id: event.wireId,
    action: event.action,
    version: event.version,
    event: event.event,
    target: event.target,
    value: event.value,
    currency: event.currency,
    occurredAt: new Date(event.occurredAt).toISOString(),
    clickIdName: event.clickId?.name ?? null,
    clickId: event.clickId?.value ?? null,
    hashedEmail: event.email === null ? null : sha256(event.email),
    url: event.url,
    adUserData: event.consent.adUserData,
    adPersonalization: event.consent.adPersonalization,
  };
}

const MEMBERS = [
  'id',
  'action',
  'version',
  'event',
  'target',
  'value',
  'currency',
  'occurredAt',
  'clickIdName',
  'clickId',
  'hashedEmail',
  'url',
  'adUserData',
  'adPersonalization',
] as const satisfies readonly (keyof Members)[];

const PLACEHOLDER = /\{\{(\w*)\}\}/g;

function isTemplate(template: string): boolean {
  try {
    JSON.parse(template);
  } catch {
    return false;
  }
  return [...template.matchAll(PLACEHOLDER)].every(([, name]) => (MEMBERS as readonly string[]).includes(name ?? ''));
}

/** Replaces placeholders in every string of the template; a string that is one placeholder becomes the member itself. */
function fill(template: string, members: Members): string {
  const memberOf = (name: string) => members[name as keyof Members] ?? null;
  const replace = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const whole = /^\{\{(\w+)\}\}$/.exec(value)?.[1];
      if (whole !== undefined) return memberOf(whole);
      return value.replace(PLACEHOLDER, (_, name: string) => String(memberOf(name) ?? ''));
    }
    if (Array.isArray(value)) return value.map(replace);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member)]));
  };
  return JSON.stringify(replace(JSON.parse(template)));
}
