// Slow: a hundred requests to every route.
import { testAnyRequests } from './any-request.ts';

testAnyRequests(100);
