import type { App } from './app.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request without a body is one with `{}`. */
    mayOmitBody?: boolean;
  }
}

/** Lets a POST whose members are all optional, such as an action, come without a body, or with an empty one of any content type. */
export function allowMissingBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST' && isOptional(route.schema?.body))
      route.config = { ...route.config, mayOmitBody: true };
  });
}

/** Whether `{}` fits a schema of objects, or of objects and null. */
export function isOptional(schema: unknown): boolean {
  const { type, required = [] } = (schema ?? {}) as { type?: string | string[]; required?: string[] };
  return [type].flat().includes('object') && required.length === 0;
}
