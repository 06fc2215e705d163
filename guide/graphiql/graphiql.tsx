/** GraphiQL at `/docs/graphiql`, for the schema of the account whose key the visitor enters. */
import { GraphiQL } from 'graphiql';
import { type FormEvent, StrictMode, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './graphiql.css';

const QUERY = `# Reads published entries of public collections. Replace "posts" by the key of one of yours.
{
  posts(first: 10) {
    items {
      id
    }
    nextPageToken
  }
}
`;

/** The key stays in the memory of this page. */
function Page() {
  const [key, setKey] = useState('');
  const fetcher = useMemo(
    () => async (body: { query: string; operationName?: string | null; variables?: unknown }) => {
      if (key === '') return { errors: [{ message: 'Enter an API key above.' }] };
      const search = new URLSearchParams(
        Object.entries(body).flatMap(([name, value]) => (value ? [[name, textOf(value)]] : [])),
      );
      // Relative, for a service below a path. A browser may not send a secret token by POST, as it then could on any page.
      const response = await fetch(`../v1/graphql?${search}`, { headers: { 'x-api-key': `Bearer ${key}` } });
      return response.json();
    },
    [key],
  );
  const use = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setKey(String(new FormData(event.currentTarget).get('key')).trim());
  };
  return (
    <>
      <header>
        <h1>
          <a href="../guide/graphql">GraphQL</a>
        </h1>
        <form onSubmit={use}>
          <label htmlFor="key">API key</label>
          <input id="key" name="key" type="password" autoComplete="off" placeholder="hw_sk_… or hw_pk_…" />
          <button type="submit">Use key</button>
          <output>{noteOn(key)}</output>
        </form>
      </header>
      <main>
        <GraphiQL
          fetcher={fetcher}
          // Only secret tokens may introspect.
          {...(!isSecret(key) && { schema: null })}
          defaultQuery={QUERY}
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
        />
      </main>
    </>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const isSecret = (key: string) => key.startsWith('hw_sk_');

function noteOn(key: string): string {
  if (key === '') return 'It is kept until you leave this page.';
  return isSecret(key) ? 'In use.' : 'In use. With a secret token there are also documentation and suggestions.';
}

/** The editors name their regions, but not what one types in. */
function nameEditors(): void {
  for (const area of document.querySelectorAll('section[aria-label] textarea:not([aria-label])')) {
    area.setAttribute('aria-label', area.closest('section')?.ariaLabel ?? '');
  }
}

const root = document.getElementById('root');
if (root) {
  new MutationObserver(nameEditors).observe(root, { childList: true, subtree: true });
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
