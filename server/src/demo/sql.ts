/** SQL for a random UUIDv7 of a time. */
export const uuidAt = (time: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
   || '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** SQL for `Identifier.digest` of tracking. */
export const digestOf = (text: string) => `encode(substring(sha256(convert_to(${text}, 'UTF8')) for 16), 'hex')::uuid`;
