import { SecretBox } from '../../shared/secret-box.ts';
import type { Credentials } from '../platforms/platform.ts';
import { type PlatformId, platformOf } from '../platforms/registry.ts';

/** The credentials of destinations, encrypted for the row that stores them. */
export class CredentialStore {
  readonly #box: SecretBox;

  constructor(instanceSecret: Buffer) {
    this.#box = new SecretBox(instanceSecret, 'destination-credentials');
  }

  seal(destinationUuid: string, credentials: Credentials): Buffer {
    return this.#box.seal(Buffer.from(JSON.stringify(credentials)), destinationUuid);
  }

  open({ id, credentials }: { id: string; credentials: Buffer }): Credentials {
    return JSON.parse(this.#box.open(credentials, id).toString()) as Credentials;
  }
}

/** The credentials that are no secrets. */
export function connectionOf(platform: PlatformId, credentials: Credentials): Credentials {
  const { credentials: fields } = platformOf(platform);
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => fields[name]?.isSecret === false));
}

/** Replaces the secrets that a text repeats, in whatever form they were sent. */
export function maskSecrets(platform: PlatformId, credentials: Credentials, text: string): string {
  const { credentials: fields } = platformOf(platform);
  let masked = text;
  for (const [name, value] of Object.entries(credentials)) {
    if (!fields[name]?.isSecret || value.length < 4) continue;
    for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) {
      masked = masked.replaceAll(form, '***');
    }
  }
  return masked;
}
