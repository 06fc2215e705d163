import { start } from './run.ts';

start();
