import { type DestinationStream, type Logger, pino } from 'pino';
import { redactSecrets } from './redact.ts';

export type { Logger };

const PERSONAL = new RegExp(
  [
    // The key of a query, even a mistyped one, and the token of a preview.
    '(?<=[?&](?:key|preview)=)[^&\\s"\'<>\\\\]+',
    // The password of a URL.
    '(?<=://)[^/\\s:@"]*:[^/\\s@"]+(?=@)',
    // Emails, with an escaped @ as well. A name is required before it, so that paths of packages (/@scope/) do not match.
    '[^\\s"\'<>()[\\]{}=/\\\\,:;&?@]+(?:@|%40)[^\\s"\'<>()[\\]{}=/\\\\,:;&?@]+\\.[^\\s"\'<>()[\\]{}=/\\\\,:;&?@.]+',
  ].join('|'),
  'g',
);

/** Replaces secrets, emails and passwords in URLs. */
export function scrub(text: string): string {
  return redactSecrets(text).replace(PERSONAL, '[redacted]');
}

/** Serializes an error for the log, without `detail` and `where`, in which PostgreSQL quotes the row. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause, errors, syscall } = error as {
    code?: unknown;
    cause?: unknown;
    errors?: unknown;
    syscall?: unknown;
  };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    // That of a refused connection says nothing, and while a database is away every request has one.
    ...(syscall !== 'connect' && { stack: error.stack ?? '' }),
    ...(cause !== undefined && { cause: describeError(cause) }),
    ...(Array.isArray(errors) && errors.some((each) => each instanceof Error) && { errors: errors.map(describeError) }),
  };
}

/** The structured log: one JSON object per line on standard output. Every line is scrubbed as a whole. */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: scrub },
    },
    destination,
  );
}

/** When its reader is gone (EPIPE), only the log is lost. */
function standardOutput(): DestinationStream {
  return pino.destination(1).on('error', () => {});
}
