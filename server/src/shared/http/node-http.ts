/** Node's `http`, without what `import` would load with it: `fetch` and WebSockets, which take 16 MB. */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
