import type { Fault } from '../../shared/errors.ts';
import type { ClickIdName } from '../../tracking/index.ts';

/** One of a platform's credentials. */
export interface CredentialField {
  label: string;
  /** Where to find it. */
  description: string;
  /** A secret is never returned; the others show which account of the platform a destination is connected to. */
  isSecret: boolean;
  isRequired: boolean;
  /** A regular expression for the whole value, and an example that matches it. */
  pattern: string;
  example: string;
}

export type Credentials = Readonly<Record<string, string>>;

/** What a platform needs to be connected. */
export interface PlatformForm {
  name: string;
  credentials: Readonly<Record<string, CredentialField>>;
  /** Faults that no single credential has, such as a missing one of several alternatives. */
  checkCredentials?(credentials: Credentials): Fault[];
  /** What a conversion's event is mapped to. */
  target: { label: string; description: string; pattern: string; example: string };
  /** The click ids that the platform accepts, the preferred one first. */
  clickIds: readonly ClickIdName[];
  /** Whether it also matches conversions by the SHA-256 of the lead's email, and by IP address and user agent. */
  uses: { email: boolean; client: boolean };
  /** Older conversions are refused by the platform. */
  maxAgeDays: number;
  /** How a changed value reaches the platform. */
  adjustment: 'overwrite' | 'restate' | 'none';
  /** How `mode: validate` checks a conversion. */
  validation: 'platform' | 'local';
}
