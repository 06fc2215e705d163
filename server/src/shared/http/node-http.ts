/** The same as an import of `node:http`, which also loads what Node has for `fetch` and WebSockets: 16 MB. */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
