import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const SECRETS = new RegExp(
  [
    'hw_(?:sk|pk|pb)_[0-9A-Za-z]+',
    'whsec_[0-9A-Za-z+/=]+',
    // A query's key, even one that was mistyped.
    '(?<=[?&]key=)[^&\\s"\'<>\\\\]+',
    // The password of a URL.
    '(?<=://)[^/\\s:@"]*:[^/\\s@"]+(?=@)',
    // E-mails, their @ perhaps escaped. A name before it, so that no path of a package (/@scope/) is taken for one.
    '[^\\s"\'<>()[\\]{}=/\\\\,:;&?@]+(?:@|%40)[^\\s"\'<>()[\\]{}=/\\\\,:;&?@]+\\.[^\\s"\'<>()[\\]{}=/\\\\,:;&?@.]+',
  ].join('|'),
  'g',
);

/** Text with keys, e-mails and passwords in URLs taken out. */
export function scrub(text: string): string {
  return text.replace(SECRETS, '[redacted]');
}

/** An error as the log keeps it: without `detail` and `where`, in which PostgreSQL quotes the row. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack ?? '',
    ...(cause !== undefined && { cause: describeError(cause) }),
    ...(Array.isArray(errors) && errors.some((each) => each instanceof Error) && { errors: errors.map(describeError) }),
  };
}

/** Structured log, one JSON object a line on standard output; every line is scrubbed as a whole, whatever wrote it. */
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

/** Where nobody reads it any more (EPIPE) the log is lost, and no more than the log. */
function standardOutput(): DestinationStream {
  return pino.destination(1).on('error', () => {});
}
