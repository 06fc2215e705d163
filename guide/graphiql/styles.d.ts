/** Style sheets, which esbuild takes apart. */
declare module '*.css';
