import type { Fault } from '../../shared/errors.ts';
import type { Credentials, PlatformForm } from './platform.ts';

const OAUTH = ['clientId', 'clientSecret', 'refreshToken'] as const;
const SERVICE_ACCOUNT = ['serviceAccountEmail', 'privateKey'] as const;

export const google = {
  name: 'Google Ads',
  credentials: {
    customerId: {
      label: 'Customer ID',
      description: 'The Google Ads account that owns the conversion actions, without hyphens.',
      isSecret: false,
      isRequired: true,
      pattern: '[0-9]{10}',
      example: '1234567890',
    },
    loginCustomerId: {
      label: 'Manager customer ID',
      description: 'The manager account through which you have access, if you use one, without hyphens.',
      isSecret: false,
      isRequired: false,
      pattern: '[0-9]{10}',
      example: '9876543210',
    },
    clientId: {
      label: 'OAuth client ID',
      description: 'Google Cloud console, APIs & Services, Credentials.',
      isSecret: false,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: '123-abc.apps.googleusercontent.com',
    },
    clientSecret: {
      label: 'OAuth client secret',
      description: 'Beside the client ID.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,200}',
      example: 'GOCSPX-abc',
    },
    refreshToken: {
      label: 'OAuth refresh token',
      description: 'For the scope https://www.googleapis.com/auth/datamanager.',
      isSecret: true,
      isRequired: false,
      pattern: '\\S{1,1000}',
      example: '1//0abc',
    },
    serviceAccountEmail: {
      label: 'Service account email',
      description:
        'Instead of an OAuth client: `client_email` of the key file. Give it access to the Google Ads account.',
      isSecret: false,
      isRequired: false,
      pattern: '[^\\s@]+@[^\\s@]+',
      example: 'conversions@project.iam.gserviceaccount.com',
    },
    privateKey: {
      label: 'Service account private key',
      description: '`private_key` of the key file, PEM.',
      isSecret: true,
      isRequired: false,
      pattern: '-----BEGIN PRIVATE KEY-----[\\s\\S]{1,6000}-----END PRIVATE KEY-----\\s*',
      example: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----',
    },
  },
  checkCredentials(credentials: Credentials): Fault[] {
    const missing = (names: readonly string[]) => names.filter((name) => credentials[name] === undefined);
    const usesServiceAccount = SERVICE_ACCOUNT.some((name) => credentials[name] !== undefined);
    return missing(usesServiceAccount ? SERVICE_ACCOUNT : OAUTH).map((name) => ({
      pointer: `/credentials/${name}`,
      code: 'required',
      detail: `\`/credentials/${name}\` is required. Send an OAuth client with a refresh token, or a service account.`,
    }));
  },
  target: {
    label: 'Conversion action ID',
    description: 'Goals, Conversions, Summary: open the action; its ID is `ctId` in the URL.',
    pattern: '[0-9]{1,20}',
    example: '123456789',
  },
  clickIds: ['gclid', 'gbraid', 'wbraid'],
  uses: { email: true, client: true },
  maxAgeDays: 90,
  adjustment: 'overwrite',
  validation: 'platform',
} satisfies PlatformForm;
