/** Whether a client has the current content: `If-None-Match` names its tag, weak or not, or is `*` (RFC 9110, 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, isCurrent: (tag: string) => boolean): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.some((tag) => tag === '*' || isCurrent(tag));
}
