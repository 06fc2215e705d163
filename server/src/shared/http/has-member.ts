/** Of a route's `confirm`: only requests whose body has a member need it. */
export const hasMember =
  (name: string) =>
  (body: unknown): boolean =>
    typeof body === 'object' && body !== null && Object.hasOwn(body, name);
