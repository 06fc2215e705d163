import { startConsent } from './consent.ts';

startConsent();
