/** The Zapier app. Forms, samples and routes come from `description.js`, which `node integrations/generate.ts` writes. */
import { createRequire } from 'node:module';
import { version as platformVersion } from 'zapier-platform-core';
import { creates, searches } from './actions.js';
import { addToken, authentication, raiseProblem } from './client.js';
import { collections, triggers } from './triggers.js';

const { version } = createRequire(import.meta.url)('./package.json');

export default {
  version,
  platformVersion,
  authentication,
  beforeRequest: [addToken],
  afterResponse: [raiseProblem],
  triggers: { ...triggers, [collections.key]: collections },
  searches,
  creates,
};
