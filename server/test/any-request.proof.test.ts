// Slow: fifty requests to every route.
import { testAnyRequests } from './any-request.ts';

testAnyRequests(50);
