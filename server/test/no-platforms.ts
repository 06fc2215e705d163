const PLATFORMS = 'GOOGLE META MICROSOFT TIKTOK LINKEDIN PINTEREST SNAPCHAT REDDIT X TABOOLA OUTBRAIN'.split(' ');

/** Settings with ad platforms that refuse connections, so that no test sends anything to the real ones. */
export const NO_PLATFORMS = Object.fromEntries(
  PLATFORMS.map((name) => [`DESTINATION_${name}_URL`, 'http://127.0.0.1:9']),
);
