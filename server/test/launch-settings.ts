/** What `npm start` and the packaged command set for the service, for those who start it without them. */
export const LAUNCH_SETTINGS = { MALLOC_MMAP_THRESHOLD_: '65568' };
