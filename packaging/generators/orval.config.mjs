const project = (client) => ({ input: 'openapi.json', output: { target: `clients/orval-${client}/index.ts`, client } });

export default { fetch: project('fetch'), zod: project('zod') };
