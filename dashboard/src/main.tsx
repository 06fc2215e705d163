import './mantine.css';
import './styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { queryClient } from './service/query-client.ts';
import { lazy } from './shared/lazy.tsx';
import { keepPresses } from './shared/presses.ts';
import { cssVariables, theme } from './theme.ts';

keepPresses();

// Not needed for the first render.
const Notices = lazy(() => import('./shared/notices.tsx'));

const nonce = document.querySelector<HTMLMetaElement>('meta[name=nonce]')?.content ?? '';
// The scroll lock of overlays (react-remove-scroll) reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'headwater-color-scheme' })}
      getStyleNonce={() => nonce}
    >
      <Suspense>
        <Notices />
      </Suspense>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
