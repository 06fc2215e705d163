/** How the app signs in and what it makes of errors. */

const baseUrl = (bundle) => bundle.authData.url.trim().replace(/\/+$/, '');

export const urlOf = (bundle, path) => baseUrl(bundle) + path;

/** Nothing but requests to the service gets the token. */
export function addToken(request, _z, bundle) {
  const { url, token } = bundle.authData;
  if (url && token && request.url.startsWith(`${baseUrl(bundle)}/`)) {
    request.headers['x-api-key'] = `Bearer ${token.replace(/^Bearer /i, '')}`;
  }
  return request;
}

export function raiseProblem(response, z) {
  if (response.status < 400) return response;
  response.skipThrowForStatus = true;
  const problem = problemOf(response);
  if (response.status === 429) {
    const seconds = Number(response.getHeader('retry-after'));
    throw new z.errors.ThrottledError(problem.detail, seconds > 0 ? seconds : undefined);
  }
  const details = (problem.errors ?? []).map(({ pointer, detail }) => (pointer ? `${pointer}: ${detail}` : detail));
  const message = details.length > 1 ? details.join(' ') : problem.detail;
  throw new z.errors.Error(message, problem.code, response.status);
}

/** What answers an error is not always the service: a proxy responds with a page. */
function problemOf({ content, status }) {
  try {
    const problem = JSON.parse(content);
    if (typeof problem?.detail === 'string') return problem;
  } catch {}
  return { detail: `The service responded with status ${status}.`, code: `status_${status}` };
}

export const authentication = {
  type: 'custom',
  test: async (z, bundle) => (await z.request(urlOf(bundle, '/v1/account'))).data,
  connectionLabel: '{{name}}',
  fields: [
    {
      key: 'url',
      label: 'URL',
      type: 'string',
      required: true,
      helpText: 'Where your Headwater runs, such as https://headwater.example',
    },
    {
      key: 'token',
      label: 'API Token',
      type: 'password',
      required: true,
      helpText: 'A secret token (hw_sk_…) of Settings › API keys. Its role needs webhooks for triggers.',
    },
  ],
};
