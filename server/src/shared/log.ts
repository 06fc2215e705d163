import { type Logger, pino } from 'pino';

export type { Logger };

const SECRETS =
  /hw_(?:sk|pk|pb)_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|[^\s"'<>()=]+@[^\s"'<>()]+|(?<=:\/\/)[^/\s:@]*:[^/\s@]+(?=@)/g;

/** Text with keys, e-mails and passwords in URLs taken out. */
export function scrub(text: string): string {
  return text.replace(SECRETS, '[redacted]');
}

/** An error as the log keeps it: without `detail` and `where`, in which PostgreSQL quotes the row. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: scrub(error.message),
    ...(code !== undefined && { code }),
    stack: scrub(error.stack ?? ''),
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** Structured log, one JSON object a line on standard output. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } });
}
