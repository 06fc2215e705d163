/** Sends a request to the service with the account's secret token. */
export type Call = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  url: string,
  body: unknown,
  headers?: Record<string, string>,
) => Promise<never>;
