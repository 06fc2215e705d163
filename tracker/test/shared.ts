/** A service and a browser for all files of a process that need no settings of their own. */
import { openWorld } from './world.ts';

export const { browser, openShop, service } = await openWorld();
