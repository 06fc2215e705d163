import { build } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

// A file for each operation takes a third of the processor time of one for all.
const into = (path) => ({ output: { path, barrelType: false } });
const { error, failedPlugins } = await build({
  config: {
    root: '.',
    input: { path: 'openapi.json' },
    output: { path: 'clients/kubb', barrelType: false, format: false, lint: false },
    plugins: [
      pluginOas({ generators: [] }),
      pluginTs(into('types')),
      pluginClient({ client: 'fetch', ...into('operations') }),
    ],
  },
});
if (error || failedPlugins.size > 0) throw error ?? new Error('a plugin failed');
