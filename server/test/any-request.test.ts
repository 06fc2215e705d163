// Slow: every route of the API gets requests made from its schemas, and each needs a process that knows them all.
import { testAnyRequests } from './any-request.ts';

testAnyRequests(4);
